"""What a seat of Lucky Paw may imagine: the cards it sees where they lie, the others anywhere out of sight."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snug.engine.cards import JOKER, PACK
from snug.engine.game import plain, read_options
from snug.games.lucky_paw import GAME as lucky_paw
from snug.games.lucky_paw.state import LuckyPawState, cards_of
from snug.games.lucky_paw.view import LuckyPawView
from snug.testing.random_play import moments, numbers


def position(**given: Any) -> LuckyPawState:
    """A position at a table of five with two jokers, the first to act."""
    options = read_options(lucky_paw, 5, {"jokers": 2})
    state, _, _ = lucky_paw.from_position(options, 5, given)
    return state


def eye(state: LuckyPawState) -> LuckyPawView:
    return lucky_paw.view(state, state.turn)


def in_sight(state: LuckyPawState) -> Counter[str]:
    return Counter(card for pile in (*state.open, *(pile for piles in state.stacks for pile in piles)) for card in pile)


@pytest.mark.dear(0.8, "many imagined tables")
@given(data=st.data())
def test_the_imagined_table_looks_the_same_and_has_the_cards_of_the_round(data: st.DataObject) -> None:
    table = data.draw(moments(lucky_paw).filter(lambda table: bool(table.to_act)))
    (seat,) = table.to_act
    view = lucky_paw.view(table.round, seat)
    state = lucky_paw.determinize(view, random.Random(data.draw(numbers)))
    assert plain(lucky_paw.view(state, seat)) == plain(view)
    cards, jokers = Counter(cards_of(state)), table.options.jokers
    assert cards.pop(JOKER, 0) == jokers
    assert set(cards.values()) == {1}
    assert len(cards) == len(PACK) - jokers


@given(data=st.data())
def test_what_is_imagined_hangs_on_nothing_hidden(data: st.DataObject) -> None:
    table = data.draw(moments(lucky_paw).filter(lambda table: bool(table.to_act)))
    (seat,), number = table.to_act, data.draw(numbers)
    first = lucky_paw.determinize(lucky_paw.view(table.round, seat), random.Random(number))
    assert lucky_paw.determinize(lucky_paw.view(first, seat), random.Random(number)) == first


def test_a_joker_that_lies_covered_is_not_imagined_a_second_time() -> None:
    """Both are in sight, one under a card of the middle, one under another player's: none is left to be dealt."""
    state = position(
        open=[["JK", "5H"], ["2C"], ["9D"], ["KD"]],
        stacks=[[["6S"]], [["JK", "8C"]]],
        stock=["3C", "3D", "4C", "4D", "4H"],
        aside=["10C"],
    )
    for number in range(30):
        imagined = lucky_paw.determinize(eye(state), random.Random(number))
        assert JOKER not in (*imagined.stock, *imagined.aside)


def test_a_joker_that_nobody_has_seen_is_in_the_stock_or_aside() -> None:
    state = position(open=[["5H"], ["2C"], ["9D"], ["KD"]], stock=["JK", "3D", "4C", "4D", "JK"], aside=["10C", "9C"])
    places = set()
    for number in range(60):
        imagined = lucky_paw.determinize(eye(state), random.Random(number))
        assert (*imagined.stock, *imagined.aside).count(JOKER) == 2
        places.add(imagined.aside.count(JOKER))
    assert places == {0, 1, 2}


def test_the_cards_that_jokers_replaced_may_be_any_that_nobody_sees() -> None:
    state = position(open=[["5H"], ["2C"], ["9D"], ["KD"]], stacks=[[["6S"]]], stock=["JK", "JK", "3D", "4C", "4D"])
    seen: set[str] = set()
    for number in range(300):
        seen |= set(lucky_paw.determinize(eye(state), random.Random(number)).stock)
    assert seen == {*PACK, JOKER} - set(in_sight(state))


@pytest.mark.parametrize("hidden", [[], ["3D"]])
def test_a_position_with_fewer_cards_than_a_pack_is_imagined_too(hidden: list[str]) -> None:
    """Nobody knows then how many jokers there are; there cannot be more of them than hidden cards."""
    state = position(open=[["5H"], ["2C"], ["9D"], ["KD"]], stacks=[[["6S"]]], stock=hidden)
    imagined = lucky_paw.determinize(eye(state), random.Random(1))
    assert lucky_paw.view(imagined, 1) == eye(state)
    assert len(imagined.stock) == len(hidden)
