"""How near a hand is to a contract: the plan that lacks the fewest cards, and what those cards are."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from snug.engine.cards import SUITS, Card, Pile
from snug.engine.melds import CARD_AT, HIGHEST, LOWEST, NATURALS, RUN_LENGTH, SET_LENGTH, Contract, Kind
from snug.games.liverpool.partial_melds import Suits, sort_out, without

_BREADTH: Final = 5  # so many of the most promising windows are tried for each run
_WINDOWS: Final = tuple(15 << low for low in range(LOWEST, HIGHEST - RUN_LENGTH + 2))

Window = tuple[int, int, int]  # suit, first position, positions that are held


class Plan(msgspec.Struct, frozen=True):
    """A meld to come: the cards held for it and those that would complete it, jokers apart. A set of `rank` lacks any
    `lacking` cards of that rank; a run lacks just its `wanted` cards."""

    kind: Kind
    held: Pile
    wanted: Pile
    lacking: int
    rank: int | None = None


class HandPlan(msgspec.Struct, frozen=True):
    """The plans for all melds of the contract, the jokers that can stand in, how many cards are lacking after that,
    and the cards of the hand that no plan needs."""

    plans: tuple[Plan, ...]
    jokers: int
    missing: int
    spare: Pile


@lru_cache(maxsize=2048)
def hand_plan(hand: Pile, contract: Contract) -> HandPlan:
    """The plan that lacks the fewest cards and, among equals, leaves the fewest points."""
    cards = sort_out(hand)
    best: tuple[tuple[int, int], tuple[Window, ...], tuple[int, ...]] | None = None
    for windows, ranks in _choices(cards.suits, list(cards.ranks), contract.runs):
        sets = _best_ranks(ranks, contract.sets)
        lacks = [RUN_LENGTH - held.bit_count() for _, _, held in windows]
        lacks += [max(0, SET_LENGTH - ranks[rank]) for rank in sets]
        most = (RUN_LENGTH - NATURALS,) * len(windows) + (SET_LENGTH - NATURALS,) * len(sets)
        helped = min(cards.jokers, sum(map(min, lacks, most)))
        laid = sum(min(10, at) for _, low, held in windows for at in range(low, low + RUN_LENGTH) if held >> at & 1)
        laid += sum(min(10, rank) * ranks[rank] for rank in sets)
        worth = (sum(lacks) - helped + _touch(windows), -laid)
        if best is None or worth < best[0]:
            best = worth, windows, sets
    assert best is not None
    return _spelt_out(hand, cards.jokers, *best)


def _touch(windows: tuple[Window, ...]) -> bool:
    """Whether one begins right where another ends, so that another card is needed after all."""
    starts = {(suit, low) for suit, low, _ in windows}
    return any((suit, low + RUN_LENGTH) in starts for suit, low, _ in windows)


def _choices(suits: Suits, ranks: list[int], runs: int) -> Iterable[tuple[tuple[Window, ...], list[int]]]:
    """Choices of promising windows for so many runs, with the ranks that are left for sets."""
    choices: dict[tuple[Window, ...], tuple[Suits, list[int]]] = {(): (suits, ranks)}
    for _ in range(runs):
        more: dict[tuple[Window, ...], tuple[Suits, list[int]]] = {}
        for chosen, (masks, left) in choices.items():
            for window in _most_promising(masks):
                extended = tuple(sorted((*chosen, window)))
                if extended not in more:
                    more[extended] = _used(masks, left, window)
        choices = more
    return ((windows, left) for windows, (_, left) in choices.items())


def _most_promising(suits: Suits) -> list[Window]:
    windows = [
        (suit, low, held) for suit, masks in enumerate(suits) if masks for low, held in promising_windows(masks[0])
    ]
    windows.sort(key=lambda window: -window[2].bit_count())
    return windows[:_BREADTH] or [(0, LOWEST, 0)]


def _used(suits: Suits, ranks: list[int], window: Window) -> tuple[Suits, list[int]]:
    """The cards left when a window has taken its own."""
    suit, low, held = window
    if not held:
        return suits, ranks
    left = list(ranks)
    for at in range(low, low + RUN_LENGTH):
        if held >> at & 1:
            left[1 if at == HIGHEST else at] -= 1
    return (*suits[:suit], without(suits[suit], held), *suits[suit + 1 :]), left


@lru_cache(maxsize=8192)
def promising_windows(mask: int) -> tuple[tuple[int, int], ...]:
    """A suit's windows as first position and positions held; of those that hold the same cards the middle one."""
    best: dict[int, int] = {}
    for low, window in enumerate(_WINDOWS, LOWEST):
        held = mask & window
        if held:
            span = (held.bit_length() - 1) + (held & -held).bit_length() - 1  # lowest plus highest
            if held not in best or abs(2 * low + 3 - span) < abs(2 * best[held] + 3 - span):
                best[held] = low
    subsets = [held for held in best if any(held & other == held != other for other in best)]
    return tuple((low, held) for held, low in best.items() if held not in subsets)


def _best_ranks(ranks: list[int], sets: int) -> tuple[int, ...]:
    """The ranks of which most cards are held, the dearest first among equals."""
    return tuple(sorted(range(1, 14), key=lambda rank: (-min(ranks[rank], SET_LENGTH), -min(rank, 10)))[:sets])


def _spelt_out(
    hand: Pile, jokers: int, worth: tuple[int, int], windows: tuple[Window, ...], sets: tuple[int, ...]
) -> HandPlan:
    spare = list(hand)

    def held(card: Card) -> Card:
        spare.remove(card)
        return card

    plans: list[Plan] = []
    for suit, low, mask in windows:
        places = [(at, CARD_AT[SUITS[suit], at]) for at in range(low, low + RUN_LENGTH)]
        wanted = tuple(card for at, card in places if not mask >> at & 1)
        plans.append(Plan("run", tuple(held(card) for at, card in places if mask >> at & 1), wanted, len(wanted)))
    for rank in sets:
        mine = tuple(held(card) for card in tuple(spare) if card.rank == rank)
        wanted = tuple(CARD_AT[suit, rank] for suit in SUITS)
        plans.append(Plan("set", mine, wanted, max(0, SET_LENGTH - len(mine)), rank))
    return HandPlan(tuple(plans), jokers, worth[0], tuple(card for card in spare if not card.is_joker))
