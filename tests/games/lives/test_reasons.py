"""Hints in words, along the lesson."""

import pytest

from snug.games.lives import GAME, reasons
from snug.games.lives.state import Catch
from snug.testing.scenarios import table_at
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


def test_whoever_has_not_said_last_card_is_named() -> None:
    view = GAME.view(table_at("lives", 3, {}).round, 1)
    assert reasons.say(view, Catch(2), ["Ann", "Bob", "Cid"]) == "Point out that Bob has not said “last card”."
