"""Due times: what is due happens in time and once, whoever looks after it, also after a restart."""

import asyncio
import random
import threading
import time

import pytest
from sqlalchemy import event, select, update

from app.jobs import heartbeat
from app.jobs.scheduler import Scheduler
from app.services.context import AppContext
from app.services.play import play
from app.services.queries.table_page import is_at_hand
from app.services.room_time import EVERY, OUTAGE, RoomTime
from app.services.seats import pause, presence
from app.services.seats import seats as seats_service
from app.services.table.clocks import COUNTDOWN, ClockRules
from app.services.table.rounds import RoundCache
from app.settings import Settings
from app.storage import models
from app.storage.writer import Transaction
from tests.conftest import Clock, OpenContext
from tests.factories import Party, begin, gather, nothing_changes
from tests.servers import serving
from tests.statements import asked
from tests.waiters import wait

_PATIENCE = 30.0


def tick(context: AppContext) -> float:
    """One look of the scheduler; gives the seconds until the next one."""
    return Scheduler(context)._run_due()


def seats_that_moved(party: Party) -> list[int]:
    """Who made the moves of the table's rounds, in order, without the dealer."""
    return [row.seat for row in party.moves() if row.seat]


@pytest.mark.parametrize(("pace", "shortest", "longest"), [("brisk", 0.5, 1.1), ("relaxed", 1.2, 2.6)])
def test_a_bot_moves_when_it_has_thought_and_not_before(
    context: AppContext, clock: Clock, pace: str, shortest: float, longest: float
) -> None:
    party = begin(context, 1, bots=1, pace=pace)
    assert party.due_at() is None  # it is Alice's turn
    party.move()
    due_at = party.due_at()
    assert due_at
    assert shortest <= due_at - clock() <= longest
    clock.time = due_at - 0.001
    with nothing_changes(context.database):
        assert 0 < tick(context) <= 0.002
    assert seats_that_moved(party) == [1]
    clock.time = due_at
    assert tick(context) == 1.0
    assert seats_that_moved(party) == [1, 2]
    assert party.turn()


def test_due_tables_share_commits_and_leave_room_for_a_players_move(
    open_context: OpenContext, sqlite_url: str, clock: Clock
) -> None:
    context = open_context(sqlite_url)
    parties = [begin(context, 1, bots=1, pace="brisk") for _ in range(20)]
    for party in parties:
        party.move()
    clock.advance(2)
    commits: list[int] = []
    event.listen(context.database.writer, "commit", lambda _connection: commits.append(1))
    tick(context)
    assert all(party.turn() for party in parties)
    assert 3 <= len(commits) < 20  # eight at a time


def test_a_bots_move_asks_the_database_for_nothing_and_leaves_the_table_at_hand(
    open_context: OpenContext, sqlite_url: str, clock: Clock
) -> None:
    context = open_context(sqlite_url)
    context.database.own()
    parties = [begin(context, 1, bots=2, pace="brisk") for _ in range(3)]
    for party in parties:
        party.move()
    for _ in range(2):
        clock.advance(1.5)
        context.write(heartbeat.beat)
        with asked(context, lambda statement: statement.startswith(("SELECT", "INSERT", "UPDATE"))) as statements:
            tick(context)
    looks = [statement for statement in statements if statement.startswith("SELECT")]
    assert len(looks) == 2, "what is due, and what will be next"
    changes = [word for statement in statements if statement not in looks for word in statement.split()[:3]]
    assert changes == 3 * ["INSERT", "INTO", "moves", "UPDATE", "seats", "SET", "UPDATE", "tables", "SET"]
    assert [seats_that_moved(party) for party in parties] == [[1, 2, 3]] * 3
    assert all(is_at_hand(context, party.slug) for party in parties)


def test_a_host_with_many_tables_does_not_keep_one_with_a_single_table_waiting(
    context: AppContext, clock: Clock
) -> None:
    crowd = [begin(context, 1, bots=1, pace="brisk") for _ in range(12)]
    for party in crowd:
        party.move()
    context.write(_give_all_to, crowd[0].guests[0].id)
    clock.advance(3)
    single = begin(context, 1, bots=1, pace="brisk")
    single.move()
    clock.advance(2)
    due, _, _ = Scheduler(context)._find_due()
    assert due.index(single.slug) == 1
    assert set(due) == {party.slug for party in (*crowd, single)}


def test_who_becomes_due_while_a_crowd_is_attended_waits_for_a_few_of_them_only(
    open_context: OpenContext, sqlite_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = open_context(sqlite_url)
    crowd = [begin(context, 1, bots=1, pace="brisk") for _ in range(36)]
    for party in crowd:
        party.move()
    context.write(_give_all_to, crowd[0].guests[0].id)
    clock.advance(1.2)
    single = begin(context, 1, bots=1, pace="brisk")
    single.move()
    context.write(heartbeat.beat)
    attended: list[str | int] = []

    def attend(context: AppContext, transaction: Transaction, which: str | int) -> None:
        if not attended:
            clock.advance(1.2)
        attended.append(which)
        run_due(context, transaction, which)

    run_due = play.run_due
    monkeypatch.setattr(play, "run_due", attend)
    while single.slug not in attended:
        tick(context)
    assert attended.index(single.slug) <= 24


def _give_all_to(_context: AppContext, transaction: Transaction, host_id: int) -> None:
    transaction.connection.execute(update(models.Table).values(host_id=host_id))


def test_nothing_is_looked_for_before_it_is_due(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    context.now, context.passed = time.time, time.monotonic
    context.room_time = RoomTime(context.now, context.passed)
    looks: list[float] = []

    def run_due(_self: Scheduler) -> float:
        looks.append(time.time())
        return 1.0

    monkeypatch.setattr(Scheduler, "_run_due", run_due)

    async def story() -> float:
        context.pubsub.attach(asyncio.get_running_loop())
        scheduler = Scheduler(context)
        scheduler.start()
        while not looks:
            await asyncio.sleep(0.01)
        soon = time.time() + 0.4
        for _ in range(20):
            context.pubsub.announce("a table", 1, soon)
            await asyncio.sleep(0.01)
        assert len(looks) == 1
        while len(looks) == 1:
            await asyncio.sleep(0.01)
        await scheduler.stop()
        return looks[1] - soon

    assert asyncio.run(story()) >= 0


def test_bots_think_for_different_lengths_of_time(context: AppContext, clock: Clock) -> None:
    party = begin(context, 1, bots=3, pace="relaxed", rounds=9)
    thoughts: set[float] = set()
    party.move()
    while len(thoughts) < 6:
        if party.turn():
            party.move(-1)
        due_at = party.due_at()
        assert due_at
        thoughts.add(due_at - clock())
        clock.advance(3)
        tick(context)
    assert len(thoughts) == 6


def test_nothing_is_due_where_only_people_are_to_act(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    clock.advance(1_000_000)
    with nothing_changes(context.database):
        assert tick(context) == 1.0
        context.write(play.run_due, party.row.id)


def test_the_next_look_is_when_something_is_due(context: AppContext, clock: Clock) -> None:
    party = begin(context, 1, bots=1, pace="brisk")
    party.move()
    due_at = party.due_at()
    assert due_at
    assert tick(context) == pytest.approx(min(due_at - clock(), 1.0), abs=0.001)


def test_the_first_ready_starts_a_countdown(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    clock.advance(1000)
    assert tick(context) == 1.0
    assert party.due_at() is None
    party.write(play.set_ready, 1)
    assert party.due_at() == clock() + COUNTDOWN
    clock.advance(COUNTDOWN - 0.5)
    tick(context)
    assert party.look().table.is_scoring
    clock.advance(0.5)
    tick(context)
    page = party.look()
    assert page.board.sheet
    assert (page.table.status, page.board.sheet.number) == ("playing", 2)


def test_another_ready_does_not_put_the_countdown_off(context: AppContext, clock: Clock) -> None:
    party = begin(context, 3, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 1)
    due_at = party.due_at()
    clock.advance(20)
    party.write(play.set_ready, 2)
    assert party.due_at() == due_at


def test_what_is_due_happens_once_however_many_attend(
    open_context: OpenContext, database_url: str, clock: Clock
) -> None:
    """On PostgreSQL by two houses, as two processes do."""
    first = open_context(database_url)
    contexts = [first] if first.database.is_sqlite else [first, open_context(database_url)]
    party = begin(first, 1, bots=2, level="steady", pace="brisk")
    table_id = party.row.id
    for _ in range(8):
        if party.turn():
            party.move(random.Random(1))
        clock.advance(2)
        before = len(seats_that_moved(party))
        start = threading.Barrier(8)

        def attend(context: AppContext, start: threading.Barrier = start) -> None:
            start.wait(_PATIENCE)
            context.write(play.run_due, table_id)

        threads = [threading.Thread(target=attend, args=(contexts[n % len(contexts)],)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_PATIENCE)
        assert len(seats_that_moved(party)) == before + 1


def test_everything_goes_on_after_a_restart(open_context: OpenContext, database_url: str, clock: Clock) -> None:
    party = begin(open_context(database_url), 1, bots=1, pace="relaxed")
    waiting = begin(party.context, 2, rounds=2)
    waiting.pass_round()
    waiting.write(play.set_ready, 2)
    party.move()
    if party.context.database.is_sqlite:
        party.context.writer.close()
    clock.advance(3600)
    restarted = open_context(database_url)
    tick(restarted)
    assert seats_that_moved(Party(restarted, party.slug, party.guests)) == [1, 2]
    assert Party(restarted, waiting.slug, waiting.guests).look().table.is_playing


def test_a_table_that_cannot_be_attended_keeps_no_other_waiting(
    context: AppContext, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = begin(context, 1, bots=1, pace="brisk"), begin(context, 1, bots=1, pace="brisk")
    broken.move()
    sound.move()

    def break_it(_context: AppContext, transaction: Transaction, /) -> None:
        where = models.Table.id == broken.row.id
        transaction.connection.execute(update(models.Table).where(where).values(game="forgotten", due_at=1.0))

    context.write(break_it)
    context.rounds = RoundCache()
    clock.advance(5)
    assert tick(context) == 1.0  # and it does not spin
    assert seats_that_moved(sound) == [1, 2]
    tick(context)
    assert caplog.text.count("is frozen") == 1


def test_a_table_of_bots_alone_plays_to_the_end(open_context: OpenContext, sqlite_url: str, clock: Clock) -> None:
    context = open_context(sqlite_url)
    party = gather(context, 1, seats=2, rounds=2)
    party.write(seats_service.leave_seat, 1)
    party.write(seats_service.fill_seats, 1, "gentle")
    party.write(seats_service.start, 1)
    while not party.look().table.is_finished:
        version = party.version
        clock.advance(COUNTDOWN)
        tick(context)
        assert party.version > version


@pytest.mark.dear(0.6, "a whole tournament")
def test_instant_bots_play_a_tournament_without_stopping_the_loop(open_context: OpenContext, sqlite_url: str) -> None:
    context = open_context(sqlite_url)
    context.now, context.passed = time.time, time.monotonic
    context.room_time = RoomTime(context.now, context.passed)
    party = gather(context, 1, seats=3, rounds=3, must_play=True, auto_pass=True)
    party.write(seats_service.fill_seats, 1, "steady")
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.005)
            beats += 1

    def alice() -> bool:
        if party.turn():
            party.move()
        elif party.look().table.is_scoring:
            party.everybody_is_ready()
        return party.look().table.is_finished

    async def tournament() -> None:
        context.pubsub.attach(asyncio.get_running_loop())
        scheduler = Scheduler(context)
        scheduler.start()
        heart = asyncio.create_task(beat())
        party.write(seats_service.start, 1)
        async with asyncio.timeout(_PATIENCE):
            while not await asyncio.to_thread(alice):
                seen = party.version
                if not party.turn() and party.look().table.is_playing:
                    await wait(context.pubsub, party.slug, seen, _PATIENCE)
        heart.cancel()
        await scheduler.stop()

    asyncio.run(tournament())
    assert party.look().table.is_finished
    assert beats > 20


def test_the_scheduler_stops_after_what_is_being_done(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, leave, done = threading.Event(), threading.Event(), threading.Event()

    def run_due(_self: Scheduler) -> float:
        entered.set()
        assert leave.wait(_PATIENCE)
        done.set()
        return 60.0

    monkeypatch.setattr(Scheduler, "_run_due", run_due)

    async def story() -> None:
        scheduler = Scheduler(context)
        scheduler.start()
        await asyncio.to_thread(entered.wait, _PATIENCE)
        stopping = asyncio.create_task(scheduler.stop())
        await asyncio.sleep(0.01)
        leave.set()
        await stopping
        assert done.is_set()

    asyncio.run(story())


def test_the_first_look_gives_back_what_an_outage_took_and_calls_the_roll(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    party.write(pause.set_clock, 1, ClockRules("brisk", "move"))
    context.write(heartbeat.beat)
    clock.advance(3600)
    context.presence.ask(party.slug, party.guests[1].token)
    scheduler = Scheduler(context)
    scheduler._run_due()
    assert party.look().clock.left[1] == 30 - int(EVERY)
    scheduler._beat()
    assert party.look().clock.left[1] == 30 - int(EVERY) + int(heartbeat.GRACE)
    for _ in range(100):
        clock.advance(OUTAGE)
        scheduler._beat()
    scheduler._update_presence()
    assert [seat.is_here for seat in party.look().people.seats] == [False, True]
    for _ in range(30):
        clock.advance(OUTAGE)
        scheduler._beat()
    scheduler._update_presence()
    assert party.look().people.seats[1].is_host  # the host has vanished
    scheduler._run_due()
    assert seats_that_moved(party) == [1]


def test_a_process_that_slept_gives_back_the_time_before_it_looks_around(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=2)
    party.write(pause.set_clock, 1, ClockRules("brisk", "move"))
    scheduler = Scheduler(context)
    scheduler._beat()
    for waking in (scheduler._run_due, scheduler._update_presence, scheduler._beat):
        clock.advance(3600)
        waking()
        page = party.look()
        seats = page.people.seats
        assert page.clock.left[1]
        assert [seat.is_here for seat in seats] == [True, True]
        assert seats[0].is_host
    assert seats_that_moved(party) == []


def test_a_room_that_is_stopped_beats_a_last_time(context: AppContext, clock: Clock) -> None:
    async def story() -> None:
        scheduler = Scheduler(context)
        scheduler.start()
        await asyncio.sleep(0.05)
        clock.advance(2)
        await scheduler.stop()

    asyncio.run(story())
    with context.database.reading() as connection:
        assert connection.execute(select(models.Heartbeat.at)).scalar_one() == clock()


def test_a_restart_within_a_short_clock_costs_nobody_time(settings: Settings) -> None:
    def due_at(party: Party) -> float:
        row = select(models.Seat.due_at).where(models.Seat.table_id == party.row.id, models.Seat.number == 1)
        with party.context.database.reading() as connection:
            return float(connection.execute(row).scalar_one() or 0.0)

    with serving(settings) as before:
        party = begin(before.context, 2)
        party.write(pause.set_clock, 1, ClockRules("brisk", "move"))
        running = due_at(party)
    time.sleep(3)
    with serving(settings) as after:
        party = Party(after.context, party.slug, party.guests)
        until = time.monotonic() + _PATIENCE
        while due_at(party) == running and time.monotonic() < until:
            time.sleep(0.02)
        assert due_at(party) - running >= 3


def test_a_roll_that_cannot_be_called_keeps_no_clock_waiting(
    context: AppContext, clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = begin(context, 1, bots=1, pace="brisk")
    party.move()
    clock.advance(2)
    monkeypatch.setattr(presence, "open_pages", lambda _context, _connection: {"gone": [1]})

    async def story() -> None:
        scheduler = Scheduler(context)
        scheduler.start()
        async with asyncio.timeout(_PATIENCE):
            while "could not update presence" not in caplog.text or seats_that_moved(party) != [1, 2]:
                await asyncio.sleep(0.01)
        await scheduler.stop()

    asyncio.run(story())
