"""A hint in words: what a sharp player would do, and one reason for it.

A game's own words are in its module `reasons`, if it has one: `say(view, move, names)`, the move as a sentence, and
`why(view, move)`, a sentence of what it is good for, or None; `names` are those of the seats. If wished there is
`taps(view, move)`, too: the ids of what is to be tapped for the move, in this order, as the game's page has them. All
of them know what the viewer sees, and no more."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import msgspec

from snug.bots.search import Thought
from snug.engine.game import Game, Move, View
from snug.engine.page import move_fields
from snug.games import GAMES, package_of
from snug.words import Message, gettext

Say = Callable[[Any, Move, Sequence[str]], Message]


class Words(NamedTuple):
    """What a game says of moves; where it does not, of a move's reason and of what is to be tapped for it nothing."""

    say: Say
    why: Callable[[Any, Move], Message | None] = lambda _view, _move: None
    taps: Callable[[Any, Move], tuple[str, ...]] = lambda _view, _move: ()


class Advice(msgspec.Struct, frozen=True):
    """A move in words, the reason for it, and the ids of what is to be tapped for it."""

    move: Message
    why: Message
    taps: tuple[str, ...] = ()


def advice_of(game_key: str, view: View, thought: Thought, names: Sequence[str]) -> Advice:
    """What came of thinking in the viewer's place, in words."""
    say, why, taps = words_of(game_key)
    best = thought.best
    reason = gettext("It is all you can do now.") if view.legal == (best,) else why(view, best)
    in_short = reason or _by_figures(GAMES[game_key], view, thought, say, names)
    return Advice(say(view, best, names), in_short, taps(view, best))


def in_words(game_key: str, view: View, move: Move, names: Sequence[str]) -> Message:
    """A move that the viewer may make, as a sentence."""
    return words_of(game_key).say(view, move, names)


def _by_figures(game: Game[Any], view: View, thought: Thought, say: Say, names: Sequence[str]) -> Message:
    """The reason that every game has: how much is at stake."""
    if len(thought.moves) < 2:
        return gettext("Nothing else comes into question.")
    second = thought.moves[1]
    if not second.is_surely_behind:
        return gettext("It is close. About as good: %(move)s", move=say(view, second.move, names))
    if second.behind < 1:
        return gettext("It brings you a little nearer to winning than anything else.")
    return gettext(
        "That is worth about %(points)s more than anything else.",
        points=(game.score_unit or game.unit)(round(second.behind)),
    )


@cache
def words_of(game_key: str) -> Words:
    """What a game's module `reasons` says; where there is none, what can be said of any move."""
    name = f"{package_of(game_key)}.reasons"
    found = import_module(name) if find_spec(name) else None
    return Words._make(getattr(found, part, other) for part, other in Words(_plainly)._asdict().items())


def _plainly(_view: View, move: Move, _names: Sequence[str]) -> Message:
    """A move as records write it: "draw stock.", "play, card 7H.", "pass cards, cards 2C 3C 4C."."""
    parts: dict[str, list[str]] = {}
    for name, value in move_fields(move):
        parts.setdefault(name, []).append(str(value))
    (verb,) = parts.pop("move")
    words = [verb.replace("_", " "), *(f"{name} {' '.join(values)}" for name, values in parts.items())]
    return gettext("%(move)s.", move=", ".join(words))
