"""The levels of bots. What a good player of a game does is in the game's module `bot`; the rest is the same for all."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Final

import msgspec

from snug.bots.search import Thought, think
from snug.engine.game import Move, View
from snug.engine.thinking import Thinking, every_move
from snug.games import GAMES, package_of

GENTLE, STEADY, SHARP, RANDOM = "gentle", "steady", "sharp", "random"
LEVELS: Final = (GENTLE, STEADY, SHARP)
_ONCE: Final = {"easy": GENTLE, "good": STEADY}  # what tables and logs say that were written by older releases

Choose = Callable[[Any, Random], Move]


def level_of(name: str) -> str:
    """The level by its name, also by that which older releases had for it. Raises ValueError."""
    level = _ONCE.get(name, name)
    if level not in LEVELS:
        raise ValueError(f"there is no level {name!r}: bots are {', '.join(LEVELS)}")
    return level


@cache
def steady(game_key: str) -> Choose:
    """How a good player of the game chooses."""
    choose: Choose = import_module(f"{package_of(game_key)}.bot").choose
    return choose


@cache
def thinking_of(game_key: str) -> Thinking:
    """How the search thinks about the game."""
    thinking: Thinking = getattr(import_module(f"{package_of(game_key)}.bot"), "THINKING", Thinking())
    return thinking


def choose(game_key: str, level: str, view: View, chance: Random) -> Move:
    """The move that a bot of this level makes in the viewer's place, who must be to act. "random" is any legal move.
    Raises ValueError where there is no such level."""
    if level == RANDOM:
        return view.complete(chance.choice(view.legal), chance.randrange)
    level = level_of(level)
    if level == SHARP and GAMES[game_key].has_imagination:
        return thought(game_key, view, chance).best
    best = steady(game_key)(view, chance)
    return _overlooked(game_key, view, best, chance) if level == GENTLE else best


def thought(
    game_key: str, view: View, chance: Random, positions: int | None = None, also: Sequence[Move] = ()
) -> Thought:
    """What a sharp player thinks of every move there is; of a game with imagination. `positions`: how far he looks,
    if not as far as always; `also`: moves that he is asked about."""
    return think(GAMES[game_key], view, steady(game_key), thinking_of(game_key), chance, positions, also)


def _overlooked(game_key: str, view: View, best: Move, chance: Random) -> Move:
    """What a good player does who, now and then, does not see his best move: the next best, never anything. Where
    only an arrangement can be made, that is the plainest one."""
    if chance.random() >= thinking_of(game_key).oversight:
        return best
    rest = tuple(move for move in view.legal if not _is(best, move, view))
    rest = rest or tuple(move for move in every_move(view) if move != best)
    second = steady(game_key)(msgspec.structs.replace(view, legal=rest), chance) if rest else best
    return second if any(_is(second, move, view) for move in rest) else best


def _is(move: Move, listed: Move, view: View) -> bool:
    """Whether a move is the listed one, or one of the arrangements for which that stands."""
    return move == listed or (move not in view.legal and type(move) is type(listed))
