"""What comes of moves in Life, and who may know it: §9."""

from typing import ClassVar

import msgspec

from snug.engine.cards import Card, Pile
from snug.engine.game import Event, Scores, Together


class DealerChosen(Event, frozen=True, tag="dealer_chosen"):
    """The lot has fallen: this seat deals the first Hand."""

    dealer: int


class SuitChosen(Event, frozen=True, tag="suit_chosen"):
    """A seat has chosen its suit; which one is told to nobody yet."""

    seat: int

    is_minor: ClassVar = True

    def told_after(self, earlier: Event) -> Event | None:
        """Choices in a row are one line."""
        if isinstance(earlier, SuitChosen) and earlier.seat != self.seat:
            return Together(self, (earlier.seat, self.seat))
        return None


class SuitsRevealed(Event, frozen=True, tag="suits_revealed"):
    """Everybody has chosen: the suits, seat by seat."""

    suits: tuple[str | None, ...]

    def told_after(self, earlier: Event) -> Event | None:
        """Who chose one is no news any more."""
        return self if isinstance(earlier, SuitChosen) else None


class Dealt(Event, frozen=True, tag="dealt"):
    """Seven cards to everybody. A seat is shown its own hand; the others are empty."""

    dealer: int
    hand_sizes: tuple[int, ...]
    deck_size: int
    hands: tuple[Pile, ...]

    def seen_by(self, seat: int | None) -> "Dealt":
        own = tuple(hand if holder == seat else () for holder, hand in enumerate(self.hands, 1))
        return msgspec.structs.replace(self, hands=own)


class Redealt(Dealt, frozen=True, tag="redealt"):
    """The same after a joker: everything but safe piles was thrown in."""


class CardTurned(Event, frozen=True, tag="card_turned"):
    """A seat turned up the top card of the deck."""

    seat: int
    card: Card


class CardsLaid(Event, frozen=True, tag="cards_laid"):
    """A seat laid these cards into its row, perhaps none."""

    seat: int
    cards: Pile
    hand_size: int

    @property
    def is_minor(self) -> bool:
        return not self.cards

    @property
    def was_forced(self) -> bool:
        """Whether they are spades: whoever holds some must lay them."""
        return bool(self.cards) and self.cards[0].suit == "S"


class Taken(msgspec.Struct, frozen=True):
    """What an ace took from one seat."""

    seat: int
    hand: Pile
    row: Pile


class Swept(Event, frozen=True, tag="swept"):
    """An ace took every card of its suit, to the row of the seat `to`, or to the discards (None)."""

    suit: str
    taken: tuple[Taken, ...]
    to: int | None

    def befalls(self, seat: int) -> bool:
        return self.to != seat and any(taken.seat == seat for taken in self.taken)


class Secured(Event, frozen=True, tag="secured"):
    """Ten or more of a suit: a seat turned these cards of its row face down."""

    seat: int
    cards: Pile

    @property
    def is_bad_luck(self) -> bool:
        """Whether they are spades, which count against the seat for good."""
        return self.cards[0].suit == "S"

    def befalls(self, seat: int) -> bool:
        """Everybody else may steal then."""
        return self.is_bad_luck and seat != self.seat

    def told_after(self, earlier: Event) -> Event | None:
        """That these very cards were laid is said with it."""
        return self if isinstance(earlier, CardsLaid) and set(earlier.cards) == set(self.cards) else None


class ReachedFor(Event, frozen=True, tag="reached_for"):
    """A thief reaches into a hand, and the dealer will draw a card for him."""

    thief: int
    target: int

    is_minor: ClassVar = True

    def concerns(self, seat: int) -> bool:
        return seat in (self.thief, self.target)


class Stolen(Event, frozen=True, tag="stolen"):
    """A card went to the thief's hand: from the target's row, or a hand card that only the two know."""

    thief: int
    target: int
    from_row: bool
    card: Card | None

    def concerns(self, seat: int) -> bool:
        return seat in (self.thief, self.target)

    def befalls(self, seat: int) -> bool:
        return seat == self.target

    def seen_by(self, seat: int | None) -> "Stolen":
        if self.from_row or seat in (self.thief, self.target):
            return self
        return msgspec.structs.replace(self, card=None)

    def told_after(self, earlier: Event) -> Event | None:
        """That the thief reached for it is no news any more."""
        return self if isinstance(earlier, ReachedFor) else None


class StealDeclined(Event, frozen=True, tag="steal_declined"):
    """A seat steals nothing."""

    seat: int
    hand_size: int

    is_minor: ClassVar = True

    def told_after(self, earlier: Event) -> Event | None:
        """Those who steal nothing are one line."""
        if isinstance(earlier, StealDeclined) and earlier.seat != self.seat:
            return Together(self, (earlier.seat, self.seat))
        return None


class PickedUp(Event, frozen=True, tag="picked_up"):
    """A seat laid no card of its own and took the top card of the deck."""

    seat: int
    hand_size: int
    card: Card | None

    is_minor: ClassVar = True

    def seen_by(self, seat: int | None) -> "PickedUp":
        return self if seat == self.seat else msgspec.structs.replace(self, card=None)

    def told_after(self, earlier: Event) -> Event | None:
        """Who picks up has laid nothing."""
        return self if isinstance(earlier, CardsLaid) and not earlier.cards else None


class JokerPlayed(Event, frozen=True, tag="joker_played"):
    """A joker leaves the Hand and everything but safe piles is thrown in. `source` is "hand" or "deck"."""

    seat: int
    source: str


class DeckReshuffled(Event, frozen=True, tag="deck_reshuffled"):
    """The discards become a new deck of this size."""

    size: int


class Fortune(msgspec.Struct, frozen=True):
    """§4 `fortune`: undoubled points in hearts, diamonds, clubs and spades."""

    love: int
    money: int
    friendship: int
    bad_luck: int


class HandOver(Event, frozen=True, tag="hand_over"):
    """A Hand ended; `reason` is "went_out", "deck_out", "not_enough" or "turn_cap". Fortunes only where they are told;
    the totals follow in `round_over`."""

    reason: str
    rows: tuple[Pile, ...]
    safe: tuple[Pile, ...]
    hands: tuple[Pile, ...]
    points: Scores
    next_dealer: int
    fortunes: tuple[Fortune, ...]

    @property
    def out(self) -> tuple[int, ...]:
        """The seats without cards: often one, with an ace more."""
        return tuple(seat for seat, hand in enumerate(self.hands, 1) if not hand)
