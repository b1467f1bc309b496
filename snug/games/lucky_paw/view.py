"""What a seat of Lucky Paw sees: §9."""

from collections.abc import Mapping
from typing import Any

from snug.engine.cards import Pile
from snug.engine.game import IllegalMove, InvalidMove, Move, View
from snug.games.lucky_paw.options import LuckyPawOptions
from snug.games.lucky_paw.state import PASS, Play


class LuckyPawView(View, frozen=True, kw_only=True):
    """§9: everything on the table, the stock as a number."""

    options: LuckyPawOptions
    rounds: int
    starter: int
    turn: int
    over: bool
    open: tuple[Pile, ...]
    stacks: tuple[tuple[Pile, ...], ...]
    stock_size: int
    aside_size: int
    streak: int
    sets_dealt: int

    @property
    def plays(self) -> tuple[Play, ...]:
        """What the viewer may play."""
        return tuple(move for move in self.legal if isinstance(move, Play))

    @property
    def may_pass(self) -> bool:
        """Whether the viewer may pass now."""
        return PASS in self.legal

    @property
    def is_out(self) -> bool:
        """Whether the viewer plays and has no card: then all there is to do is to pass."""
        return self.seat is not None and not self.over and not any(self.stacks[self.seat - 1])

    def read_orders(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """To pass as long as the viewer has no card: there is nothing to say with it."""
        if raw:
            raise InvalidMove("BAD_MOVE", "These are no standing orders: passing from now on needs no more words.")
        if not self.is_out:
            raise IllegalMove("NO_ORDERS", "Passing from now on is for whoever has no card left.")
        return {}

    def ordered(self, orders: Mapping[str, Any]) -> Move | None:
        """Passes, until there are cards again."""
        return PASS if self.is_out and self.may_pass else None

    @property
    def neutral(self) -> Move:
        """Passing, where the table allows it; else the first card that fits."""
        return PASS if self.may_pass else self.legal[0]
