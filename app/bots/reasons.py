"""A hint in words: what a sharp player would do, and one reason for it.

A game's own words are in its module `reasons`, if it has one: `say(view, move, names)`, the move as a sentence, and
`why(view, move)`, a sentence of what it is good for, or None; `names` are those of the seats. Both know what the viewer
sees, and no more."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from app.bots.search import Thought
from app.engine.game import Game, Move, View
from app.engine.page import move_fields
from app.games import GAMES, package_of
from app.words import Message, gettext

Say = Callable[[Any, Move, Sequence[str]], Message]
Why = Callable[[Any, Move], Message | None]


class Advice(msgspec.Struct, frozen=True):
    """A move in words, and the reason for it."""

    move: Message
    why: Message


def advice_of(game_key: str, view: View, thought: Thought, names: Sequence[str]) -> Advice:
    """What came of thinking in the viewer's place, in words."""
    say, why = _words_of(game_key)
    best = thought.best
    reason = gettext("It is all you can do now.") if view.legal == (best,) else why(view, best)
    return Advice(say(view, best, names), reason or _by_figures(GAMES[game_key], view, thought, say, names))


def in_words(game_key: str, view: View, move: Move, names: Sequence[str]) -> Message:
    """A move that the viewer may make, as a sentence."""
    return _words_of(game_key)[0](view, move, names)


def _by_figures(game: Game[Any], view: View, thought: Thought, say: Say, names: Sequence[str]) -> Message:
    """The reason that every game has: how much is at stake."""
    if len(thought.moves) < 2:
        return gettext("Nothing else comes into question.")
    second = thought.moves[1]
    if not second.is_surely_behind:
        return gettext("It is close. About as good: %(move)s", move=say(view, second.move, names))
    if second.behind < 1:
        return gettext("It brings you a little nearer to winning than anything else.")
    return gettext("That is worth about %(points)s more than anything else.", points=game.unit(round(second.behind)))


@cache
def _words_of(game_key: str) -> tuple[Say, Why]:
    name = f"{package_of(game_key)}.reasons"
    if not find_spec(name):
        return _plainly, lambda _view, _move: None
    found = import_module(name)
    return found.say, found.why


def _plainly(_view: View, move: Move, _names: Sequence[str]) -> Message:
    """A move as records write it: "draw stock.", "play, card 7H.", "pass cards, cards 2C 3C 4C."."""
    parts: dict[str, list[str]] = {}
    for name, value in move_fields(move):
        parts.setdefault(name, []).append(str(value))
    (verb,) = parts.pop("move")
    words = [verb.replace("_", " "), *(f"{name} {' '.join(values)}" for name, values in parts.items())]
    return gettext("%(move)s.", move=", ".join(words))
