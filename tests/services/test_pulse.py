"""The room's pulse: an outage costs nobody clock time."""

from app.services import absence, company, pulse
from app.services.house import House
from tests.conftest import Clock
from tests.factories import begin, nothing_changes
from tests.services.test_clocks import BOT, MOVE, WAIT, attend, clocked, lefts


def test_after_an_outage_clocks_go_on_where_they_stood_with_a_little_grace(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    clock.advance(10)
    house.write(pulse.beat)
    clock.advance(3600)
    house.write(pulse.wake_up)
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
    house.write(pulse.wake_up)
    assert lefts(party) == [int(pulse.GRACE), None]


def test_where_another_process_ran_there_was_no_outage(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    clock.advance(10)
    house.write(pulse.beat)
    clock.advance(pulse.OUTAGE - 1)
    house.write(pulse.wake_up)
    assert lefts(party) == [0, None]
    clock.advance(100)
    house.write(pulse.wake_up)
    clock.advance(20)
    house.write(pulse.wake_up)  # a second process at the same start
    assert lefts(party) == [0, None]


def test_nobody_counts_as_gone_for_an_outage(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    house.write(pulse.beat)
    clock.advance(3600)
    house.write(pulse.wake_up)
    house.write(company.call_roll, party.slug, [party.guests[1].id])
    seats = party.look().seats
    assert [seat.is_here for seat in seats] == [True, True]
    assert seats[0].is_host


def test_the_first_start_gives_nothing_back(house: House, clock: Clock) -> None:
    party = clocked(house, 2, MOVE)
    clock.advance(10)
    house.write(pulse.wake_up)
    assert lefts(party) == [20, None]


def test_paused_games_and_games_without_a_clock_are_left_alone(house: House, clock: Clock) -> None:
    paused, clockless, waiting = clocked(house, 2, MOVE), begin(house, 2), clocked(house, 2, WAIT)
    paused.write(absence.pause, 1)
    house.write(pulse.beat)
    clock.advance(3600)
    versions = [party.version for party in (paused, clockless, waiting)]
    house.write(pulse.wake_up)
    assert lefts(paused) == [30, None]
    assert [party.version for party in (paused, clockless, waiting)] == [versions[0], versions[1], versions[2] + 1]
    assert waiting.due_at() is None
    paused.write(absence.resume, 1)
    assert lefts(paused) == [30, None]
