"""Hints in words, along the lesson."""

import pytest

from tests.games.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (1, "Play the four of clubs.", "You hold another card of that suit."),
        (3, "Pick up a card.", None),
        (4, "Play the ace of diamonds and call hearts.", "The player after you has only 2 cards left."),
        (5, "Play the king of hearts and say “last card”.", None),
        (6, "Play the ten of clubs.", "It is your last card."),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("lives", step) == (move, why)
