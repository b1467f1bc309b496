"""What a seat of Lucky Paw sees: §9."""

from app.engine.cards import Pile
from app.engine.game import Move, View
from app.games.lucky_paw.state import PASS, Play


class LuckyPawView(View, frozen=True, kw_only=True):
    """§9: everything on the table, the stock as a number."""

    number: int
    rounds: int
    must_play: bool
    teams: bool
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
    def neutral(self) -> Move:
        """Passing, where the table allows it; else the first card that fits."""
        return PASS if self.may_pass else self.legal[0]
