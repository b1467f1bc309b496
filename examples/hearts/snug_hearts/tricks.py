"""Tricks: who plays when, what follows, who takes. Nothing here knows what a card costs."""

from collections.abc import Iterator, Sequence

import msgspec
from snug.engine.cards import Card, Pile

_ACE_HIGH = 14


class Trick(msgspec.Struct, frozen=True):
    """Cards played one by one to the left, beginning with the leader's."""

    leader: int
    cards: Pile = ()

    def seats(self, seats: int) -> Iterator[tuple[int, Card]]:
        """Who played what, at a table of so many."""
        for step, card in enumerate(self.cards):
            yield (self.leader + step - 1) % seats + 1, card

    def turn(self, seats: int) -> int:
        """Whose card comes next."""
        return (self.leader + len(self.cards) - 1) % seats + 1

    @property
    def best(self) -> Card:
        """The highest card of the suit led, which takes the trick. There must be a card."""
        return max((card for card in self.cards if card.suit == self.cards[0].suit), key=height)

    def winner(self, seats: int) -> int:
        """The seat whose card takes the trick, so far."""
        return (self.leader + self.cards.index(self.best) - 1) % seats + 1


def height(card: Card) -> int:
    """2 to 14: the ace is high."""
    return _ACE_HIGH if card.rank == 1 else card.rank


def following(hand: Sequence[Card], trick: Trick) -> tuple[Card, ...]:
    """The cards of a hand that follow suit."""
    return tuple(card for card in hand if card.suit == trick.cards[0].suit)
