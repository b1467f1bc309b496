"""Due times: what is due happens in time and once, whoever looks after it, also after a restart."""

import asyncio
import random
import threading
import time

import pytest
from sqlalchemy import select, update

from app import models
from app.clockwork import Clockwork
from app.services import absence, company, play, pulse, tables
from app.services.clocks import ClockRules
from app.services.house import House
from app.services.replays import Replays
from app.settings import Settings
from app.writer import Transaction
from tests.conftest import Clock, OpenHouse
from tests.factories import Party, begin, gather, nothing_changes
from tests.servers import serving

_PATIENCE = 30.0


def tick(house: House) -> float:
    """One look of the clockwork; gives the seconds until the next one."""
    return Clockwork(house)._attend_due()


def seats_that_moved(party: Party) -> list[int]:
    """Who made the moves of the table's rounds, in order, without the dealer."""
    return [row.seat for row in party.moves() if row.seat]


@pytest.mark.parametrize(("pace", "shortest", "longest"), [("brisk", 0.5, 1.1), ("relaxed", 1.2, 2.6)])
def test_a_bot_moves_when_it_has_thought_and_not_before(
    house: House, clock: Clock, pace: str, shortest: float, longest: float
) -> None:
    party = begin(house, 1, bots=1, pace=pace)
    assert party.due_at() is None  # it is Alice's turn
    party.move()
    due_at = party.due_at()
    assert due_at
    assert shortest <= due_at - clock() <= longest
    clock.time = due_at - 0.001
    with nothing_changes(house.database):
        assert 0 < tick(house) <= 0.002
    assert seats_that_moved(party) == [1]
    clock.time = due_at
    assert tick(house) == 1.0
    assert seats_that_moved(party) == [1, 2]
    assert party.turn()


def test_bots_think_for_different_lengths_of_time(house: House, clock: Clock) -> None:
    party = begin(house, 1, bots=3, pace="relaxed", rounds=9)
    thoughts: set[float] = set()
    party.move()
    while len(thoughts) < 6:
        if party.turn():
            party.move(-1)
        due_at = party.due_at()
        assert due_at
        thoughts.add(due_at - clock())
        clock.advance(3)
        tick(house)
    assert len(thoughts) == 6


def test_nothing_is_due_where_only_people_are_to_act(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    clock.advance(1_000_000)
    with nothing_changes(house.database):
        assert tick(house) == 1.0
        house.write(play.attend, party.row.id)


def test_the_next_look_is_when_something_is_due(house: House, clock: Clock) -> None:
    party = begin(house, 1, bots=1, pace="brisk")
    party.move()
    due_at = party.due_at()
    assert due_at
    assert tick(house) == pytest.approx(min(due_at - clock(), 1.0), abs=0.001)


def test_the_first_ready_starts_a_countdown(house: House, clock: Clock) -> None:
    party = begin(house, 2, rounds=2)
    party.pass_round()
    clock.advance(1000)
    assert tick(house) == 1.0
    assert party.due_at() is None
    party.write(play.set_ready, 1)
    assert party.due_at() == clock() + play.COUNTDOWN
    clock.advance(play.COUNTDOWN - 0.5)
    tick(house)
    assert party.look().is_scoring
    clock.advance(0.5)
    tick(house)
    room = party.look()
    assert room.sheet
    assert (room.stage, room.sheet.number) == ("playing", 2)


def test_another_ready_does_not_put_the_countdown_off(house: House, clock: Clock) -> None:
    party = begin(house, 3, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 1)
    due_at = party.due_at()
    clock.advance(20)
    party.write(play.set_ready, 2)
    assert party.due_at() == due_at


def test_what_is_due_happens_once_however_many_attend(open_house: OpenHouse, database_url: str, clock: Clock) -> None:
    """On PostgreSQL by two houses, as two processes do."""
    first = open_house(database_url)
    houses = [first] if first.database.is_sqlite else [first, open_house(database_url)]
    party = begin(first, 1, bots=2, level="good", pace="brisk")
    table_id = party.row.id
    for _ in range(8):
        if party.turn():
            party.move(random.Random(1))
        clock.advance(2)
        before = len(seats_that_moved(party))
        start = threading.Barrier(8)

        def attend(house: House, start: threading.Barrier = start) -> None:
            start.wait(_PATIENCE)
            house.write(play.attend, table_id)

        threads = [threading.Thread(target=attend, args=(houses[n % len(houses)],)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_PATIENCE)
        assert len(seats_that_moved(party)) == before + 1


def test_everything_goes_on_after_a_restart(open_house: OpenHouse, database_url: str, clock: Clock) -> None:
    party = begin(open_house(database_url), 1, bots=1, pace="relaxed")
    waiting = begin(party.house, 2, rounds=2)
    waiting.pass_round()
    waiting.write(play.set_ready, 2)
    party.move()
    if party.house.database.is_sqlite:
        party.house.writer.close()
    clock.advance(3600)
    restarted = open_house(database_url)
    tick(restarted)
    assert seats_that_moved(Party(restarted, party.slug, party.guests)) == [1, 2]
    assert Party(restarted, waiting.slug, waiting.guests).look().is_playing


def test_a_table_that_cannot_be_attended_keeps_no_other_waiting(
    house: House, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = begin(house, 1, bots=1, pace="brisk"), begin(house, 1, bots=1, pace="brisk")
    broken.move()
    sound.move()

    def break_it(_house: House, transaction: Transaction, /) -> None:
        where = models.Table.id == broken.row.id
        transaction.connection.execute(update(models.Table).where(where).values(game="forgotten", due_at=1.0))

    house.write(break_it)
    house.replays = Replays()
    clock.advance(5)
    assert tick(house) == 1.0  # and it does not spin
    assert seats_that_moved(sound) == [1, 2]
    assert "slipped" in caplog.text


def test_a_table_of_bots_alone_plays_to_the_end(open_house: OpenHouse, sqlite_url: str, clock: Clock) -> None:
    house = open_house(sqlite_url)
    party = gather(house, 1, seats=2, rounds=2)
    party.write(tables.leave_seat, 1)
    party.write(tables.fill_seats, 1, "easy")
    party.write(tables.start, 1)
    while not party.look().is_finished:
        version = party.version
        clock.advance(play.COUNTDOWN)
        tick(house)
        assert party.version > version


def test_instant_bots_play_a_tournament_without_stopping_the_loop(open_house: OpenHouse, sqlite_url: str) -> None:
    house = open_house(sqlite_url)
    house.now = time.time
    party = gather(house, 1, seats=3, rounds=3, must_play=True, auto_pass=True)
    party.write(tables.fill_seats, 1, "good")
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.005)
            beats += 1

    def alice() -> bool:
        if party.turn():
            party.move()
        elif party.look().is_scoring:
            party.everybody_is_ready()
        return party.look().is_finished

    async def tournament() -> None:
        house.wakeups.attach(asyncio.get_running_loop())
        clockwork = Clockwork(house)
        clockwork.start()
        heart = asyncio.create_task(beat())
        party.write(tables.start, 1)
        async with asyncio.timeout(_PATIENCE):
            while not await asyncio.to_thread(alice):
                seen = party.version
                if not party.turn() and party.look().is_playing:
                    await house.wakeups.wait(party.slug, seen, _PATIENCE)
        heart.cancel()
        await clockwork.stop()

    asyncio.run(tournament())
    assert party.look().is_finished
    assert beats > 20


def test_the_clockwork_stops_after_what_is_being_done(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, leave, done = threading.Event(), threading.Event(), threading.Event()

    def attend_due(_self: Clockwork) -> float:
        entered.set()
        assert leave.wait(_PATIENCE)
        done.set()
        return 60.0

    monkeypatch.setattr(Clockwork, "_attend_due", attend_due)

    async def story() -> None:
        clockwork = Clockwork(house)
        clockwork.start()
        await asyncio.to_thread(entered.wait, _PATIENCE)
        stopping = asyncio.create_task(clockwork.stop())
        await asyncio.sleep(0.01)
        leave.set()
        await stopping
        assert done.is_set()

    asyncio.run(story())


def test_the_first_look_gives_back_what_an_outage_took_and_calls_the_roll(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    party.write(absence.set_clock, 1, ClockRules("brisk", "move"))
    house.write(pulse.beat)
    clock.advance(3600)
    house.presence.ask(party.slug, party.guests[1].token)
    clockwork = Clockwork(house)
    clockwork._attend_due()
    assert party.look().seats[0].left == 30 + int(pulse.GRACE)
    for _ in range(100):
        clock.advance(pulse.OUTAGE)
        clockwork._beat()
    clockwork._call_roll()
    assert [seat.is_here for seat in party.look().seats] == [False, True]
    for _ in range(30):
        clock.advance(pulse.OUTAGE)
        clockwork._beat()
    clockwork._call_roll()
    assert party.look().seats[1].is_host  # the host has vanished
    clockwork._attend_due()
    assert seats_that_moved(party) == [1]


def test_a_process_that_slept_gives_back_the_time_before_it_looks_around(house: House, clock: Clock) -> None:
    party = begin(house, 2, rounds=2)
    party.write(absence.set_clock, 1, ClockRules("brisk", "move"))
    clockwork = Clockwork(house)
    clockwork._beat()
    for waking in (clockwork._attend_due, clockwork._call_roll, clockwork._beat):
        clock.advance(3600)
        waking()
        seats = party.look().seats
        assert seats[0].left
        assert [seat.is_here for seat in seats] == [True, True]
        assert seats[0].is_host
    assert seats_that_moved(party) == []


def test_a_room_that_is_stopped_beats_a_last_time(house: House, clock: Clock) -> None:
    async def story() -> None:
        clockwork = Clockwork(house)
        clockwork.start()
        await asyncio.sleep(0.05)
        clock.advance(2)
        await clockwork.stop()

    asyncio.run(story())
    with house.database.reading() as connection:
        assert connection.execute(select(models.Pulse.at)).scalar_one() == clock()


def test_a_restart_within_a_short_clock_costs_nobody_time(settings: Settings) -> None:
    def due_at(party: Party) -> float:
        row = select(models.Seat.due_at).where(models.Seat.table_id == party.row.id, models.Seat.number == 1)
        with party.house.database.reading() as connection:
            return float(connection.execute(row).scalar_one() or 0.0)

    with serving(settings) as before:
        party = begin(before.house, 2)
        party.write(absence.set_clock, 1, ClockRules("brisk", "move"))
        running = due_at(party)
    time.sleep(3)
    with serving(settings) as after:
        party = Party(after.house, party.slug, party.guests)
        until = time.monotonic() + _PATIENCE
        while due_at(party) == running and time.monotonic() < until:
            time.sleep(0.02)
        assert due_at(party) - running >= 3


def test_a_roll_that_cannot_be_called_keeps_no_clock_waiting(
    house: House, clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = begin(house, 1, bots=1, pace="brisk")
    party.move()
    clock.advance(2)
    monkeypatch.setattr(company, "open_pages", lambda _house, _connection: {"gone": [1]})

    async def story() -> None:
        clockwork = Clockwork(house)
        clockwork.start()
        async with asyncio.timeout(_PATIENCE):
            while "could not call the roll" not in caplog.text or seats_that_moved(party) != [1, 2]:
                await asyncio.sleep(0.01)
        await clockwork.stop()

    asyncio.run(story())
