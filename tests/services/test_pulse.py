"""The room's pulse: an outage costs nobody clock time."""

import pytest
from sqlalchemy import select

from app import models
from app.services import absence, company, play, pulse, tournaments
from app.services.clocks import ClockRules
from app.services.hours import DAY, Hours
from app.services.house import House
from tests.conftest import Clock
from tests.factories import begin, nothing_changes, welcome
from tests.services.test_clocks import BOT, MOVE, WAIT, attend, clocked, lefts
from tests.services.test_tournaments import plan


def test_after_an_outage_clocks_go_on_where_they_stood_with_a_little_grace(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    clock.advance(10)
    house.write(pulse.beat)
    clock.advance(3600)
    house.write(pulse.beat)
    assert lefts(party) == [20 + int(pulse.GRACE), None]
    with nothing_changes(house.database):
        attend(party)
    clock.advance(20 + pulse.GRACE)
    attend(party)
    assert party.moves()[-1].seat == 1


def test_a_clock_that_had_run_out_before_the_outage_is_attended_soon_after(house: House, clock: Clock) -> None:
    party = clocked(house, 2, BOT)
    clock.advance(40)
    house.write(pulse.beat)
    clock.advance(3600)
    house.write(pulse.beat)
    assert lefts(party) == [int(pulse.GRACE), None]


def test_a_short_outage_is_given_back_too(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    clock.advance(10)
    house.write(pulse.beat)
    clock.advance(3)
    house.write(pulse.attend, party.row.id)  # before anybody has beaten again
    assert lefts(party) == [20 + 3, None]


def test_a_longer_outage_than_the_clock_moves_nobody(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    clock.advance(10)
    house.write(pulse.beat)
    clock.advance(35)
    house.write(pulse.attend, party.row.id)
    assert lefts(party) == [20 + int(pulse.GRACE), None]
    assert not [move for move in party.moves() if move.seat]


def test_where_another_process_ran_there_was_no_outage(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    for _ in range(4):
        house.write(pulse.beat)
        clock.advance(pulse.OUTAGE)
    house.write(pulse.beat)
    assert lefts(party) == [20, None]
    clock.advance(35)
    house.write(pulse.beat)
    clock.advance(2)
    house.write(pulse.beat)  # a second process at the same start
    assert lefts(party) == [20 + int(pulse.GRACE) - 2, None]


@pytest.mark.parametrize("step", [3600, -3600])
def test_a_wall_clock_that_is_set_moves_nobody_and_stops_nobody(house: House, clock: Clock, step: int) -> None:
    party, bots = clocked(house, 2, MOVE), begin(house, 1, bots=1, pace="brisk")
    bots.move()
    thinks = bots.due_at()
    assert thinks
    thinks -= clock()
    house.write(pulse.beat)
    clock.advance(step)
    house.write(pulse.attend, party.row.id)
    assert lefts(party) == [30 + (int(pulse.GRACE) if step > 0 else 0), None]
    assert bots.due_at() is not None
    clock.advance(thinks)
    house.write(pulse.attend, bots.row.id)
    assert bots.moves()[-1].seat == 2


def test_clocks_of_two_machines_may_differ_a_little(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    versions = party.version
    house.write(pulse.beat)
    for _ in range(5):
        clock.advance(-pulse.SET_BACK)  # the other one's
        house.write(pulse.beat)
        clock.advance(pulse.SET_BACK + 1)
        house.write(pulse.beat)
    assert (lefts(party), party.version) == ([25, None], versions)


def test_clocks_that_a_table_runs_by_the_hour_go_on_by_the_hour(house: House, clock: Clock) -> None:
    opens = int(clock() % 86400 // 60)
    hours = Hours(opens, (opens + 60) % DAY, "UTC")
    party = clocked(house, 2, ClockRules("brisk", "move", hours))
    house.write(pulse.beat)
    clock.advance(2 * 3600)
    house.write(pulse.beat)
    assert lefts(party) == [30, None]
    due_at = party.due_at()
    assert due_at
    assert due_at > clock() + 20 * 3600  # tomorrow


def test_countdowns_and_tournaments_go_on_where_they_stood(house: House, clock: Clock) -> None:
    party = begin(house, 2, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 1)
    host = welcome(house, "Host")
    house.write(tournaments.open_tournament, host.id, "Cup", plan(), "time", 5)
    house.write(pulse.beat)
    clock.advance(3600)
    house.write(pulse.attend, party.row.id)
    assert party.due_at() == clock() + play.COUNTDOWN
    with house.database.reading() as connection:
        assert connection.execute(select(models.Tournament.due_at)).scalar_one() == clock() + 300


def test_nobody_counts_as_gone_for_an_outage(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    house.write(pulse.beat)
    clock.advance(3600)
    house.write(pulse.beat)
    house.write(company.call_roll, party.slug, [party.guests[1].id])
    seats = party.look().seats
    assert [seat.is_here for seat in seats] == [True, True]
    assert seats[0].is_host


def test_the_first_start_gives_nothing_back(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    clock.advance(10)
    house.write(pulse.beat)
    assert lefts(party) == [20, None]


def test_paused_games_and_games_without_a_clock_are_left_alone(house: House, clock: Clock) -> None:
    paused, clockless, waiting = clocked(house, 2, MOVE), begin(house, 2), clocked(house, 2, WAIT)
    paused.write(absence.pause, 1)
    house.write(pulse.beat)
    clock.advance(3600)
    versions = [party.version for party in (paused, clockless, waiting)]
    house.write(pulse.beat)
    assert lefts(paused) == [30, None]
    assert [party.version for party in (paused, clockless, waiting)] == [versions[0], versions[1], versions[2] + 1]
    assert waiting.due_at() is None
    paused.write(absence.resume, 1)
    assert lefts(paused) == [30, None]
