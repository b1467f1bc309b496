"""Hints in words, along the lesson."""

import pytest

from tests.kit.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (2, "Draw from the stock.", "The three of diamonds brings you no nearer."),
        (3, "Discard the king of diamonds.", "It keeps three queens for a set and two sevens for a set."),
        (4, "Buy the seven of spades.", "With it you can go down."),
        (6, "Take the queen of clubs.", "With it you can go down."),
        (7, "Go down with Q♠ Q♥ Q♦ Q♣ and 7♠ 7♦ 7♣.", "What lies on the table does not count against you."),
        (8, "Add the four of spades to the set of fours.", "It does not count against you there."),
        (
            9,
            "Win the joker of the set of nines with the nine of hearts.",
            "You are rid of a card, and the joker goes where you like.",
        ),
        (10, "Discard the two of clubs.", "It is your last card."),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("liverpool", step) == (move, why)
