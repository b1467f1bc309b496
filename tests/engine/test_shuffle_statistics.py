"""Decks by the dealer's own way, from a sealed secret to a shuffled pack, counted: a small number with a key that never
changes, or as many as one likes with a fresh secret:
`SNUG_DECKS=1000000 python -m pytest tests/engine/test_shuffle_statistics.py -n 0 -s`. Shuffles that are wrong in
well-known ways are found by the same tests.

Statistics show no bias. That nobody foresees a deal is shown elsewhere.
"""

import math
import os
import secrets
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import NamedTuple

import pytest

from snug.engine.cards import PACK, Pile
from snug.engine.chance import Chance
from snug.engine.fairness import move_key, round_key
from tests.engine.test_chance import fair, naive, sattolo

DECKS = int(os.environ.get("SNUG_DECKS", "0"))
FEW, WRONG = 20_000, 5_000
_NUMBER = {card: number for number, card in enumerate(PACK)}
_SECRET = bytes(32)
_BAND = 3.0902  # deviations: from 0.1 to 99.9 %
Shuffler = Callable[[Chance, Pile], Pile]


class Found(NamedTuple):
    """How many deviations each count lies from what it should be."""

    places: float
    orders: float
    fixed: float
    rising: float

    @property
    def worst(self) -> float:
        """The farthest."""
        return max(map(abs, self))


def chances(secret: bytes, decks: int) -> Iterator[Chance]:
    """A stream for each deck, as a round's first dealer's move has it."""
    for number in range(decks):
        yield Chance(move_key(round_key(secret, "17", 1, number, ["11" * 16, ""]), "", 0))


def normal(chi_squared: float, freedom: int) -> float:
    """How many deviations of a normal distribution this is (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return float(((chi_squared / freedom) ** (1 / 3) - (1 - part)) / math.sqrt(part))


def counted(shuffle: Shuffler, decks: int, secret: bytes = _SECRET) -> Found:
    """Shuffles so many packs and five cards with each, and counts.

    Places: each card in each place of the pack, 51² degrees of freedom, and as every pack fills all rows and columns at
    once, the factor 51/52. Orders: those of five cards. Fixed: cards that stay where they were; one a pack on average,
    and variance one. Rising: neighbours that lie one after the other as before; 51/52 a pack on average.
    """
    size, five = len(PACK), PACK[:5]
    places = [0] * size * size
    orders = dict.fromkeys(permutations(five), 0)
    fixed = rising = 0
    for chance in chances(secret, decks):
        before = -2
        for place, card in enumerate(shuffle(chance, PACK)):
            number = _NUMBER[card]
            places[place * size + number] += 1
            fixed += place == number
            rising += number == before + 1
            before = number
        orders[tuple(shuffle(chance, five))] += 1
    each, of_order = decks / size, decks / len(orders)
    of_places = sum((count - each) ** 2 for count in places) / each * (size - 1) / size
    of_orders = sum((count - of_order) ** 2 for count in orders.values()) / of_order
    mean = (size - 1) / size
    variance = mean + (size - 2) / size - mean**2  # of rising pairs: E[R] + E[R(R - 1)] - E[R]²
    return Found(
        normal(of_places, (size - 1) ** 2),
        normal(of_orders, len(orders) - 1),
        (fixed - decks) / math.sqrt(decks),
        (rising - decks * mean) / math.sqrt(decks * variance),
    )


def too_small_words(chance: Chance, cards: Pile) -> Pile:
    """Words of six bits, taken modulo what is needed: small numbers come too often."""
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        other = chance.below(64) % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def by_sorting(chance: Chance, cards: Pile) -> Pile:
    """Sorted by a number of eight bits for each card: of two with the same number the first stays first."""
    return tuple(sorted(cards, key=lambda _: chance.below(256)))


def cut_only(chance: Chance, cards: Pile) -> Pile:
    """Every card is everywhere equally often, and yet nothing was shuffled."""
    at = chance.below(len(cards))
    return cards[at:] + cards[:at]


@pytest.mark.dear(1.5, "frequencies need many decks")
def test_nothing_about_shuffled_decks_is_more_frequent_than_it_should_be() -> None:
    began = time.perf_counter()
    found = counted(fair, DECKS or FEW, secrets.token_bytes(32) if DECKS else _SECRET)
    print(f"\n{DECKS or FEW:,} decks in {time.perf_counter() - began:.0f} s, in deviations: {found}")
    assert found.worst < _BAND, found


@pytest.mark.parametrize("wrong", [naive, sattolo, too_small_words, by_sorting, cut_only])
def test_wrong_shuffles_are_found(wrong: Shuffler) -> None:
    found = counted(wrong, WRONG)
    assert found.worst > 2 * _BAND, found
