"""What a game says of itself."""

from random import Random
from typing import Any

from snug.engine.game import Event, Game
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


class Played(Event, frozen=True, tag="played"):
    """What a seat did."""

    seat: int


class Dealt(Event, frozen=True, tag="dealt"):
    """What nobody did."""


def test_an_event_concerns_whom_it_names_and_everybody_if_it_names_nobody() -> None:
    assert [Played(2).concerns(seat) for seat in (1, 2)] == [False, True]
    assert Dealt().concerns(1)
