"""What comes of moves in Liverpool, and who may know it: §8, §10."""

from typing import ClassVar, Literal

import msgspec

from snug.engine.cards import Card, Pile
from snug.engine.game import Event
from snug.engine.melds import Contract, End, Meld
from snug.games.liverpool.state import Place


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
