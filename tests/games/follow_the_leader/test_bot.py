"""The Follow the Leader bot plays legal cards, wisely."""

import random
from typing import Any

import pytest

from snug.bots import levels
from snug.engine.cards import CARDS
from snug.engine.game import read_options
from snug.games.follow_the_leader import GAME as follow_the_leader
from snug.games.follow_the_leader.bot import choose, one_a_rank
from snug.games.follow_the_leader.state import Draw, Play
from snug.games.follow_the_leader.view import FollowTheLeaderView
from tests.games.strength import victories

pytestmark = pytest.mark.dear(1.2, "many matches, so that skill shows")


@pytest.mark.parametrize(
    ("seats", "options", "wins"),
    [(2, {}, 58), (2, {"one_below": True}, 58), (3, {"jokers": True, "decks": 2}, 40)],
)
@pytest.mark.slow
def test_it_beats_random_players(seats: int, options: dict[str, Any], wins: int) -> None:
    assert victories(follow_the_leader, seats, 100, **options) >= wins


def view_of(top: str, *hand: str, **options: Any) -> FollowTheLeaderView:
    position = {"hands": [list(hand), ["2C"]], "discards": [top]}
    read = read_options(follow_the_leader, 2, {"jokers": True, **options})
    state, _, _ = follow_the_leader.from_position(read, 2, position)
    return follow_the_leader.view(state, 1)


@pytest.mark.parametrize(
    ("top", "hand", "options", "card"),
    [
        ("7S", ("8D", "7H", "KC"), {}, "7H"),
        ("7S", ("8D", "8H", "7H", "JK"), {}, "7H"),
        ("7S", ("JK", "8D"), {}, "8D"),
        ("7S", ("JK", "JC"), {}, "JK"),
        ("7S", ("6D", "8D", "9D", "10D"), {"one_below": True}, "6D"),
    ],
    ids=["the lower first", "the lower of a row first", "a joker last", "a joker before drawing", "the lonely first"],
)
def test_it_keeps_the_cards_that_will_follow(
    top: str, hand: tuple[str, ...], options: dict[str, Any], card: str
) -> None:
    assert choose(view_of(top, *hand, **options), random.Random(1)) == Play(CARDS[card])


def test_of_equal_ranks_one_is_thought_about() -> None:
    thought = levels.thought(follow_the_leader.key, view_of("7S", "7D", "7H", "8D", "8H", "KC"), random.Random(1), 40)
    assert {considered.move for considered in thought.moves} == {Play(CARDS["7D"]), Play(CARDS["8D"])}
    assert set(one_a_rank(view_of("7S", "JK", "JK", "8D"))) == {Play(CARDS["8D"]), Play(CARDS["JK"])}


def test_who_cannot_follow_has_nothing_to_think_about() -> None:
    assert one_a_rank(view_of("7S", "KC", "2D")) == (Draw(),)
