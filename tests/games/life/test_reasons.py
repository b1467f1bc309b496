"""Hints in words, along the lesson."""

import pytest

from snug.games.life import GAME, reasons
from snug.games.life.state import PlayJoker, TurnCard
from tests.games.life.test_page import table_at
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


@pytest.mark.parametrize(
    ("rows", "hand", "joker", "turn"),
    [
        (("5H", "KD", ""), "JK 3H", "Somebody else loses more by it than you do.", "what lies in your row"),
        (("", "KD", ""), "JK 3H", "Somebody else loses more by it than you do.", "for a worse moment"),
        (("5H", "", ""), "JK KS QS", "It rids you of the spades in your hand.", "what lies in your row"),
        (("5H", "", ""), "JK 2S", None, "what lies in your row"),
    ],
)
def test_a_joker_is_good_where_others_lose_more(rows: tuple[str, ...], hand: str, joker: str | None, turn: str) -> None:
    view = GAME.view(table_at([hand, "2D 4C", "7D 8C"], rows, deck=["2H"]).round, 1)
    assert reasons.why(view, PlayJoker()) == joker
    assert turn in str(reasons.why(view, TurnCard()))
