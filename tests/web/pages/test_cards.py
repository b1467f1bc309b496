"""Hands of cards on a page: their ids, what is new in them, their rows."""

import re
from typing import Any

import pytest

from app.web.pages.cards import card_id, fan_of
from app.web.pages.render import template
from snug.engine.cards import Card, parse_card, parse_pile
from snug.games.lucky_paw.page import OwnStack


def test_equal_cards_have_ids_of_their_own_on_the_whole_page() -> None:
    seen: dict[Card, int] = {}
    hand = fan_of(parse_pile(["7C", "JK", "7C"]), seen, ())
    assert [held.id for held in hand.cards] == ["card-7C", "card-JK", "card-7C-2"]
    assert card_id(parse_card("7C"), seen) == "card-7C-3"


def test_as_many_cards_are_new_as_came() -> None:
    hand = fan_of(parse_pile(["7C", "7C", "8D", "8D"]), {}, parse_pile(["8D", "7C", "KS"]))
    assert [held.is_fresh for held in hand.cards] == [True, False, True, False]


@pytest.mark.parametrize(("cards", "classes"), [
    (0, "by-0 wide-0 empty"),
    (8, "by-7 wide-7"),
    (9, "by-4 wide-8 rows"),
    (15, "by-7 wide-14 rows"),
    (17, "by-5 wide-16 rows many"),
    (21, "by-6 wide-10 rows wide-rows many"),
])  # fmt: skip
def test_a_long_hand_lies_in_rows(cards: int, classes: str) -> None:
    assert fan_of([parse_card("7C")] * cards, {}, ()).classes == classes


@pytest.mark.parametrize(("size", "deep"), [(0, 0), (1, 1), (15, 1), (16, 2), (30, 2), (31, 3), (90, 3)])
def test_a_pile_to_draw_from_is_thick_as_its_cards_are_many(size: int, deep: int) -> None:
    pile: Any = template("games/_hand.html").module
    assert f'class="heap deep-{deep}"' in pile.draw_pile(size)


@pytest.mark.parametrize(
    ("cards", "beneath"), [(("7C",), []), (("8D", "9S", "7C"), ["nine of spades, eight of diamonds"])]
)
def test_a_stack_says_aloud_what_lies_beneath_its_top_card(cards: tuple[str, ...], beneath: list[str]) -> None:
    stacks: Any = template("games/lucky_paw/stacks.html").module
    own = OwnStack(1, parse_pile(cards), (2,), parse_pile(["6H"]), is_pick=False, is_only_choice=False)
    assert re.findall("; beneath: ([^<]+)", stacks.own(own, cards, False)) == beneath
