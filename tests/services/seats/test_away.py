"""What people and hosts do about absence by hand: stand-ins, skipping, replacing, pausing."""

import pytest

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.play import play
from app.services.seats import away, create, hosts, pause, seats
from app.services.table import open_table
from app.services.table.clocks import COUNTDOWN, ClockRules
from tests.conftest import Clock, on_sqlite
from tests.factories import Party, begin, gather, nothing_changes, refused, setup_with, welcome
from tests.services.table.test_clocks import MOVE, ZERO, attend, clocked, last_move, lefts


def test_a_player_steps_away_and_comes_back(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    party.write(away.step_away, 1, 1)
    assert party.look().people.seats[0].is_away
    with nothing_changes(context.database):
        party.write(away.step_away, 1, 1)
    attend(party)
    assert party.moves()[-1].seat == 1
    party.write(away.come_back, 1, 1)
    with nothing_changes(context.database):
        party.write(away.come_back, 1, 1)
    party.move()
    assert lefts(party) == [30, None]


def test_only_hosts_let_bots_play_for_others(context: AppContext) -> None:
    party = begin(context, 3)
    for service in (away.step_away, away.come_back):
        with refused(context, Forbidden):
            party.write(service, 2, 3)
    party.write(away.step_away, 1, 3)
    assert party.look().people.seats[2].is_away
    party.write(hosts.name_cohost, 1, 2, True)
    party.write(away.come_back, 2, 3)
    assert not party.look().people.seats[2].is_away


def test_where_all_players_are_away_the_bots_end_the_round_and_wait(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=2)
    for seat in (1, 2):
        party.write(away.step_away, seat, seat)
    while party.look().table.is_playing:
        attend(party)
    assert party.look().table.is_scoring
    clock.advance(1_000_000)
    with nothing_changes(context.database):
        attend(party)
    party.write(away.come_back, 2, 2)
    page = party.look()
    assert [seat.is_ready for seat in page.people.seats] == [True, False]
    party.write(play.set_ready, 2)
    assert party.look().table.is_playing


def test_between_rounds_nobody_waits_for_who_is_away(context: AppContext) -> None:
    party = begin(context, 3, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 1)
    party.write(play.set_ready, 2)
    party.write(away.step_away, 1, 3)
    assert party.look().table.is_playing


def test_who_is_ready_or_plays_again_is_back(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    party.write(away.step_away, 2, 2)
    while party.look().table.is_playing:
        if party.turn() and party.turn().seat == 1:  # type: ignore[union-attr]
            party.move()
        else:
            attend(party)
    assert party.look().table.is_finished
    party.write(seats.rematch, 2)
    assert not party.look().people.seats[1].is_away


def test_a_host_skips_a_player_once(context: AppContext) -> None:
    party = begin(context, 3)
    party.move()
    seen = party.version
    party.write(away.skip, 1, 2, seen)
    assert last_move(party) == (2, "pass")
    with refused(context, Conflict):
        party.write(away.skip, 1, 2, seen)  # the same click again
    with refused(context, Refused, "NOT_THEIR_TURN"):
        party.write(away.skip, 1, 2, party.version)
    with refused(context, Conflict):
        party.write(away.skip, 1, 3, party.version + 1)
    with refused(context, Forbidden):
        party.write(away.skip, 2, 3, party.version)
    with refused(context, NotFound):
        party.write(away.skip, 1, 9, party.version)


def test_a_replaced_player_has_no_seat_any_more(context: AppContext) -> None:
    party = begin(context, 3, rounds=2)
    party.write(hosts.name_cohost, 1, 2, True)
    party.move()
    party.write(away.replace, 1, 2, "steady")
    seat = party.look().people.seats[1]
    assert (seat.bot, seat.is_cohost, seat.name) == ("steady", False, "Nora")
    assert party.players[2] is None
    attend(party)
    assert party.moves()[-1].seat == 2
    with refused(context, Forbidden):
        party.write(play.play, 2, {"move": "pass"}, party.version)
    with refused(context, Refused, "NOT_A_PLAYER"):
        party.write(away.replace, 1, 2, "steady")
    with refused(context, Refused, "BAD_LEVEL"):
        party.write(away.replace, 1, 3, "genius")
    with refused(context, Refused, "IS_HOST"):
        party.write(away.replace, 1, 1, "steady")


def test_a_pause_stops_moves_bots_and_clocks(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE, bots=1, pace="relaxed")
    turn = party.turn()
    assert turn
    clock.advance(10)
    party.write(pause.pause, 1)
    page = party.look(party.guests[0])
    assert (page.clock.paused_by, page.people.my_turn, party.due_at()) == ("Alice", False, None)
    assert page.board.view
    assert (page.board.view.legal, page.board.view.to_act) == ((), ())
    clock.advance(100_000)
    with nothing_changes(context.database):
        attend(party)
        party.write(pause.pause, 1)
    with refused(context, Conflict):
        party.write(play.play, 1, turn.moves[0], turn.version)
    with refused(context, Conflict):
        party.write(away.skip, 1, 1, party.version)
    with refused(context, Conflict):
        party.write(away.more_time, 1, 0)
    assert lefts(party) == [20, None, None]
    party.write(pause.resume, 1)
    assert lefts(party) == [20, None, None]
    with nothing_changes(context.database):
        party.write(pause.resume, 1)
    party.move()
    party.move()
    due_at = party.due_at()
    assert due_at
    left = due_at - clock()
    party.write(pause.pause, 1)
    clock.advance(1000)
    party.write(pause.resume, 1)
    assert party.due_at() == pytest.approx(clock() + left)  # the bot goes on thinking


def test_a_pause_between_rounds_stops_the_countdown(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 2)
    party.write(pause.pause, 1)
    clock.advance(1000)
    with refused(context, Conflict):
        party.write(play.set_ready, 1)
    attend(party)
    assert party.look().table.is_scoring
    party.write(pause.resume, 1)
    assert party.due_at() == clock() + COUNTDOWN


def test_changes_while_the_game_is_paused_do_not_wake_it(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    party.write(pause.pause, 1)
    party.write(away.step_away, 1, 1)
    party.write(away.come_back, 1, 1)
    party.write(pause.set_clock, 1, ClockRules("relaxed", "move"))
    assert party.due_at() is None
    clock.advance(500)
    party.write(pause.resume, 1)
    assert lefts(party) == [120, None]


def test_only_hosts_pause_resume_and_set_the_clock(context: AppContext) -> None:
    party = begin(context, 2)
    stranger = welcome(context, "Mallory")
    for who in (2, stranger):
        with refused(context, Forbidden):
            party.write(pause.pause, who)
        with refused(context, Forbidden):
            party.write(pause.resume, who)
        with refused(context, Forbidden):
            party.write(pause.set_clock, who, MOVE)


def test_before_and_after_the_game_there_is_nothing_to_step_away_from(context: AppContext) -> None:
    gathering, finished = gather(context, 2), begin(context, 2, rounds=1)
    finished.pass_round()
    for party in (gathering, finished):
        with refused(context, Conflict):
            party.write(pause.pause, 1)
        with refused(context, Conflict):
            party.write(away.replace, 1, 2, "steady")
        with refused(context, Conflict):
            party.write(away.step_away, 1, 2)
        with refused(context, Conflict):
            party.write(away.more_time, 1, 0)
        with refused(context, Conflict):
            party.write(away.skip, 1, 2, party.version)


def test_who_has_no_seat_steps_nowhere(context: AppContext) -> None:
    party = begin(context, 2, bots=1)
    stranger = welcome(context, "Mallory")
    for service in (away.step_away, away.come_back):
        with refused(context, Forbidden):
            party.write(service, stranger, 2)
        with refused(context, Refused, "NOT_A_PLAYER"):
            party.write(service, stranger, 3)
    with refused(context, Forbidden):
        party.write(away.more_time, stranger, 0)


@on_sqlite
@pytest.mark.slow
def test_an_idle_seat_freezes_nobody_at_any_game(context: AppContext, clock: Clock) -> None:
    for game in ("follow_the_leader", "life", "liverpool", "lives", "lucky_paw"):
        host, idle = welcome(context, "Host"), welcome(context, "Idle")
        slug = context.write(create.create_table, host.id, game, 3, {}, setup_with(clock=MOVE))
        context.write(seats.take_seat, slug, idle.id, 2, "Idle")
        context.write(seats.seat_bot, slug, host.id, 3, "steady")
        context.write(seats.start, slug, host.id)
        context.write(away.step_away, slug, host.id, 1)
        party = Party(context, slug, (host, idle))
        for _ in range(900):
            if party.row.status != open_table.PLAYING:
                break
            clock.advance(ZERO)
            attend(party)
        assert party.look().table.is_scoring or party.look().table.is_finished, game
        assert 2 in {row.seat for row in party.moves()}
