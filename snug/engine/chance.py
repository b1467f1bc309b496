"""The dealer: what must be shuffled, drawn or chosen now, and outcomes made from a key.

Chance enters the rules only here and only as recorded moves of seat 0, so a record replays exactly. The same key
gives the same outcomes on every machine: HMAC-SHA256 in counter mode, numbers by rejection, Fisher-Yates.
"""

import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from struct import unpack

import msgspec

from snug.engine.cards import JOKER, Card, Part, Pile

_WORD = 1 << 32


class Shuffle(msgspec.Struct, frozen=True, tag_field="move", tag="shuffle", forbid_unknown_fields=True):
    """A whole shuffled pile, from the top."""

    cards: Pile


class Draw(msgspec.Struct, frozen=True, tag_field="move", tag="draw", forbid_unknown_fields=True):
    """One card picked at random from a hidden hand."""

    card: Card


class Choose(msgspec.Struct, frozen=True, tag_field="move", tag="choose", forbid_unknown_fields=True):
    """One seat picked at random."""

    value: int


Outcome = Shuffle | Draw | Choose


def _words(key: bytes) -> Iterator[int]:
    """Numbers below 2 ** 32 without end."""
    for block in count():
        yield from unpack(">8I", hmac.digest(key, block.to_bytes(8, "big"), "sha256"))


class Chance:
    """An endless stream of unbiased numbers from a key of any length. Equal keys give equal streams."""

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1, each equally likely: words past the last whole multiple are thrown away."""
        fair = _WORD - _WORD % limit
        while (word := next(self._words)) >= fair:
            pass
        return word % limit

    def shuffled(self, things: Sequence[Part]) -> tuple[Part, ...]:
        """Cards, or what else there is, in an order of which all are equally likely."""
        deck = list(things)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)


class ShuffleDue(msgspec.Struct, frozen=True):
    """These cards are to be shuffled, after `jokers` random ones of them were replaced by jokers unseen."""

    cards: Pile
    jokers: int = 0

    def outcome(self, chance: Chance) -> Shuffle:
        """A shuffle made from `chance`."""
        kept = chance.shuffled(self.cards)[self.jokers :]
        return Shuffle(chance.shuffled(kept + (JOKER,) * self.jokers))

    def admits(self, outcome: Outcome) -> bool:
        """Whether this can be the outcome."""
        if not isinstance(outcome, Shuffle) or len(outcome.cards) != len(self.cards):
            return False
        surplus = Counter(outcome.cards)
        surplus.subtract(self.cards)
        return surplus[JOKER] == self.jokers and all(n <= 0 for card, n in surplus.items() if not card.is_joker)


class DrawDue(msgspec.Struct, frozen=True):
    """A card is to be picked at random from these."""

    cards: Pile

    def outcome(self, chance: Chance) -> Draw:
        """A draw made from `chance`."""
        return Draw(self.cards[chance.below(len(self.cards))])

    def admits(self, outcome: Outcome) -> bool:
        """Whether this can be the outcome."""
        return isinstance(outcome, Draw) and outcome.card in self.cards


class ChooseDue(msgspec.Struct, frozen=True):
    """A seat from 1 to `seats` is to be picked at random."""

    seats: int

    def outcome(self, chance: Chance) -> Choose:
        """A choice made from `chance`."""
        return Choose(1 + chance.below(self.seats))

    def admits(self, outcome: Outcome) -> bool:
        """Whether this can be the outcome."""
        return isinstance(outcome, Choose) and 1 <= outcome.value <= self.seats


Due = ShuffleDue | DrawDue | ChooseDue


def chance_of(seed: str, nth: int) -> Chance:
    """The chance of the `nth` dealer's move (from 0) of a record with this seed text."""
    return Chance(hmac.digest(b"snug record seed", f"{nth}:{seed}".encode(), "sha256"))
