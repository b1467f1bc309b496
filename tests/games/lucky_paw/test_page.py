"""What the page of a Lucky Paw table says, and to whom."""

from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import CARDS, parse_pile
from snug.engine.game import IllegalMove, InvalidMove
from snug.engine.match import Match
from snug.engine.page import PageInput
from snug.games.lucky_paw import GAME as lucky_paw
from snug.games.lucky_paw.page import LuckyPawPage, page
from snug.games.lucky_paw.state import PASS, Play
from snug.testing.scenarios import table_at

NAMES = ("Alice", "Bob")


def put(*tops: str, options: dict[str, Any] | None = None, **position: Any) -> Match:
    """Two seats: the first with these cards on its stacks, the second with queens; 5 7 9 K lie open."""
    mine = [[top] for top in tops] + [[]] * (3 - len(tops))
    lies = {
        "open": [["5H"], ["7H"], ["9H"], ["KH"]],
        "stacks": [mine, [["QS"], ["QD"], ["QC"]]],
        "stock": [],
        **position,
    }
    return table_at("lucky_paw", 2, options, **lies)


def read(table: Match, eye: int | None, *moves: tuple[int, Any]) -> LuckyPawPage:
    """The page for this seat after these moves; it says first what was played last."""
    log = []
    for step in moves:
        table, events = matches.play(table, *step)
        log.append(events)
    view = lucky_paw.view(table.round, eye)
    return page(PageInput(view, tuple(log), NAMES, my_turn=eye in view.awaited))


def test_who_has_no_card_may_pass_from_now_on() -> None:
    table = put()
    view = lucky_paw.view(table.round, 1)
    assert (view.is_out, view.read_orders({}), view.ordered({})) == (True, {}, PASS)
    with pytest.raises(InvalidMove):
        view.read_orders({"buy": "Q"})
    waiting = lucky_paw.view(matches.play(table, 1, PASS)[0].round, 1)
    assert (waiting.is_out, waiting.ordered({})) == (True, None)
    holding = lucky_paw.view(put("2C").round, 1)
    assert (holding.is_out, holding.ordered({})) == (False, None)
    with pytest.raises(IllegalMove, match="no card left"):
        holding.read_orders({})
    assert not lucky_paw.view(table.round, None).is_out


def test_a_card_with_one_place_goes_at_once_and_one_with_several_is_picked() -> None:
    said = read(put("6C", "4C", "2C"), 1)
    assert [(stack.places, stack.is_pick, stack.goes_at_once) for stack in said.own] == [
        ((1, 2), True, False),
        ((1,), False, True),
        ((), False, False),
    ]
    assert said.own[0].targets == parse_pile(["5H", "7H"])
    assert [stack.fits for stack in said.open] == [(1, 2), (1,), (), ()]
    assert (said.hint, said.may_play) == ("Tap a card, then where it goes.", True)
    assert not any(stack.is_only_choice for stack in said.own)
    other = read(put("6C", "4C", "2C"), 2)
    assert (other.may_play, [stack.fits for stack in other.open]) == (False, [()] * 4)
    assert read(put("6C", "4C", "2C"), None).own == ()


def test_the_only_choice_is_made_already_and_a_joker_goes_anywhere() -> None:
    (only, *_) = read(put("6C", "2C"), 1).own
    assert (only.is_only_choice, only.goes_anywhere) == (True, False)
    assert read(put("JK", options={"jokers": 1}), 1).own[0].goes_anywhere


def test_the_hint_says_what_can_be_done() -> None:
    assert read(put("4C"), 1).hint == "Tap a card to play it."
    assert read(put(), 1).hint == "You have no cards left."
    assert read(put("2C"), 1).hint == "Only A, 4, 6, 8, 10, Q would fit: you have none."
    assert read(put("4C", options={"must_play": True}), 1).hint == "Tap a card to play it. You must play."


def test_what_everybody_did_since_the_newest_set() -> None:
    said = read(put("4C", "2C"), 2, (1, Play(1, 1)), (2, PASS))
    assert (said.played, said.passed) == ((CARDS["4C"], None), (False, True))
    assert [stack.is_newest for stack in read(put("4C", "2C"), 2, (1, Play(1, 1))).open] == [True, False, False, False]
    assert said.cards_left == (1, 3)


def test_a_pass_is_told_while_only_passes_follow_it() -> None:
    assert read(put("2C"), 1, (1, PASS)).passed == (True, False)
    assert read(put("2C"), 1, (1, PASS), (2, Play(1, 4))).passed == (False, False)


def test_a_new_set_is_counted_and_nobody_has_done_anything_since() -> None:
    stock = ["AS", "AD", "AC", "AH", "3S", "3D", "3C", "3H"]
    table = put("2C", "2D", stock=stock)
    assert (read(table, 1, (1, PASS)).sets_left, read(table, 1, (1, PASS)).passed) == (2, (True, False))
    fresh = read(table, 1, (1, PASS), (2, PASS))
    assert (fresh.sets_left, fresh.passed) == (1, (False, False))
