"""Hints in words, along the lesson."""

import pytest

from tests.games.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (1, "Choose hearts.", "Nothing is dealt yet: any suit but spades is as good."),
        (2, "Turn up a card.", None),
        (3, "Lay all your hearts.", "With them ten or more of the suit lie in your row: they are safe."),
        (4, "Steal the five of hearts from the row of Dervla.", "It is of your suit, which counts double."),
        (5, "Steal a card from the hand of Malachy.", None),
        (8, "Lay all your hearts.", "These are your last cards: the hand ends, and you are ahead."),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("life", step) == (move, why)
