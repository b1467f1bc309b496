"""What lies on a Liverpool table and what a seat does there: §3, §5, §8."""

from typing import Final, Literal

import msgspec

from snug.engine.cards import JOKER, PACK, Card, Pile
from snug.engine.game import Move
from snug.engine.melds import Contract, End, Laid, Meld
from snug.games.liverpool.options import LiverpoolOptions

HANDS: Final = 7
MAX_RESHUFFLES: Final = 2
TURN_CAP: Final = 100
JOKERS_A_DECK: Final = 2
CONTRACTS: Final = (
    Contract(2, 0),
    Contract(1, 1),
    Contract(0, 2),
    Contract(3, 0),
    Contract(2, 1),
    Contract(1, 2),
    Contract(0, 3, everything=True),
)

Phase = Literal["DEAL", "DRAW", "BUY", "PLAY", "HAND_OVER"]


def decks_for(seats: int) -> int:
    """§3."""
    return 2 + (max(0, seats - 4) + 1) // 2


def cards_for(seats: int) -> Pile:
    """§3: all decks with their jokers."""
    return (*PACK, *(JOKER,) * JOKERS_A_DECK) * decks_for(seats)


def hand_size(number: int) -> int:
    """§3: how many cards are dealt to each player in hand `number`."""
    return 10 if number <= 4 else 12


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a card goes: a meld by its number, and which end of it if it is a run."""

    meld: int
    end: End | None = None


class LayOff(Move, frozen=True, tag="lay_off", omit_defaults=True):
    """Add a card to a meld on the table."""

    card: Card
    meld: int
    end: End | None = None


class StealJoker(Move, frozen=True, tag="steal_joker", omit_defaults=True):
    """Put a card in place of a live joker (in a run: that in `slot`, from 1) and the joker somewhere else."""

    card: Card
    meld: int
    to: Place
    slot: int | None = None


class TakeDiscard(Move, frozen=True, tag="take_discard", omit_defaults=True):
    """Take the top discard; a player who is down plays it at once."""

    play: LayOff | StealJoker | None = None


class DrawStock(Move, frozen=True, tag="draw_stock"):
    """Decline the discard and draw from the stock."""


class Buy(Move, frozen=True, tag="buy"):
    """Ask for the discard at the price of a card from the stock."""

    def seen_by(self, mover: int, seat: int | None) -> Move | None:
        """Secret: §8.2."""
        return self if seat == mover else None


class PassBuy(Move, frozen=True, tag="pass_buy"):
    """Leave the discard."""

    def seen_by(self, mover: int, seat: int | None) -> Move | None:
        """Secret: §8.2."""
        return self if seat == mover else None


class LayDown(Move, frozen=True, tag="lay_down", omit_defaults=True):
    """Go down with the contract of the hand. Listed as legal without melds: which ones is the player's choice."""

    melds: tuple[Laid, ...] = ()


class Discard(Move, frozen=True, tag="discard"):
    """Discard a card and end the turn."""

    card: Card


LiverpoolMove = TakeDiscard | DrawStock | Buy | PassBuy | LayDown | LayOff | StealJoker | Discard


class LiverpoolState(msgspec.Struct, frozen=True):
    """§5. The stock is drawn from the front, discards are added at the end. `buy_queue` are the seats that are
    offered the discard, in their order, and `buy_answers` what they said, None if nothing yet. In the phase BUY with
    an empty queue, or one in which the buyer is found, the dealer is recycling the discards."""

    options: LiverpoolOptions
    seats: int
    number: int
    dealer: int | None
    turn: int
    phase: Phase = "DEAL"
    hands: tuple[Pile, ...] = ()
    stock: Pile = ()
    discard_pile: Pile = ()
    taken_card: Card | None = None
    went_down_this_turn: bool = False
    down: tuple[bool, ...] = ()
    buys: tuple[int, ...] = ()
    turns_done: tuple[int, ...] = ()
    buy_queue: tuple[int, ...] = ()
    buy_answers: tuple[bool | None, ...] = ()
    melds: tuple[Meld, ...] = ()
    reshuffles: int = 0

    @property
    def contract(self) -> Contract:
        """§3: the contract of this hand."""
        return CONTRACTS[self.number - 1]

    @property
    def keep(self) -> int:
        """How many cards must stay in the hand of a player who does not discard: §8.5."""
        return int(self.options.final_discard == "required" and not self.contract.everything)

    @property
    def winner(self) -> int | None:
        """Who went out, once the hand is over."""
        return self.turn if self.phase == "HAND_OVER" and not self.hands[self.turn - 1] else None


def cards_of(state: LiverpoolState) -> Pile:
    """Every card of the hand, wherever it lies."""
    piles = [*state.hands, state.stock, state.discard_pile, *(meld.cards for meld in state.melds)]
    return tuple(card for pile in piles for card in pile)
