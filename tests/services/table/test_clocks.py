"""Turn clocks: when time is up, what happens then, and that it happens once."""

import random
from typing import Any

import pytest

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.play import play
from app.services.seats import away, create, pause, seats
from app.services.table import clocks
from app.services.table.clocks import ClockRules, read_clock
from app.services.table.hours import Hours
from snug.games.lucky_paw.view import LuckyPawView
from tests.conftest import Clock, on_sqlite
from tests.factories import Party, begin, nothing_changes, refused, setup_with, welcome
from tests.services.play.test_exactly_once import at_once

MOVE = ClockRules("brisk", "move")
BOT = ClockRules("brisk", "bot")
WAIT = ClockRules("brisk", "wait")
ZERO = MOVE.allowance


def clocked(context: AppContext, people: int, rules: ClockRules, **options: Any) -> Party:
    """A table in play with this clock; its first clock has just begun."""
    party = begin(context, people, **options)
    party.write(pause.set_clock, 1, rules)
    return party


def attend(party: Party) -> None:
    """The scheduler looks after the table."""
    party.context.write(play.run_due, party.row.id)


def lefts(party: Party) -> list[int | None]:
    """What the clocks show, by seat."""
    page = party.look()
    return [page.clock.left.get(seat.number) for seat in page.people.seats]


def last_move(party: Party) -> tuple[int, str]:
    """Who moved last, and how."""
    row = party.moves()[-1]
    return row.seat, row.move["move"]


def test_only_the_seat_to_act_has_a_clock_that_runs(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 3, MOVE)
    assert lefts(party) == [30, None, None]
    clock.advance(10.5)
    assert lefts(party) == [20, None, None]
    party.move()
    assert lefts(party) == [None, 30, None]


def test_at_zero_the_neutral_move_is_played_and_stored_like_any_other(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 3, MOVE)
    clock.advance(ZERO - 0.01)
    with nothing_changes(context.database):
        attend(party)
    clock.advance(0.01)
    version = party.version
    attend(party)
    assert last_move(party) == (1, "pass")
    assert (party.moves()[-1].seen, party.version) == (None, version + 1)
    assert lefts(party) == [None, 30, None]
    with nothing_changes(context.database):
        attend(party)


def test_an_idle_player_keeps_losing_turns_but_never_the_seat(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE, rounds=1)
    while party.turn():
        clock.advance(ZERO)
        attend(party)
    assert party.look().table.is_finished
    assert party.players == {1: party.guests[0].id, 2: party.guests[1].id}


def test_at_zero_a_bot_plays_on_until_the_player_is_back(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, BOT, rounds=9)
    before = len(party.moves())
    clock.advance(ZERO)
    attend(party)
    page = party.look()
    seat = page.people.seats[0]
    assert (seat.is_away, page.clock.left.get(1), seat.bot) == (True, None, None)
    assert len(party.moves()) == before  # it thinks first
    attend(party)
    assert party.moves()[-1].seat == 1
    turn = party.turn()
    assert turn
    assert turn.seat == 2
    party.move()
    attend(party)
    assert party.moves()[-1].seat == 1  # and goes on playing
    party.write(away.come_back, 1, 1)
    assert not party.look().people.seats[0].is_away
    party.move()
    assert lefts(party) == [30, None]


def test_any_move_of_the_player_brings_him_back(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, BOT)
    clock.advance(ZERO)
    attend(party)
    assert party.look().people.seats[0].is_away
    party.move()
    assert not party.look().people.seats[0].is_away


def test_a_table_may_wait_and_the_clock_then_shows_zero(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, WAIT)
    assert party.due_at() is None
    clock.advance(ZERO + 1000)
    with nothing_changes(context.database):
        attend(party)
    assert lefts(party) == [0, None]
    party.move()
    assert lefts(party) == [None, 30]


def test_a_move_just_before_the_scheduler_comes_counts(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    clock.advance(ZERO + 1)
    party.move()
    with nothing_changes(context.database):
        attend(party)
    assert party.moves()[-1].seen is not None


def test_a_click_after_the_timeout_is_stale(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    turn = party.turn()
    assert turn
    clock.advance(ZERO)
    attend(party)
    with refused(context, Conflict):
        party.write(play.play, 1, turn.moves[0], turn.version)


@pytest.mark.parametrize("rules", [MOVE, BOT], ids=["move", "bot"])
def test_a_click_and_the_timeout_in_one_moment_are_one_of_the_two(
    context: AppContext, clock: Clock, rules: ClockRules
) -> None:
    party = clocked(context, 2, rules, pace="relaxed")
    table_id = party.row.id
    for _ in range(6):
        turn = party.turn()
        assert turn
        version, moves = party.version, len([row for row in party.moves() if row.seat])
        clock.advance(ZERO)
        look = lambda: context.write(play.run_due, table_id)  # noqa: E731
        click = lambda: context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)  # noqa: B023, E731
        answers = at_once([look, look, click, look, look])
        made = len([row for row in party.moves() if row.seat]) - moves
        clicked = answers[2] is True
        assert all(answer is None for answer in answers[:2] + answers[3:])
        if rules is MOVE:
            assert (clicked, made, party.version - version) in ((True, 1, 1), (False, 1, 1))
            assert clicked or isinstance(answers[2], Conflict)
        else:  # the bot has not thought yet, so the click counts in either case
            assert clicked
            assert (made, party.version - version) in ((1, 1), (1, 2))
            assert not party.look().people.seats[turn.seat - 1].is_away


def test_seats_that_are_asked_together_have_the_same_time_each(context: AppContext, clock: Clock) -> None:
    guests = tuple(welcome(context, name) for name in ("Alice", "Bob", "Carol"))
    slug = context.write(create.create_table, guests[0].id, "life", 3, {}, setup_with("relaxed", MOVE))
    party = Party(context, slug, guests)
    for seat, guest in enumerate(guests[1:], 2):
        context.write(seats.take_seat, slug, guest.id, seat, guest.name)
    party.write(seats.start, 1)
    assert lefts(party) == [30, 30, 30]  # everybody chooses a suit
    clock.advance(10)
    party.write(play.play, 1, {"move": "choose_suit", "suit": "H"}, party.version)
    assert lefts(party) == [None, 20, 20]
    clock.advance(20)
    attend(party)
    assert lefts(party) == [None, None, 0]
    attend(party)
    assert sorted(row.seat for row in party.moves() if row.move["move"] == "choose_suit") == [1, 2, 3]


def test_more_time_is_added_once_a_click_and_three_times_a_round(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    party.write(away.more_time, 1, 0)
    assert lefts(party) == [50, None]
    with nothing_changes(context.database):
        party.write(away.more_time, 1, 0)  # the same click
    party.write(away.more_time, 1, 1)
    party.write(away.more_time, 1, 2)
    assert lefts(party) == [90, None]
    with refused(context, Refused, "NO_MORE_TIME"):
        party.write(away.more_time, 1, 3)
    with refused(context, Conflict):
        party.write(away.more_time, 2, 0)  # it is not his turn
    clock.advance(89)
    with nothing_changes(context.database):
        attend(party)


def test_more_time_at_a_table_that_waits_counts_from_now(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, WAIT)
    clock.advance(1000)
    party.write(away.more_time, 1, 0)
    assert lefts(party) == [20, None]


def test_the_next_round_has_its_own_requests(context: AppContext) -> None:
    party = clocked(context, 2, MOVE, rounds=2)
    for asked in range(3):
        party.write(away.more_time, 1, asked)
    party.pass_round()
    party.everybody_is_ready()
    while party.turn() and party.turn().seat != 1:  # type: ignore[union-attr]
        party.move()
    party.write(away.more_time, 1, 0)
    assert lefts(party)[0] == 50


def test_clocks_stand_outside_table_hours(context: AppContext, clock: Clock) -> None:
    clock.time = 1_700_000_000.0 - 1_700_000_000.0 % 86_400 + 19 * 3600  # 19:00
    party = clocked(context, 2, ClockRules("brisk", "move", Hours(20 * 60, 23 * 60, "UTC")))
    page = party.look()
    assert (page.clock.stands, page.clock.left[1]) == (True, 30)
    assert party.due_at() == clock() + 3600  # the hours begin: all pages are drawn anew
    clock.advance(3600)
    version = party.version
    attend(party)
    assert party.version == version + 1
    assert not party.look().clock.stands
    assert lefts(party) == [30, None]
    clock.advance(29)
    with nothing_changes(context.database):
        attend(party)
    clock.advance(1)
    attend(party)
    assert last_move(party) == (1, "pass")
    clock.advance(3 * 3600 - 40)
    party.move()
    clock.advance(10)
    attend(party)
    assert party.look().clock.stands
    assert lefts(party) == [20, None]
    clock.advance(21 * 3600 + 20)
    attend(party)
    assert last_move(party) == (1, "pass")


def test_with_table_hours_a_day_is_an_evening() -> None:
    assert ClockRules("days").allowance == 2 * 86_400
    evenings = ClockRules("days", hours=Hours(20 * 60, 23 * 60, "UTC"))
    assert (evenings.allowance, evenings.more) == (6 * 3600, 3 * 3600)


def test_a_new_clock_begins_anew_and_no_clock_ends_it(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 2, MOVE)
    clock.advance(20)
    party.write(pause.set_clock, 1, ClockRules("relaxed", "bot"))
    assert lefts(party) == [120, None]
    clock.advance(20)
    with nothing_changes(context.database):
        party.write(pause.set_clock, 1, ClockRules("relaxed", "bot"))
    party.write(pause.set_clock, 1, ClockRules())
    assert lefts(party) == [None, None]
    assert party.due_at() is None


def test_bots_wait_longer_while_people_may_speak_up(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = begin(context, 1, bots=2, pace="brisk", rounds=9)
    party.move()
    due_at = party.due_at()
    assert due_at is not None
    assert due_at - clock() <= 1.1
    clock.advance(2)
    attend(party)
    clock.advance(2)
    attend(party)
    monkeypatch.setattr(LuckyPawView, "awaited", property(lambda _view: ()))
    party.move()
    due_at = party.due_at()
    assert due_at is not None
    assert 0.5 + clocks.COURTESY <= due_at - clock() <= 1.1 + clocks.COURTESY


@pytest.mark.parametrize(
    "change",
    [{"clock": "blitz"}, {"clock": ""}, {"at_zero": "lose"}, {"opens": "20:00"}, {"zone": "x", "opens": "20:00"}],
)
def test_an_odd_clock_is_refused(change: dict[str, str]) -> None:
    given = {"clock": "brisk", "at_zero": "bot", "opens": "", "closes": "", "zone": "UTC"}
    assert read_clock(given) == BOT
    with pytest.raises(Refused):
        read_clock(given | change)


@on_sqlite
@pytest.mark.slow
def test_a_whole_tournament_with_idle_players_ends(context: AppContext, clock: Clock) -> None:
    party = clocked(context, 3, BOT, rounds=2)
    dice = random.Random(1)
    for _ in range(2000):
        page = party.look()
        if page.table.is_finished:
            return
        turn = party.turn()
        if page.table.is_scoring:
            party.write(play.set_ready, 2)
        elif turn and turn.seat == 2:
            party.move(dice)
        clock.advance(ZERO)
        attend(party)
    raise AssertionError("the tournament does not end")
