"""What a game's page is made of: the one function of its `page.py` gets this and says what its templates write down."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from snug.engine.game import Event, Move, View, plain
from snug.words import Message, ngettext

ViewT = TypeVar("ViewT", bound=View)
Fields = tuple[tuple[str, Any], ...]


class PageInput(msgspec.Struct, Generic[ViewT], frozen=True):
    """A round for one pair of eyes: their `view`, the `log` as they saw it (a tuple of events a move), who sits where,
    whether the table waits for them, and what they `asked` for in the page's address."""

    view: ViewT
    log: tuple[tuple[Event, ...], ...]
    names: tuple[str, ...]
    my_turn: bool = False
    asked: Mapping[str, Sequence[str]] = {}

    @property
    def events(self) -> tuple[Event, ...]:
        """The log without its moves."""
        return tuple(event for events in self.log for event in events)

    def lately(self, turns: int) -> tuple[Event, ...]:
        """What came of so many moves of everybody, the last there were."""
        return tuple(event for events in self.log[-turns * self.view.seats :] for event in events)

    def wish(self, name: str) -> str:
        """What they asked for under this name, the last if more than once; empty if they did not."""
        return (self.asked.get(name) or ("",))[-1]


class SoFar(msgspec.Struct, frozen=True):
    """How a seat stands while a round is played, in a word or two."""

    seat: int
    words: Message


def so_far(words: Sequence[Message], ranks: Sequence[Any]) -> tuple[SoFar, ...]:
    """How all seats stand, the lowest of these ranks first: what a page with a field `so_far` shows until there are
    scores."""
    return tuple(SoFar(seat, words[seat - 1]) for _, seat in sorted(zip(ranks, range(1, len(ranks) + 1), strict=True)))


def cards_left(sizes: Sequence[int]) -> tuple[SoFar, ...]:
    """The same where what counts is how few cards one has left."""
    return so_far([ngettext("%(count)s card", "%(count)s cards", size) for size in sizes], sizes)


def move_fields(move: Move) -> Fields:
    """A move as the fields of a form: `to.meld` is a part of a part, a list has its name once for each text in it."""
    return tuple(_fields("", plain(move)))


def _fields(name: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        inner = [(f"{name}.{key}" if name else key, part) for key, part in value.items()]
    elif isinstance(value, tuple | list):
        inner = [(f"{name}.{at}" if isinstance(part, dict) else name, part) for at, part in enumerate(value)]
    else:
        return [] if value is None else [(name, value)]
    return [field for key, part in inner for field in _fields(key, part)]
