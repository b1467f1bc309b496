"""Ways to lay down a contract from a hand: whether there is one, and the best ones as melds."""

from functools import lru_cache
from itertools import islice
from typing import Any, Final

import msgspec

from snug.engine.cards import JOKER, PACK, SUITS, Card, Pile
from snug.engine.melds import CARD_AT, LONGEST_RUN, Contract, Laid, points_of
from snug.games.liverpool.partial_melds import PartialMelds, Run, partial_melds

_ORDER: Final = {card: SUITS.index(card.suit) for card in PACK} | {JOKER: len(SUITS)}
_ENOUGH: Final = 150  # so many skeletons are fleshed out when the best arrangements are wanted


class Arrangement(msgspec.Struct, frozen=True):
    """A way to lay down the contract, what stays in the hand, and what that would cost."""

    melds: tuple[Laid, ...]
    left: Pile
    points: int


@lru_cache(maxsize=4096)
def can_lay(hand: Pile, contract: Contract, keep: int = 0) -> bool:
    """Whether the contract can be laid down from this hand so that so many cards stay in it."""
    return next(partial_melds(hand, contract, keep), None) is not None


def arrangements(hand: Pile, contract: Contract, most: int = 5, keep: int = 0) -> tuple[Arrangement, ...]:
    """The best ways to lay down the contract and keep `keep` cards, the fewest points left first; there may be none."""
    found: dict[Any, Arrangement] = {}
    for partial in islice(partial_melds(hand, contract, keep), _ENOUGH):
        arrangement = _fleshed_out(partial, list(hand), keep)
        found.setdefault(_regardless_of_order(arrangement.melds), arrangement)
    return tuple(sorted(found.values(), key=lambda one: (one.points, len(one.left)))[:most])


def leanest(hand: Pile, contract: Contract, keep: int = 0) -> Arrangement | None:
    """The way to lay down the contract that gives away the fewest points, no card more than it takes; None if there is
    none. With `everything` to be laid there is nothing to choose."""
    found = [
        _fleshed_out(partial, list(hand), keep if contract.everything else len(hand))
        for partial in islice(partial_melds(hand, contract, keep), _ENOUGH)
    ]
    return max(found, key=lambda one: (one.points, len(one.left)), default=None)


def _regardless_of_order(melds: tuple[Laid, ...]) -> Any:
    return tuple(sorted((meld.kind, tuple(sorted(meld.cards)) if meld.kind == "set" else meld.cards) for meld in melds))


class _Pool:
    """The cards of a hand that are not in a meld yet, of which so many must stay."""

    def __init__(self, cards: list[Card], keep: int) -> None:
        self.cards, self.keep = cards, keep

    def take(self, card: Card) -> Card:
        self.cards.remove(card)
        return card

    def spares(self, card: Card) -> bool:
        """Whether the card is there and need not stay."""
        return len(self.cards) > self.keep and card in self.cards


def _fleshed_out(partial: PartialMelds, hand: list[Card], keep: int) -> Arrangement:
    """The skeleton with every other card that can go with it."""
    pool = _Pool(hand, keep)
    suits = [SUITS[suit] for suit, _ in partial.runs]
    lows = [run.low for _, run in partial.runs]
    runs = [_run(suit, run, pool) for suit, (_, run) in zip(suits, partial.runs, strict=True)]
    sets: list[list[Card]] = []
    for rank, naturals, jokers in partial.sets:
        mine = [card for card in pool.cards if card.rank == rank]
        if suits:
            mine.sort(key=lambda card: card.suit in suits)
        sets.append([pool.take(card) for card in (*mine[:naturals], *[JOKER] * jokers)])
    _grow(suits, lows, runs, pool, with_jokers=False)
    for (rank, _, _), pile in zip(partial.sets, sets, strict=True):
        pile += [pool.take(card) for card in tuple(pool.cards) if card.rank == rank and pool.spares(card)]
    while sets and pool.spares(JOKER):
        sets[0].append(pool.take(JOKER))
    _grow(suits, lows, runs, pool, with_jokers=True)
    for pile in sets:
        pile.sort(key=_ORDER.__getitem__)
    melds = (*(Laid("set", tuple(pile)) for pile in sets), *(Laid("run", tuple(pile)) for pile in runs))
    return Arrangement(melds, tuple(pool.cards), points_of(pool.cards))


def _run(suit: str, run: Run, pool: _Pool) -> list[Card]:
    places = range(run.low, run.low + run.length)
    return [pool.take(CARD_AT[suit, at] if run.naturals >> at & 1 else JOKER) for at in places]


def _grow(suits: list[str], lows: list[int], runs: list[list[Card]], pool: _Pool, *, with_jokers: bool) -> None:
    """Puts cards on the ends of the runs while they fit and no two runs come to touch."""
    grown = True
    while grown:
        grown = False
        for index, (suit, pile) in enumerate(zip(suits, runs, strict=True)):
            low = lows[index]
            for at in (low + len(pile), low - 1):
                card = CARD_AT.get((suit, at)) if len(pile) < LONGEST_RUN else None
                if card is not None and not pool.spares(card):
                    card = JOKER if with_jokers and pool.spares(JOKER) else None
                if card is None or _would_touch(at, at > low, index, suits, lows, runs):
                    continue
                pile.insert(len(pile) if at > low else 0, pool.take(card))
                lows[index] = min(low, at)
                grown = True
                break


def _would_touch(at: int, above: bool, index: int, suits: list[str], lows: list[int], runs: list[list[Card]]) -> bool:
    """Whether run `index`, grown to this position, would begin or end right beside another of its suit."""
    return any(
        suits[other] == suits[index] and at == (lows[other] - 1 if above else lows[other] + len(runs[other]))
        for other in range(len(runs))
        if other != index
    )
