"""What lies on a Lucky Paw table, what a seat does there and what comes of it: §5, §8, §9."""

from typing import ClassVar, Final

import msgspec

from snug.engine.cards import Card, Pile
from snug.engine.game import Event, Move, Together
from snug.games.lucky_paw.options import LuckyPawOptions

OPEN_STACKS: Final = 4
STACKS: Final = 3


class Play(Move, frozen=True, tag="play"):
    """Move the top card of your stack 1–3 onto open stack 1–4."""

    stack: int
    open: int


class Pass(Move, frozen=True, tag="pass"):
    """Play nothing this turn."""


LuckyPawMove = Play | Pass
PLAYS: Final = tuple(tuple(Play(s, o) for o in range(1, OPEN_STACKS + 1)) for s in range(1, STACKS + 1))
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

    is_minor: ClassVar = True

    def told_after(self, earlier: Event) -> Event | None:
        """Passes in a row are one line."""
        if isinstance(earlier, Passed) and earlier.seat != self.seat and earlier.forced == self.forced:
            return Together(self, (earlier.seat, self.seat))
        return None


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


def cards_of(state: LuckyPawState) -> Pile:
    """Every card of the round, wherever it lies."""
    piles = [*state.open, *(pile for piles in state.stacks for pile in piles), state.stock, state.aside]
    return tuple(card for pile in piles for card in pile)
