"""What lies on a Lucky Paw table, what a seat does there, what comes of it and what a seat sees: §5, §8, §9."""

from typing import Final

import msgspec

from app.engine.cards import Card, Pile
from app.engine.game import Event, Move, View
from app.games.lucky_paw.options import LuckyPawOptions

OPEN_STACKS: Final = 4
STACKS: Final = 3


class Play(Move, frozen=True, tag="play"):
    """Move the top card of your stack 1–3 onto open stack 1–4."""

    stack: int
    open: int


class Pass(Move, frozen=True, tag="pass"):
    """Play nothing this turn."""


LuckyPawMove = Play | Pass
PLAYS: Final = {(s, o): Play(s, o) for s in range(1, STACKS + 1) for o in range(1, OPEN_STACKS + 1)}
PASS: Final = Pass()


class RoundStarted(Event, frozen=True, tag="round_started"):
    """The four open cards of a new round lie on the table."""

    round: int
    starter: int
    cards: Pile


class SetDealt(Event, frozen=True, tag="set_dealt"):
    """`each` cards were dealt to every seat; `cards[seat - 1]` go on stacks 1, 2, 3."""

    each: int
    cards: tuple[Pile, ...]


class CardPlayed(Event, frozen=True, tag="card_played"):
    """A card went from a seat's stack onto an open stack; `on` is the card it covered, `exposed` the one it left."""

    seat: int
    card: Card
    stack: int
    open: int
    on: Card
    exposed: Card | None


class Passed(Event, frozen=True, tag="passed"):
    """A seat passed; `forced` if it had nothing to play."""

    seat: int
    forced: bool
    streak: int


class LuckyPawState(msgspec.Struct, frozen=True):
    """§5. `stacks[seat - 1]` are a seat's three stacks; piles are built upwards, the stock is drawn from the front."""

    options: LuckyPawOptions
    seats: int
    number: int
    starter: int
    turn: int
    dealt: bool = False
    over: bool = False
    open: tuple[Pile, ...] = ((),) * OPEN_STACKS
    stacks: tuple[tuple[Pile, ...], ...] = ()
    stock: Pile = ()
    aside: Pile = ()
    streak: int = 0
    sets_dealt: int = 0

    @property
    def dealer(self) -> int:
        """Who deals the round: the seat to the right of the starter."""
        return (self.starter - 2) % self.seats + 1


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

    def plays_of(self, stack: int) -> tuple[int, ...]:
        """The open stacks on which the viewer may play the top card of his stack 1–3."""
        return tuple(move.open for move in self.legal if isinstance(move, Play) and move.stack == stack)

    @property
    def may_pass(self) -> bool:
        """Whether the viewer may pass now."""
        return PASS in self.legal

    @property
    def neutral(self) -> Move:
        """Passing, where the table allows it; else the first card that fits."""
        return PASS if self.may_pass else self.legal[0]

    @property
    def sets_left(self) -> int:
        """How many sets are still to be dealt: three cards a seat each, the last one perhaps fewer (§3)."""
        return -(-(self.stock_size // self.seats) // STACKS)

    def cards_left(self, seat: int) -> int:
        """How many cards lie in a seat's stacks: his score if the round ended now."""
        return sum(map(len, self.stacks[seat - 1]))


def cards_of(state: LuckyPawState) -> Pile:
    """Every card of the round, wherever it lies."""
    piles = [*state.open, *(pile for piles in state.stacks for pile in piles), state.stock, state.aside]
    return tuple(card for pile in piles for card in pile)
