"""Bots: they choose a move from what their seat sees, never from the state. One module a game, `bot`."""

import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

from app.engine.game import Move, View
from app.games import package_of

LEVELS: Final = ("easy", "good")


@cache
def _good(game_key: str) -> Callable[[Any, random.Random], Move]:
    """How a good player of the game chooses."""
    choose: Callable[[Any, random.Random], Move] = import_module(f"{package_of(game_key)}.bot").choose
    return choose


def choose(game_key: str, level: str, view: View, chance: random.Random) -> Move:
    """The move that a bot of this level makes in the viewer's place, who must be to act."""
    if level not in LEVELS:
        raise ValueError(f"there is no level {level!r}: bots play {' or '.join(LEVELS)}")
    return _good(game_key)(view, chance) if level == "good" else _any(view, chance)


def _any(view: View, chance: random.Random) -> Move:
    return view.complete(chance.choice(view.legal), chance.randrange)
