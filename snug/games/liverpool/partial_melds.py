"""The search behind `snug.games.liverpool.meld_search`: the least that makes a contract from a hand, in all its ways.

A hand is sorted out into masks: bit n of a suit's first mask says that position n can be filled, of its second that
it can be filled twice, and so on. An ace sets the bits of both its positions and leaves both when it is used.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from snug.engine.cards import PACK, SUITS, Pile
from snug.engine.melds import HIGHEST, LONGEST_RUN, LOWEST, NATURALS, RUN_LENGTH, SET_LENGTH, Contract

_ACES: Final = 1 << LOWEST | 1 << HIGHEST
_PLACES: Final = {
    card: (SUITS.index(card.suit), _ACES if card.rank == 1 else 1 << card.rank, card.rank) for card in PACK
}
_DEAREST_FIRST: Final = (1, *range(13, 1, -1))

Suits = tuple[tuple[int, ...], ...]  # the masks of each suit


class Run(NamedTuple):
    """A run to be made: its first position, its length, which positions get naturals, how many get jokers."""

    low: int
    length: int
    naturals: int
    jokers: int


Runs = tuple[tuple[int, Run], ...]  # each with its suit
Sets = tuple[tuple[int, int, int], ...]  # each as rank, naturals and jokers
Shapes = Callable[[int, int], tuple[Run, ...]]


class PartialMelds(NamedTuple):
    """The least that makes a contract."""

    runs: Runs
    sets: Sets

    @property
    def size(self) -> int:
        """How many cards it has."""
        return SET_LENGTH * len(self.sets) + sum(run.length for _, run in self.runs)


class SortedHand(NamedTuple):
    """A hand sorted out: masks per suit, number of cards per rank, jokers."""

    suits: Suits
    ranks: tuple[int, ...]
    jokers: int


def sort_out(hand: Pile) -> SortedHand:
    """The hand as masks and numbers."""
    suits: list[list[int]] = [[], [], [], []]
    ranks = [0] * 14
    jokers = 0
    for card in hand:
        if card.is_joker:
            jokers += 1
            continue
        suit, bits, rank = _PLACES[card]
        ranks[rank] += 1
        masks = suits[suit]
        for copy, mask in enumerate(masks):
            if not mask & bits:
                masks[copy] = mask | bits
                break
        else:
            masks.append(bits)
    return SortedHand(tuple(map(tuple, suits)), tuple(ranks), jokers)


def without(masks: tuple[int, ...], naturals: int) -> tuple[int, ...]:
    """A suit's masks when these positions have been used once."""
    used = naturals | _ACES if naturals & _ACES else naturals
    left = [mask & ~used | more & used for mask, more in zip(masks, (*masks[1:], 0), strict=True)]
    return tuple(left) if left[-1] else tuple(left[:-1])


def partial_melds(hand: Pile, contract: Contract, keep: int = 0) -> Iterator[PartialMelds]:
    """All skeletons of a contract that leave so many cards in the hand; if everything must go, ways to use up all."""
    cards = sort_out(hand)
    if contract.everything:
        return (
            PartialMelds(runs, ()) for runs in _covers(cards.suits, cards.jokers, contract.runs) if not _touch(runs)
        )
    cheapest = _offers(list(cards.ranks))[: contract.sets]
    if len(cheapest) < contract.sets or sum(need for need, _ in cheapest) > cards.jokers:
        return iter(())
    return _apart(cards, contract, len(hand) - keep)


def _apart(cards: SortedHand, contract: Contract, most: int) -> Iterator[PartialMelds]:
    """Skeletons of at most so many cards without runs that touch: short runs, and if these all touch, longer ones."""
    touching = found = False
    for partial in _combined(cards, contract, _shortest):
        if _touch(partial.runs):
            touching = True
        elif partial.size <= most:
            found = True
            yield partial
    if touching and not found:
        for partial in _combined(cards, contract, _every):
            if partial.size <= most and not _touch(partial.runs):
                yield partial


def _combined(cards: SortedHand, contract: Contract, shapes: Shapes) -> Iterator[PartialMelds]:
    """The contract's skeletons with runs of these shapes. Whether runs touch is not asked."""
    for runs in _runs(cards.suits, cards.jokers, contract.runs, shapes):
        ranks = list(cards.ranks)
        for _, run in runs:
            for at in range(run.low, run.low + run.length):
                if run.naturals >> at & 1:
                    ranks[1 if at == HIGHEST else at] -= 1
        jokers = cards.jokers - sum(run.jokers for _, run in runs)
        for sets in _sets(ranks, jokers, contract.sets):
            yield PartialMelds(runs, sets)


# Sets


def _offers(ranks: list[int]) -> list[tuple[int, int]]:
    """The sets that can be made, each as the jokers it needs and its rank, cheap ones and dear cards first."""
    triples: list[tuple[int, int]] = []
    pairs: list[tuple[int, int]] = []
    split: list[tuple[int, int]] = []  # four cards as two pairs with a joker each, one of them in place of a triple
    for rank in _DEAREST_FIRST:
        number = ranks[rank]
        if number >= NATURALS:
            whole, rest = divmod(number, SET_LENGTH)
            triples += [(0, rank)] * whole
            if rest == NATURALS:
                pairs.append((1, rank))
            elif rest and whole:
                split.append((2, rank))
    return triples + pairs + split


def _sets(ranks: list[int], jokers: int, wanted: int) -> Iterator[Sets]:
    """Choices of so many sets, the one that needs the fewest jokers first."""
    for chosen in dict.fromkeys(combinations(_offers(ranks), wanted)):
        if sum(need for need, _ in chosen) <= jokers and all(need < 2 or (0, rank) in chosen for need, rank in chosen):
            pairs = [rank for need, rank in chosen if need == 2]
            split: list[tuple[int, int, int]] = []
            for need, rank in chosen:
                is_pair = bool(need)
                if not need and rank in pairs:
                    pairs.remove(rank)
                    is_pair = True
                split.append((rank, NATURALS, 1) if is_pair else (rank, SET_LENGTH, 0))
            yield tuple(split)


# Runs


def _runs(
    suits: Suits, jokers: int, wanted: int, shapes: Shapes, after: tuple[int, Run] | None = None
) -> Iterator[Runs]:
    """Choices of so many runs of these shapes, each in one order only."""
    if not wanted:
        yield ()
        return
    first, least = after or (0, Run(0, 0, 0, 0))
    for suit in range(first, len(SUITS)):
        masks = suits[suit]
        for run in shapes(masks[0], jokers) if masks else ():
            if suit > first or run >= least:
                rest = (*suits[:suit], without(masks, run.naturals), *suits[suit + 1 :])
                for others in _runs(rest, jokers - run.jokers, wanted - 1, shapes, (suit, run)):
                    yield (suit, run), *others


def _touch(runs: Runs) -> bool:
    """Whether one run begins right where another of its suit ends."""
    if len(runs) < 2:
        return False
    starts = {(suit, run.low) for suit, run in runs}
    return any((suit, run.low + run.length) in starts for suit, run in runs)


@lru_cache(maxsize=4096)
def _fillings(held: int, length: int, jokers: int) -> tuple[tuple[int, int], ...]:
    """The ways to fill so many places, of which a natural is held for these, with at most so many jokers: the places
    that get naturals, and how many jokers; those with the fewest first."""
    places = [1 << at for at in range(length) if held >> at & 1]
    return tuple(
        (sum(chosen), length - number)
        for number in range(len(places), max(NATURALS, length - jokers) - 1, -1)
        for chosen in combinations(places, number)
    )


def _filled(mask: int, low: int, length: int, jokers: int) -> list[Run]:
    """The runs at this place with at most so many jokers, those with the fewest first."""
    fillings = _fillings(mask >> low & (1 << length) - 1, length, jokers)
    return [Run(low, length, naturals << low, needed) for naturals, needed in fillings]


@lru_cache(maxsize=4096)
def _shortest(mask: int, jokers: int) -> tuple[Run, ...]:
    """The runs of a suit from which no end can be left out: four cards long, or two naturals with jokers between."""
    runs: list[Run] = []
    for low in range(LOWEST, HIGHEST - RUN_LENGTH + 2):
        runs += _filled(mask, low, RUN_LENGTH, jokers)
    for length in range(RUN_LENGTH + 1, min(LONGEST_RUN, jokers + NATURALS) + 1):
        ends = 1 | 1 << length - 1
        runs += [
            Run(low, length, ends << low, length - NATURALS)
            for low in range(LOWEST, HIGHEST - length + 2)
            if mask >> low & ends == ends
        ]
    return tuple(sorted(runs, key=lambda run: run.jokers))


@lru_cache(maxsize=256)
def _every(mask: int, jokers: int) -> tuple[Run, ...]:
    """All runs of a suit, the longest first."""
    return tuple(
        run
        for length in range(LONGEST_RUN, RUN_LENGTH - 1, -1)
        for low in range(LOWEST, HIGHEST - length + 2)
        for run in _filled(mask, low, length, jokers)
    )


# The whole hand in runs


def _covers(suits: Suits, jokers: int, wanted: int) -> Iterator[Runs]:
    """Ways to put every natural and every joker into so many runs. The lowest card (aces wait) must be in one."""
    if sum(map(len, suits)) > wanted:
        return
    suit = next((suit for suit, masks in enumerate(suits) if masks), None)
    if suit is None:
        if not wanted and not jokers:
            yield ()
        return
    masks = suits[suit]
    if wanted == 1:
        yield from (((suit, run),) for run in _whole(masks[0], jokers))
        return
    lowest = masks[0] & ~_ACES
    lowest &= -lowest
    for run in _every(masks[0], jokers):
        if run.naturals & lowest:
            rest = (*suits[:suit], without(masks, run.naturals), *suits[suit + 1 :])
            for others in _covers(rest, jokers - run.jokers, wanted - 1):
                yield (suit, run), *others


@lru_cache(maxsize=4096)
def _whole(mask: int, jokers: int) -> tuple[Run, ...]:
    """The runs that use up a suit's mask and so many jokers."""
    number = (mask & ~_ACES).bit_count() + bool(mask & _ACES)
    length = number + jokers
    if number < NATURALS or not RUN_LENGTH <= length <= LONGEST_RUN:
        return ()
    windows = [(low, mask & ((1 << length) - 1 << low)) for low in range(LOWEST, HIGHEST - length + 2)]
    return tuple(Run(low, length, held, jokers) for low, held in windows if held.bit_count() == number)
