"""The room's heartbeat: an outage costs nobody clock time."""

import pytest
from sqlalchemy import select

from app.jobs import heartbeat
from app.services.context import AppContext
from app.services.play import play
from app.services.seats import pause, presence
from app.services.table.clocks import COUNTDOWN, ClockRules
from app.services.table.hours import DAY, Hours
from app.services.tournaments import stages
from app.storage import models
from tests.conftest import Clock
from tests.factories import begin, nothing_changes, welcome
from tests.services.table.test_clocks import BOT, MOVE, WAIT, attend, clocked, lefts
from tests.services.tournaments.test_stages import plan


def test_after_an_outage_clocks_go_on_where_they_stood_with_a_little_grace(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    clock.advance(10)
    context.write(heartbeat.beat)
    clock.advance(3600)
    context.write(heartbeat.beat)
    assert lefts(party) == [20 + int(heartbeat.GRACE), None]
    with nothing_changes(context.database):
        attend(party)
    clock.advance(20 + heartbeat.GRACE)
    attend(party)
    assert party.moves()[-1].seat == 1


def test_a_clock_that_had_run_out_before_the_outage_is_attended_soon_after(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, BOT)
    clock.advance(40)
    context.write(heartbeat.beat)
    clock.advance(3600)
    context.write(heartbeat.beat)
    assert lefts(party) == [int(heartbeat.GRACE), None]


def test_a_short_outage_is_given_back_too(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    clock.advance(10)
    context.write(heartbeat.beat)
    clock.advance(3)
    context.write(heartbeat.attend, party.row.id)  # before anybody has beaten again
    assert lefts(party) == [20 + 3, None]


def test_a_longer_outage_than_the_clock_moves_nobody(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    clock.advance(10)
    context.write(heartbeat.beat)
    clock.advance(35)
    context.write(heartbeat.attend, party.row.id)
    assert lefts(party) == [20 + int(heartbeat.GRACE), None]
    assert not [move for move in party.moves() if move.seat]


def test_where_another_process_ran_there_was_no_outage(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    for _ in range(4):
        context.write(heartbeat.beat)
        clock.advance(heartbeat.OUTAGE)
    context.write(heartbeat.beat)
    assert lefts(party) == [20, None]
    clock.advance(35)
    context.write(heartbeat.beat)
    clock.advance(2)
    context.write(heartbeat.beat)  # a second process at the same start
    assert lefts(party) == [20 + int(heartbeat.GRACE) - 2, None]


@pytest.mark.parametrize("step", [3600, -3600])
def test_a_wall_clock_that_is_set_moves_nobody_and_stops_nobody(context: AppContext, clock: Clock, step: int) -> None:
    party, bots = clocked(context, 2, MOVE), begin(context, 1, bots=1, pace="brisk")
    bots.move()
    thinks = bots.due_at()
    assert thinks
    thinks -= clock()
    context.write(heartbeat.beat)
    clock.advance(step)
    context.write(heartbeat.attend, party.row.id)
    assert lefts(party) == [30 + (int(heartbeat.GRACE) if step > 0 else 0), None]
    assert bots.due_at() is not None
    clock.advance(thinks)
    context.write(heartbeat.attend, bots.row.id)
    assert bots.moves()[-1].seat == 2


def test_clocks_of_two_machines_may_differ_a_little(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    versions = party.version
    context.write(heartbeat.beat)
    for _ in range(5):
        clock.advance(-heartbeat.SET_BACK)  # the other one's
        context.write(heartbeat.beat)
        clock.advance(heartbeat.SET_BACK + 1)
        context.write(heartbeat.beat)
    assert (lefts(party), party.version) == ([25, None], versions)


def test_clocks_that_a_table_runs_by_the_hour_go_on_by_the_hour(context: AppContext, clock: Clock) -> None:
    opens = int(clock() % 86400 // 60)
    hours = Hours(opens, (opens + 60) % DAY, "UTC")
    party = clocked(context, 2, ClockRules("brisk", "move", hours))
    context.write(heartbeat.beat)
    clock.advance(2 * 3600)
    context.write(heartbeat.beat)
    assert lefts(party) == [30, None]
    due_at = party.due_at()
    assert due_at
    assert due_at > clock() + 20 * 3600  # tomorrow


def test_countdowns_and_tournaments_go_on_where_they_stood(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 1)
    host = welcome(context, "Host")
    context.write(stages.open_tournament, host.id, "Cup", plan(), "time", 5)
    context.write(heartbeat.beat)
    clock.advance(3600)
    context.write(heartbeat.attend, party.row.id)
    assert party.due_at() == clock() + COUNTDOWN
    with context.database.reading() as connection:
        assert connection.execute(select(models.Tournament.due_at)).scalar_one() == clock() + 300


def test_nobody_counts_as_gone_for_an_outage(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    context.write(heartbeat.beat)
    clock.advance(3600)
    context.write(heartbeat.beat)
    context.write(presence.update_presence, party.slug, [party.guests[1].id])
    seats = party.look().seats
    assert [seat.is_here for seat in seats] == [True, True]
    assert seats[0].is_host


def test_the_first_start_gives_nothing_back(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    clock.advance(10)
    context.write(heartbeat.beat)
    assert lefts(party) == [20, None]


def test_paused_games_and_games_without_a_clock_are_left_alone(context: AppContext, clock: Clock) -> None:
    paused, clockless, waiting = clocked(context, 2, MOVE), begin(context, 2), clocked(context, 2, WAIT)
    paused.write(pause.pause, 1)
    context.write(heartbeat.beat)
    clock.advance(3600)
    versions = [party.version for party in (paused, clockless, waiting)]
    context.write(heartbeat.beat)
    assert lefts(paused) == [30, None]
    assert [party.version for party in (paused, clockless, waiting)] == [versions[0], versions[1], versions[2] + 1]
    assert waiting.due_at() is None
    paused.write(pause.resume, 1)
    assert lefts(paused) == [30, None]
