"""Hints in words, along the lesson."""

import pytest

from tests.kit.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (1, "Draw from the stock.", "The three of diamonds brings you no nearer."),
        (2, "Discard the king of diamonds.", "It keeps two queens for a set and two sevens for a set."),
        (3, "Buy the seven of spades.", "Then only one card is missing for the contract."),
        (4, "Take the queen of clubs.", "With it you can go down."),
        (5, "Go down with Q♠ Q♥ Q♣ and 7♠ 7♦ 7♣.", "What lies on the table does not count against you."),
        (6, "Add the four of spades to the set of fours.", "It does not count against you there."),
        (
            7,
            "Win the joker of the set of nines with the nine of hearts.",
            "You are rid of a card, and the joker goes where you like.",
        ),
        (8, "Discard the two of clubs.", "It is your last card."),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("liverpool", step) == (move, why)
