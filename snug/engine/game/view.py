"""What a seat sees of a round, and what it may do."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from snug.engine.cards import Card
from snug.engine.game.moves import Event, IllegalMove, Move
from snug.engine.places import Scores
from snug.words import gettext


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat (None: a watcher) may see, built up from public facts and its own cards, never cut down."""

    seat: int | None
    seats: int
    to_act: tuple[int, ...]
    legal: tuple[Move, ...]
    number: int
    """Which round of the match it is, from 1."""
    options: Any = None
    """The table's rules."""
    seen: tuple[Event, ...] = ()
    """What the viewer saw happen in this round, oldest first: filled in by `snug.engine.match.sight` for who remembers
    it, empty on pages."""
    before: tuple[Scores, ...] = ()
    """The scores of the rounds before, likewise."""

    @property
    def rounds(self) -> int | None:
        """How many rounds make the match; None in a game to a target."""
        return None

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's own cards, in a game that has hands."""
        return ()

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose move the game waits for. Others in `to_act` may speak up, but need not."""
        return self.to_act

    @property
    def prompt(self) -> str:
        """What a viewer who is awaited reads first."""
        return gettext("Your turn")

    @property
    def task(self) -> str:
        """What the seats that are awaited have to do, or may: what follows their names."""
        return gettext("to play")

    @property
    def neutral(self) -> Move:
        """The legal move that changes least for the viewer, who must be awaited: played for a seat whose time is up."""
        return self.complete(self.legal[0], lambda _number: 0)

    def complete(self, move: Move, below: Callable[[int], int]) -> Move:
        """A move of `legal` with its arguments: a free arrangement, listed without any, gets a legal one. `below(n)`
        gives a number from 0 to n - 1, by which arrangements are picked at random."""
        return move

    def read_orders(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Standing orders that the viewer sends as form texts, as plain data to keep. Raises RefusedMove."""
        raise IllegalMove("NO_ORDERS", "This game has no standing orders.")

    def ordered(self, orders: Mapping[str, Any]) -> Move | None:
        """The move that the viewer's standing orders make now; None while they do not concern what is asked."""
        return None
