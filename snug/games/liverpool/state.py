"""What lies on a Liverpool table, what a seat does there and what comes of it: §3, §5, §8, §10."""

from typing import ClassVar, Final, Literal

import msgspec

from snug.engine.cards import JOKER, PACK, Card, Pile
from snug.engine.game import Event, Move
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


class HandStarted(Event, frozen=True, tag="hand_started"):
    """Everybody has cards and the first discard is turned up. `hands[seat - 1]`: a seat sees its own."""

    number: int
    contract: Contract
    dealer: int
    hand_sizes: tuple[int, ...]
    upcard: Card
    hands: tuple[Pile, ...]

    def seen_by(self, seat: int | None) -> Event:
        """Dealt cards are private."""
        hands = tuple(hand if other == seat else () for other, hand in enumerate(self.hands, 1))
        return msgspec.structs.replace(self, hands=hands)


class DiscardTaken(Event, frozen=True, tag="discard_taken"):
    """The player in turn took the discard."""

    seat: int
    card: Card


class DiscardDeclined(Event, frozen=True, tag="discard_declined"):
    """The player in turn declined the discard."""

    seat: int

    is_minor: ClassVar = True


class BuyAnswered(Event, frozen=True, tag="buy_answered"):
    """A seat said whether it wants the discard; `buys` is for its own eyes."""

    seat: int
    buys: bool | None

    @property
    def is_logged(self) -> bool:
        """Not while it is a secret: that somebody has answered is seen beside the discard."""
        return self.buys is not None

    is_minor: ClassVar = True

    def seen_by(self, seat: int | None) -> Event:
        """Pending answers are secret."""
        return self if seat == self.seat else BuyAnswered(self.seat, None)


class Bought(Event, frozen=True, tag="bought"):
    """A seat got the discard and a card from the stock, which only it sees."""

    seat: int
    card: Card
    hand_size: int
    penalty: Card | None

    def seen_by(self, seat: int | None) -> Event:
        """The penalty card is private."""
        return self if seat == self.seat else msgspec.structs.replace(self, penalty=None)

    def told_after(self, earlier: Event) -> Event | None:
        """What is bought was left before."""
        return self if isinstance(earlier, DiscardDeclined) else None


class NoSale(Event, frozen=True, tag="no_sale"):
    """Nobody wanted the discard."""

    is_minor: ClassVar = True

    def told_after(self, earlier: Event) -> Event | None:
        """Not the player in turn, either."""
        return self if isinstance(earlier, DiscardDeclined) else None


class StockDrawn(Event, frozen=True, tag="stock_drawn"):
    """The player in turn drew from the stock; only he sees the card."""

    seat: int
    stock_size: int
    card: Card | None

    is_minor: ClassVar = True

    def seen_by(self, seat: int | None) -> Event:
        """The card drawn is private."""
        return self if seat == self.seat else msgspec.structs.replace(self, card=None)

    def told_after(self, earlier: Event) -> Event | None:
        """Who draws has declined the discard, and so has everybody else."""
        return self if isinstance(earlier, DiscardDeclined | NoSale) else None


class WentDown(Event, frozen=True, tag="went_down"):
    """A seat laid down the contract."""

    seat: int
    melds: tuple[Meld, ...]

    def concerns(self, seat: int) -> bool:
        return True


class LaidOff(Event, frozen=True, tag="laid_off"):
    """A card was added to a meld."""

    seat: int
    card: Card
    meld: int
    end: End | None


class JokerWon(Event, frozen=True, tag="joker_won"):
    """A card took a joker's place in a meld, and the joker went to another; in a run it stands for a card there."""

    seat: int
    card: Card
    meld: int
    to: Place
    stands_for: Card | None


class Discarded(Event, frozen=True, tag="discarded"):
    """A seat ended its turn with this discard."""

    seat: int
    card: Card

    def told_after(self, earlier: Event) -> Event | None:
        """A turn in which nothing else was done is one line."""
        match earlier:
            case StockDrawn(seat=self.seat, card=card):
                return DrewAndDiscarded(self.seat, self.card, card)
            case DiscardTaken(seat=self.seat, card=card):
                return DrewAndDiscarded(self.seat, self.card, card, is_taken=True)
        return None


class DrewAndDiscarded(Event, frozen=True, tag="drew_and_discarded"):
    """A whole turn as the log tells it, never stored: the card drawn, for its own seat's eyes, or the discard taken."""

    seat: int
    card: Card
    drawn: Card | None
    is_taken: bool = False

    def told_after(self, earlier: Event) -> Event | None:
        """Who draws has declined the discard, and so has everybody else."""
        return self if isinstance(earlier, DiscardDeclined | NoSale) and not self.is_taken else None


class StockRecycled(Event, frozen=True, tag="stock_recycled"):
    """The discards under the top one are the new stock."""

    stock_size: int


class HandOver(Event, frozen=True, tag="hand_over"):
    """The hand ended: somebody went out, no card was left to draw, or it went on for too long. All hands are shown."""

    reason: Literal["out", "exhausted", "turn_cap"]
    winner: int | None
    hands: tuple[Pile, ...]
    points: tuple[int, ...]


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
