"""Hints in words, along the lesson."""

import pytest

from tests.kit.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (1, "Play the three of hearts.", "You can follow it with the four of hearts."),
        (3, "Play the six of diamonds.", "None of your other cards is near it, so it would wait longest."),
        (4, "Draw a card.", None),
        (10, "Play the three of clubs.", "It is your last card."),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("follow_the_leader", step) == (move, why)
