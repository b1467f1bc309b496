"""What comes of the moves of Hearts: §9."""

import msgspec
from snug.engine.cards import Card, Pile
from snug.engine.game import Event, Scores

Shown = tuple[Pile | None, ...]


def _own(piles: Shown, seat: int | None) -> Shown:
    return tuple(pile if number == seat else None for number, pile in enumerate(piles, 1))


class DealStarted(Event, frozen=True, tag="deal_started"):
    """Everybody has a hand. `hands[seat - 1]` is None where it is hidden; `receivers[seat - 1]` gets the cards that a
    seat passes, in a deal in which cards are passed."""

    deal_no: int
    dealer: int
    hand_size: int
    receivers: tuple[int, ...]
    hands: Shown

    def seen_by(self, seat: int | None) -> "DealStarted":
        """A seat sees its own cards."""
        return msgspec.structs.replace(self, hands=_own(self.hands, seat))


class CardsChosen(Event, frozen=True, tag="cards_chosen"):
    """A seat has chosen the cards that it passes; which ones only that seat knows."""

    seat: int
    cards: Pile | None

    def seen_by(self, seat: int | None) -> "CardsChosen":
        """Others see that it has."""
        return self if seat == self.seat else msgspec.structs.replace(self, cards=None)


class CardsPassed(Event, frozen=True, tag="cards_passed"):
    """Everybody has chosen, and the cards changed hands: `received[seat - 1]`, None where it is hidden."""

    received: Shown

    def seen_by(self, seat: int | None) -> "CardsPassed":
        """A seat sees what came to it."""
        return msgspec.structs.replace(self, received=_own(self.received, seat))


class CardPlayed(Event, frozen=True, tag="card_played"):
    """A seat put a card into the trick; `led` if it was the first."""

    seat: int
    card: Card
    led: bool


class HeartsBroken(Event, frozen=True, tag="hearts_broken"):
    """From now on hearts may be led."""

    seat: int


class TrickTaken(Event, frozen=True, tag="trick_taken"):
    """The trick is complete and goes to a seat, with so many points in it."""

    seat: int
    cards: Pile
    points: int


class DealOver(Event, frozen=True, tag="deal_over"):
    """All tricks are taken. `shooter` has taken every point."""

    points: Scores
    shooter: int | None
