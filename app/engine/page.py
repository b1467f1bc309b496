"""What a game's page is made of: the one function of its `page.py` gets this and says what its templates write down."""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from app.engine.game import Event, View

ViewT = TypeVar("ViewT", bound=View)


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

    def wish(self, name: str) -> str:
        """What they asked for under this name, the last if more than once; empty if they did not."""
        return (self.asked.get(name) or ("",))[-1]
