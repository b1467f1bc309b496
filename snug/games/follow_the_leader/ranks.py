"""Neighbouring ranks on the circle A-2-…-Q-K-A: what the top card may stand for, and what may follow it: §7.1."""

from typing import Final

import msgspec

from snug.engine.cards import RANKS, Card
from snug.words import Message, gettext, listed

_CIRCLE: Final = len(RANKS)


class Arc(msgspec.Struct, frozen=True):
    """`size` ranks upwards from `low`, which is 1 (ace) to 13 (king). Jokers only ever widen at the ends, so every
    rank set of the game is an arc."""

    low: int = 1
    size: int = 0

    def holds(self, card: Card) -> bool:
        """Whether the card is one of these ranks. A joker always is (§7.1)."""
        return card.is_joker or (card.rank - self.low) % _CIRCLE < self.size

    def widened(self, below: bool) -> "Arc":
        """§7.1: the next rank up, too; with `below` also the next one down."""
        if not self.size:
            return self
        size = self.size + 1 + below
        return ALL if size >= _CIRCLE else Arc((self.low - 1 - below) % _CIRCLE + 1, size)

    @property
    def ranks(self) -> tuple[str, ...]:
        """As cards write them, from the lowest: `("Q", "K", "A")`."""
        return tuple(RANKS[(self.low - 1 + step) % _CIRCLE] for step in range(self.size))


NONE_YET: Final = Arc()
ALL: Final = Arc(1, _CIRCLE)
ONE: Final = {rank: Arc(rank, 1) for rank in range(1, _CIRCLE + 1)}


def arc_of(ranks: frozenset[int]) -> Arc | None:
    """The arc of just these ranks; None where they leave a gap."""
    if len(ranks) in (0, _CIRCLE):
        return ALL if ranks else NONE_YET
    lowest = [rank for rank in ranks if (rank - 2) % _CIRCLE + 1 not in ranks]
    return Arc(lowest[0], len(ranks)) if len(lowest) == 1 else None


def in_words(ranks: tuple[str, ...]) -> str:
    """`8, 9 or 10`."""
    return listed(ranks, either=True)


def with_joker(ranks: str) -> Message:
    """`8, 9 or 10, or a joker`."""
    return gettext("%(ranks)s, or a joker", ranks=ranks)
