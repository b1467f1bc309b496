"""The room's heartbeat: neither an outage nor a clock that is set costs anybody time or keeps anybody waiting."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from app.jobs import heartbeat
from app.services.context import AppContext
from app.services.idempotent import KEPT, idempotent
from app.services.play import play
from app.services.room_time import EVERY, OUTAGE
from app.services.seats import pause, presence
from app.services.table.clocks import COUNTDOWN, ClockRules, moment_of
from app.services.table.hours import DAY, Hours
from app.services.talk import chat
from app.services.tournaments import stages
from app.storage import models
from tests.conftest import Clock, OpenContext
from tests.factories import begin, nothing_changes, welcome
from tests.services.table.test_clocks import BOT, MOVE, WAIT, attend, clocked, lefts
from tests.services.tournaments.test_stages import plan

GRACE = int(heartbeat.GRACE)


def run_for(context: AppContext, clock: Clock, seconds: int) -> None:
    """The room is open so long."""
    for _ in range(seconds):
        clock.advance(1)
        context.write(heartbeat.beat)


def restarted(context: AppContext, open_context: OpenContext) -> AppContext:
    """Another process, which has just begun, on the same database."""
    after = open_context(context.database.writer.url.render_as_string(hide_password=False))
    after.write(heartbeat.beat)
    return after


def test_while_the_room_is_open_its_time_is_that_of_the_wall(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    context.write(heartbeat.beat)
    run_for(context, clock, 29)
    assert lefts(party) == [1, None]
    assert context.room_time() == clock()
    with nothing_changes(context.database):
        attend(party)
    run_for(context, clock, 1)
    attend(party)
    assert party.moves()[-1].seat == 1


@pytest.mark.parametrize("outage", [1, 3, 10, 35, 3600])
def test_a_restart_costs_nobody_a_second_however_long_it_takes(
    open_context: OpenContext, context: AppContext, clock: Clock, outage: int
) -> None:
    party = clocked(context, 2, MOVE)
    context.write(heartbeat.beat)
    run_for(context, clock, 10)
    clock.advance(outage)
    party = replace(party, context=restarted(context, open_context))
    grace = 0 if outage < OUTAGE else min(outage, GRACE)
    assert lefts(party) == [20 + grace, None]
    with nothing_changes(context.database):
        attend(party)
    run_for(party.context, clock, 20 + grace)
    attend(party)
    assert party.moves()[-1].seat == 1


def test_what_had_nearly_run_out_before_a_crash_leaves_time_to_come_back(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    party = clocked(context, 2, BOT)
    context.write(heartbeat.beat)
    run_for(context, clock, 29)
    clock.advance(3600)
    assert lefts(replace(party, context=restarted(context, open_context))) == [1 + GRACE, None]


def test_a_process_that_was_stopped_or_cut_off_has_not_let_time_pass(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    context.write(heartbeat.beat)
    run_for(context, clock, 10)
    clock.advance(35)
    with nothing_changes(context.database):
        attend(party)  # before anybody has beaten again
    assert lefts(party) == [20 - int(EVERY), None]
    context.write(heartbeat.beat)
    assert lefts(party) == [20 - int(EVERY) + GRACE, None]
    run_for(context, clock, 5)
    assert lefts(party) == [15 - int(EVERY) + GRACE, None]


def test_where_another_process_ran_there_was_no_outage(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    party = clocked(context, 2, MOVE)
    context.write(heartbeat.beat)
    other = restarted(context, open_context)
    run_for(other, clock, 10)
    context.write(heartbeat.beat)
    assert (lefts(party), context.room_time()) == ([20, None], other.room_time())


def test_who_was_stopped_acts_by_the_time_that_others_have_kept(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    party = clocked(context, 2, MOVE)
    context.write(heartbeat.beat)
    other = restarted(context, open_context)
    run_for(other, clock, 25)
    party.write(pause.set_clock, 1, ClockRules("brisk"))
    assert lefts(replace(party, context=other)) == [30, None]


@pytest.mark.parametrize("step", [3600, -3600, 5, -5])
def test_a_wall_clock_that_is_set_moves_nobody_and_stops_nobody(context: AppContext, clock: Clock, step: int) -> None:
    party, bots = clocked(context, 2, MOVE), begin(context, 1, bots=1, pace="brisk")
    context.write(heartbeat.beat)
    bots.move()
    clock.step += step
    context.write(heartbeat.beat)
    assert lefts(party) == [30 + (GRACE if step > heartbeat.APART else 0), None]
    run_for(context, clock, 2)
    attend(bots)
    assert bots.moves()[-1].seat == 2
    assert lefts(party) == [28 + (GRACE if step > heartbeat.APART else 0), None]


def test_a_laptop_that_slept_goes_on_where_it_stood(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    context.write(heartbeat.beat)
    run_for(context, clock, 10)
    clock.step += 8 * 3600
    attend(party)
    context.write(heartbeat.beat)
    assert lefts(party) == [20 + GRACE, None]


def test_wall_clocks_of_two_machines_may_differ_a_little(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    party = clocked(context, 2, MOVE)
    context.write(heartbeat.beat)
    other = restarted(context, open_context)
    other.now = lambda: clock() - 8
    versions = party.version
    for _ in range(5):
        run_for(context, clock, 1)
        other.write(heartbeat.beat)
    assert (lefts(party), party.version) == ([25, None], versions)


def test_clocks_that_a_table_runs_by_the_hour_go_on_by_the_hour(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    opens = int(clock() % 86400 // 60)
    hours = Hours(opens, (opens + 60) % DAY, "UTC")
    party = clocked(context, 2, ClockRules("brisk", "move", hours))
    context.write(heartbeat.beat)
    clock.advance(2 * 3600)
    party = replace(party, context=restarted(context, open_context))
    assert lefts(party) == [30, None]
    assert _ends_at(party.context, party.row.id) > clock() + 20 * 3600  # tomorrow


def test_hours_follow_a_wall_clock_that_is_put_right(context: AppContext, clock: Clock) -> None:
    opens = int(clock() % 86400 // 60)
    party = clocked(context, 2, ClockRules("brisk", "move", Hours(opens, (opens + 60) % DAY, "UTC")))
    context.write(heartbeat.beat)
    clock.step -= 2 * 3600
    context.write(heartbeat.beat)
    assert lefts(party) == [30, None]
    assert 2 * 3600 - 60 <= _ends_at(context, party.row.id) - clock() <= 2 * 3600 + 30


def _ends_at(context: AppContext, table_id: int) -> float:
    """When the clock of the first seat runs out, as the wall has it."""
    with context.database.reading() as connection:
        ends = connection.execute(select(models.Seat.due_at).where(models.Seat.table_id == table_id)).scalars().all()
    return moment_of(context, next(end for end in ends if end)).wall


def test_countdowns_and_tournaments_go_on_where_they_stood(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 1)
    host = welcome(context, "Host")
    context.write(stages.open_tournament, host.id, "Cup", plan(), {"starts": "time"})
    context.write(heartbeat.beat)
    clock.advance(3600)
    after = restarted(context, open_context)
    assert party.due_at() == after.room_time() + COUNTDOWN
    with context.database.reading() as connection:
        assert connection.execute(select(models.Tournament.due_at)).scalar_one() == after.room_time() + 300


def test_nobody_counts_as_gone_for_an_outage(open_context: OpenContext, context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    context.write(heartbeat.beat)
    clock.advance(3600)
    after = restarted(context, open_context)
    after.write(presence.update_presence, party.slug, [party.guests[1].id])
    seats = replace(party, context=after).look().people.seats
    assert [seat.is_here for seat in seats] == [True, True]
    assert seats[0].is_host


def test_nobody_is_hushed_because_the_clock_was_set_back(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    for _ in range(8):
        party.write(chat.say, 1, "so late already?")
    clock.step -= 3600
    party.write(chat.say, 1, "oh, it is not")
    assert len(party.look().people.seats) == 2


def test_what_was_sent_is_known_for_a_day(context: AppContext, clock: Clock) -> None:
    guest = welcome(context, "Ann")
    once = idempotent(lambda *_: clock(), guest.id, "the same form")
    first = context.write(once)
    clock.advance(KEPT)
    context.write(heartbeat.beat)
    assert context.write(once) == first
    clock.advance(1)
    context.write(heartbeat.beat)
    assert context.write(once) == clock()


def test_the_first_start_gives_nothing_back(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    clock.advance(10)
    context.write(heartbeat.beat)
    assert lefts(party) == [20, None]


def test_paused_games_and_games_without_a_clock_are_left_alone(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    paused, clockless, waiting = clocked(context, 2, MOVE), begin(context, 2), clocked(context, 2, WAIT)
    paused.write(pause.pause, 1)
    context.write(heartbeat.beat)
    clock.advance(3600)
    versions = [party.version for party in (paused, clockless, waiting)]
    after = restarted(context, open_context)
    paused, clockless, waiting = (replace(party, context=after) for party in (paused, clockless, waiting))
    assert lefts(paused) == [30, None]
    assert [party.version for party in (paused, clockless, waiting)] == [versions[0], versions[1], versions[2] + 1]
    assert waiting.due_at() is None
    paused.write(pause.resume, 1)
    assert lefts(paused) == [30, None]
