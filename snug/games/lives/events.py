"""What comes of the moves of Irish Lives: §9."""

from typing import ClassVar

import msgspec

from snug.engine.cards import SUIT_NAMES, Card, Pile
from snug.engine.game import Event, Scores, Together
from snug.games.lives.state import PickUp, Reason


class DealStarted(Event, frozen=True, tag="deal_started"):
    """Everybody has a hand. `hands[seat - 1]` is None where it is hidden."""

    deal_no: int
    dealer: int
    hand_sizes: tuple[int, ...]
    pool_size: int
    hands: tuple[Pile | None, ...]

    def seen_by(self, seat: int | None) -> "DealStarted":
        """A seat sees its own seven cards."""
        shown = tuple(hand if number == seat else None for number, hand in enumerate(self.hands, 1))
        return msgspec.structs.replace(self, hands=shown)


class StarterTurned(Event, frozen=True, tag="starter_turned"):
    """The first card of the stack; `buried` if it goes back into the pool and another is turned."""

    card: Card
    buried: bool = False


class SuitCalled(Event, frozen=True, tag="suit_called"):
    """A seat named the suit for the starter."""

    seat: int
    suit: str

    @property
    def suit_name(self) -> str:
        """The suit in a word."""
        return SUIT_NAMES[self.suit]


class CardPlayed(Event, frozen=True, tag="card_played"):
    """A card went from a seat's hand onto the stack."""

    seat: int
    card: Card
    suit_in_play: str
    pending: int
    hand_size: int

    @property
    def suit_name(self) -> str:
        """The suit in play after it in a word."""
        return SUIT_NAMES[self.suit_in_play]


class LastCardCalled(Event, frozen=True, tag="last_card_called"):
    """A seat came down to one card and said so."""

    seat: int

    def concerns(self, seat: int) -> bool:
        return True


class LastCardMissed(Event, frozen=True, tag="last_card_missed"):
    """A seat came down to one card and forgot to say so, and the table noticed."""

    seat: int

    def concerns(self, seat: int) -> bool:
        return True


class Caught(Event, frozen=True, tag="caught"):
    """A seat forgot to say "last card", and another noticed."""

    seat: int
    catcher: int

    def concerns(self, seat: int) -> bool:
        return seat in (self.seat, self.catcher)

    def befalls(self, seat: int) -> bool:
        return seat == self.seat


class CardsDrawn(Event, frozen=True, tag="cards_drawn"):
    """A seat picked up `count` cards; which ones (`cards`) only that seat knows."""

    seat: int
    count: int
    reason: PickUp
    hand_size: int
    pool_size: int
    cards: Pile | None

    def seen_by(self, seat: int | None) -> "CardsDrawn":
        """Others see how many."""
        return self if seat == self.seat else msgspec.structs.replace(self, cards=None)

    @property
    def is_minor(self) -> bool:
        return self.count <= 1 and self.reason == "turn"

    def told_after(self, earlier: Event) -> Event | None:
        """One unseen card each is one line."""
        if isinstance(earlier, CardsDrawn) and earlier._is_plain and self._is_plain and earlier.seat != self.seat:
            return Together(self, (earlier.seat, self.seat))
        return None

    @property
    def _is_plain(self) -> bool:
        return self.count == 1 and self.reason == "turn" and self.cards is None


class PoolRecycled(Event, frozen=True, tag="pool_recycled"):
    """What lay under the top card is shuffled and becomes the pool."""

    pool_size: int


class Kept(Event, frozen=True, tag="kept"):
    """A seat kept the card it had picked up, though it fits."""

    seat: int

    is_minor: ClassVar = True


class Passed(Event, frozen=True, tag="passed"):
    """A seat can play nothing and there is nothing to pick up."""

    seat: int

    is_minor: ClassVar = True

    def told_after(self, earlier: Event) -> Event | None:
        """Passes in a row are one line."""
        if isinstance(earlier, Passed) and earlier.seat != self.seat:
            return Together(self, (earlier.seat, self.seat))
        return None


class DealOver(Event, frozen=True, tag="deal_over"):
    """The deal ended; everything is shown."""

    reason: Reason
    winners: tuple[int, ...]
    hands: tuple[Pile, ...]
    points: Scores
    places: tuple[int, ...]
