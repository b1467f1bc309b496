"""Hints in words, along the lesson."""

import pytest

from snug.engine.game import read_options
from snug.games.lucky_paw import GAME, reasons
from snug.games.lucky_paw.state import Play
from tests.games.reasons import told


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


@pytest.mark.parametrize(
    ("second", "why"), [("KD", "It covers the only place for the nine of clubs of the player after you."), ("JK", None)]
)
def test_of_two_jokers_one_covered_leaves_a_place(second: str, why: str | None) -> None:
    position = {
        "open": [["JK"], [second], ["2S"], ["2D"]],
        "stacks": [[["4H"], ["4D", "6C"], []], [["3C", "9C"], [], []]],
    }
    state, _, _ = GAME.from_position(read_options(GAME, 2, {"jokers": 2}), 2, position)
    assert reasons.why(GAME.view(state, 1), Play(1, 1)) == why
