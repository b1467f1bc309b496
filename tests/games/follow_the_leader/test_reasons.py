"""Hints in words, along the lesson and where it does not go."""

import pytest

from snug.engine.cards import CARDS
from snug.games.follow_the_leader import GAME as follow_the_leader
from snug.games.follow_the_leader import reasons
from snug.games.follow_the_leader.state import Play
from snug.testing.scenarios import table_at
from tests.games.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (1, "Play the five of hearts.", "None of your other cards is near it, so it would wait longest."),
        (2, "Draw a card.", None),
        (7, "Play the ace of clubs.", None),
        (8, "Play the three of clubs.", "It is your last card."),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("follow_the_leader", step) == (move, why)


def test_a_card_is_good_for_the_next_of_ones_own() -> None:
    table = table_at("follow_the_leader", 2, {}, hands=[["3H", "4H", "KC"], ["9D"]], discards=["2S"])
    view = follow_the_leader.view(table.round, 1)
    assert reasons.why(view, Play(CARDS["3H"])) == "You can follow it with the four of hearts."
