"""What lies on a table of Irish Lives and what a seat does there: §2, §5, §8."""

from typing import Final, Literal

import msgspec

from snug.engine.cards import JOKER, PACK, Card, Pile, without
from snug.engine.game import Move
from snug.games.lives.options import LivesOptions, packs_of

HAND_SIZE: Final = 7
TURN_CAP: Final = 500
CALLABLE_SUITS: Final = ("C", "D", "H", "S")
WILD: Final = frozenset(card for card in (*PACK, JOKER) if card.rank <= 1)
TWOS: Final = frozenset(card for card in PACK if card.rank == 2)
POWER: Final = WILD | TWOS

Suit = Literal["C", "D", "H", "S"]
Phase = Literal["SET_UP", "CALL_SUIT", "PLAY", "DRAWN", "DEAL_OVER"]
Reason = Literal["out", "blocked", "cap"]
PickUp = Literal["turn", "two", "penalty"]


class Play(Move, frozen=True, tag="play", omit_defaults=True):
    """Put a card on the stack: an ace or joker with the suit it calls; `last_card` says "last card" with it."""

    card: Card
    suit: Suit | None = None
    last_card: bool = False


class Draw(Move, frozen=True, tag="draw"):
    """Pick up: one card, or the penalty for the twos that are not answered."""


class Keep(Move, frozen=True, tag="keep"):
    """Keep the card just picked up although it fits."""


class CallSuit(Move, frozen=True, tag="call_suit"):
    """Name the suit for an ace or joker turned up at the start."""

    suit: Suit


class Catch(Move, frozen=True, tag="catch"):
    """Point out that seat `target` has one card left and has not said so."""

    target: int


LivesMove = Play | Draw | Keep | CallSuit | Catch
DRAW: Final = Draw()
KEEP: Final = Keep()
CALLS: Final = (CallSuit("C"), CallSuit("D"), CallSuit("H"), CallSuit("S"))


class Taking(msgspec.Struct, frozen=True):
    """A pick-up that waits for the stack to be shuffled into a new pool: `owed` more cards go to the seat."""

    seat: int
    owed: int
    reason: PickUp


class LivesState(msgspec.Struct, frozen=True):
    """§5. `hands[seat - 1]` is a seat's hand; the pool is drawn from the front, the stack is built upwards. Before the
    deal (SET_UP) the pool is what the dealer must shuffle."""

    options: LivesOptions
    seats: int
    number: int
    dealer: int | None
    turn: int
    phase: Phase = "SET_UP"
    hands: tuple[Pile, ...] = ()
    pool: Pile = ()
    stack: Pile = ()
    suit_in_play: str | None = None
    pending: int = 0
    called: tuple[int, ...] = ()
    exposed: tuple[int, ...] = ()
    drawn_card: Card | None = None
    idle: int = 0
    turns: int = 0
    taking: Taking | None = None
    reason: Reason | None = None


def whole_pack(options: LivesOptions, seats: int) -> Pile:
    """§3: every card of a deal, not shuffled."""
    return (PACK + (JOKER,) * options.jokers_per_pack) * packs_of(options, seats)


def cards_of(state: LivesState) -> Pile:
    """Every card of the deal, wherever it lies."""
    return tuple(card for pile in (*state.hands, state.pool, state.stack) for card in pile)


def others(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """These seats but for one, if it is among them."""
    return without(seats, seat) if seat in seats else seats
