"""Bots: they choose a move from what their seat sees, never from the state. One module a game."""

import random
from collections.abc import Callable
from typing import Any, Final

from app.engine.game import Move, View
from app.games.follow_the_leader import bot as follow_the_leader
from app.games.life import bot as life
from app.games.liverpool import bot as liverpool
from app.games.lives import bot as lives
from app.games.lucky_paw import bot as lucky_paw

LEVELS: Final = ("easy", "good")
GOOD: Final[dict[str, Callable[[Any, random.Random], Move]]] = {
    "lucky_paw": lucky_paw.choose,
    "lives": lives.choose,
    "life": life.choose,
    "liverpool": liverpool.choose,
    "follow_the_leader": follow_the_leader.choose,
}


def choose(game_key: str, level: str, view: View, chance: random.Random) -> Move:
    """The move that a bot of this level makes in the viewer's place, who must be to act."""
    if level not in LEVELS:
        raise ValueError(f"there is no level {level!r}: bots play {' or '.join(LEVELS)}")
    return GOOD[game_key](view, chance) if level == "good" else _any(view, chance)


def _any(view: View, chance: random.Random) -> Move:
    return view.complete(chance.choice(view.legal), chance.randrange)
