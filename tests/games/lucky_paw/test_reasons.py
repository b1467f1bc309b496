"""Hints in words, along the lesson."""

import pytest

from tests.kit.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (1, "Play the six of spades on the five of hearts.", None),
        (
            2,
            "Play the ace of hearts on the king of spades.",
            "It covers the only place for the queen of diamonds of the player after you.",
        ),
        (3, "Play the three of clubs on the two of diamonds.", "Then the four of diamonds has a place, too."),
        (4, "Play the four of diamonds on the three of clubs.", "It is your last card."),
        (5, "Pass.", None),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("lucky_paw", step) == (move, why)
