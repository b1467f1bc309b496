"""What a game says of itself."""

from random import Random
from typing import Any

from snug.engine.game import Game
from snug.games.lucky_paw import GAME


class Unimagined(type(GAME)):  # type: ignore[misc] # the class of a game is found by its instance
    """A game that does not say what may be hidden."""

    determinize = Game.determinize


class Older(Unimagined):
    """A game of an installed package that calls it as it was called before."""

    def imagine(self, _view: Any, _chance: Random, /) -> Any:
        """A state."""
        return "imagined"


def test_a_game_that_says_what_may_be_hidden_has_imagination() -> None:
    assert GAME.has_imagination
    assert not Unimagined().has_imagination
    assert Older().has_imagination
    assert Older().determinize(None, Random(1)) == "imagined"
