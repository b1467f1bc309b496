"""What a hand needs for a contract, worked out on numbers: quick enough to play a hand out in a millisecond.

Cards are numbers here: suit times 13 plus rank less 1, and 52 for a joker. A set of cards is a mask with bit n for
number n. In a suit's mask of positions bit 1 is the ace below the two, bit 14 that above the king.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple

from snug.engine.cards import JOKER, RANKS, SUITS, Card, Pile
from snug.engine.melds import CARD_AT, HIGHEST, LOWEST, POINTS, RUN_LENGTH, SET_LENGTH, Contract
from snug.games.liverpool.thinking.hand_plan import Window, promising_windows

WILD: Final = 52
CARD_OF: Final = (*(CARD_AT[suit, at] for suit in SUITS for at in range(1, 14)), JOKER)
NUMBER_OF: Final[dict[Card, int]] = {card: number for number, card in enumerate(CARD_OF)}
POINTS_OF: Final = tuple(POINTS[card] for card in CARD_OF)
BIT: Final = tuple(1 << number for number in range(WILD + 1))
RANK_MASK: Final = tuple(sum(1 << suit * 13 + at for suit in range(4)) for at in range(len(RANKS)))
_ACES: Final = 1 << LOWEST | 1 << HIGHEST
_PLACE: Final = tuple(_ACES if number % 13 == 0 else 1 << number % 13 + 1 for number in range(WILD))
_WHOLE: Final = (1 << RUN_LENGTH) - 1
_COUNTS: Final = (0, 1, 2, *[SET_LENGTH] * 14)  # so many of the cards of a rank help a set, of four decks at most
_DEAR: Final = tuple(min(rank, 9) for rank in range(13))
_RANKS: Final = range(len(RANKS))
# What a rank is worth to a set, by how many cards of it are held: the dearest first among equals.
_WORTH: Final = tuple(tuple(count * 16 + dear for count in _COUNTS) for dear in _DEAR)
_RANKS_IN: Final = {
    held << low: tuple((low + place - 1) % 13 for place in range(RUN_LENGTH) if held >> place & 1)
    for low in range(LOWEST, HIGHEST - RUN_LENGTH + 2)
    for held in range(1 << RUN_LENGTH)
}  # the ranks at the positions held in a window
_NEAR: Final = tuple(0x7F << at >> 3 & 0x7FFE for at in range(HIGHEST + 1))  # positions up to three away
_BREADTH: Final = 8  # so many of the most promising windows are tried for the runs
PAIR: Final = 5.0  # what a spare card is worth, in points, for each other card that it could become a meld with
NEIGHBOUR: Final = 3.0
_OTHER_PLAN: Final = 4.0  # and for having a place in another plan that is as good
WORTH_BUYING: Final = 7.0  # a promise of so much is bought, with the second card that this costs

Hand = tuple[int, ...]
# Windows with how many of their cards are held, and how many right beside them.
Choice = tuple[tuple[int, int, int, int, int], ...]
_MOST_HELD: Final = itemgetter(0)


class Needs(NamedTuple):
    """How many cards are missing, the mask of those that would help, the plan (windows for runs and ranks for sets,
    from 0), and the spare cards, each with what it is worth, the most useless first."""

    missing: int
    wants: int
    windows: tuple[Window, ...]
    ranks: tuple[int, ...]
    spare: tuple[tuple[float, int], ...]


def numbers_of(cards: Pile) -> Hand:
    """The cards as numbers, in order."""
    return tuple(sorted([NUMBER_OF[card] for card in cards]))


def number_at(suit: int, at: int) -> int:
    """The card at a position of a run."""
    return suit * 13 + (at - 1) % 13


def mask_of(suit: int, positions: int) -> int:
    """The cards at these positions."""
    return (positions >> 1 & 0x1FFF | positions >> HIGHEST & 1) << suit * 13


def promise(hand: Sequence[int], card: int, contract: Contract) -> float:
    """What a spare card may yet become with others of the hand, in points."""
    suit, rank = divmod(card, 13)
    worth = 0.0
    for other in hand:
        if other == WILD:
            continue
        if other % 13 == rank:
            worth += PAIR * bool(contract.sets)
        elif contract.runs and other // 13 == suit and -3 <= other % 13 - rank <= 3:
            worth += NEIGHBOUR
    return worth - PAIR * bool(contract.sets) * (card in hand)


@lru_cache(maxsize=1 << 12)
def needs(hand: Hand, contract: Contract, size: int = 0) -> Needs:
    """What this hand needs. Where everything has to be laid down, `size` is how many cards that will be."""
    return _Search(hand, contract, size).needs()


@lru_cache(maxsize=1 << 12)
def _windows(mask: int) -> tuple[tuple[int, int, int, int], ...]:
    """A suit's promising windows: number held, first position, positions held, how many more are held right beside."""
    return tuple(
        (held.bit_count(), low, held, (mask >> low - 1 & 1) + (mask >> low + RUN_LENGTH & 1))
        for low, held in promising_windows(mask)
    )


class _Search:
    """The search for the plans of a hand that lack the fewest cards."""

    def __init__(self, hand: Hand, contract: Contract, size: int) -> None:
        self.hand, self.contract = hand, contract
        self.ranks = [0] * 13
        self.once, self.twice = [0] * 4, [0] * 4  # masks of the positions that can be filled, and filled twice
        self.jokers = 0
        for card in hand:
            if card == WILD:
                self.jokers += 1
                continue
            suit, rank = divmod(card, 13)
            self.ranks[rank] += 1
            place = _PLACE[card]
            if self.once[suit] & place:
                self.twice[suit] |= place
            else:
                self.once[suit] |= place
        least = RUN_LENGTH * contract.runs + SET_LENGTH * contract.sets
        self.extra = max(0, size - least) if contract.everything else 0
        self.size = least + self.extra
        self.held = -1
        self.missing = self.size
        self.wants = self.used = 0
        self.laid = -1
        self.windows: tuple[Window, ...] = ()
        self.sets: tuple[int, ...] = ()
        self.worth = [worth[number] for worth, number in zip(_WORTH, self.ranks, strict=True)]
        self.best_sets = self._best_sets(self.worth)

    def needs(self) -> Needs:
        most = sum([_COUNTS[self.ranks[rank]] for rank in self.best_sets])
        for choice in self._choices():
            at_best, longer = most, 0
            for window in choice:
                at_best += window[0]
                longer += window[4]
            if at_best + (longer if longer < self.extra else self.extra) >= self.held:
                self._weigh(choice)
        wants = self.wants | BIT[WILD] if self.missing > 0 else 0
        return Needs(self.missing, wants, self.windows, self.sets, self._spare())

    def _choices(self) -> list[Choice]:
        runs = self.contract.runs
        if not runs:
            return [()]
        found = [(n, suit, low, held, more) for suit in range(4) for n, low, held, more in _windows(self.once[suit])]
        for suit, mask in enumerate(self.twice):
            if mask:
                found += [(n, suit, low, held, more) for n, low, held, more in _windows(mask) if n > 1]
        found.sort(key=_MOST_HELD, reverse=True)
        found = found[:_BREADTH]
        found += [(0, suit, 5, 0, 0) for suit in range(runs - len(found))]
        return list(combinations(found, runs))

    def _best_sets(self, worth: list[int]) -> list[int]:
        """The ranks of which most cards are held, the dearest first among equals."""
        if self.contract.sets < 2:
            return [worth.index(max(worth))] if self.contract.sets else []
        return sorted(_RANKS, key=worth.__getitem__, reverse=True)[: self.contract.sets]

    def _weigh(self, choice: Choice) -> None:
        """Compares one choice of windows, with the sets that go with it, with the best so far."""
        windows: list[Window] = []
        left: dict[int, tuple[int, int]] = {}
        held = room = 0
        for _, suit, low, _, _ in choice:
            once, twice = left.get(suit) or (self.once[suit], self.twice[suit])
            mine = once & _WHOLE << low
            used = mine | _ACES if mine & _ACES else mine
            left[suit] = once & ~used | twice & used, twice & ~used
            number = mine.bit_count()
            held += number
            room += 2 if number < 2 else RUN_LENGTH - number
            for other, at, _ in windows:
                if suit == other and low - at in (RUN_LENGTH, -RUN_LENGTH):
                    held -= 1  # they touch: one has to begin elsewhere
            windows.append((suit, low, mine))
        longer, ends = self._longer(windows, left) if self.extra else (0, 0)
        held += longer
        room += self.extra - longer
        ranks, sets = self.ranks, self.best_sets
        if sets:
            if windows:
                ranks, worth = list(ranks), list(self.worth)
                for _, _, mine in windows:
                    for rank in _RANKS_IN[mine]:
                        ranks[rank] -= 1
                        worth[rank] = _WORTH[rank][ranks[rank]]
                sets = self._best_sets(worth)
            for rank in sets:
                held += _COUNTS[ranks[rank]]
                room += ranks[rank] < SET_LENGTH
        if held < self.held:
            return
        if held > self.held:
            self.held, self.wants, self.used, self.laid = held, 0, 0, -1
            self.missing = self.size - held - min(self.jokers, room)
        laid = 0
        for suit, low, mine in windows:
            self.used |= mask_of(suit, mine)
            number = mine.bit_count()
            laid += 10 * number
            if number < RUN_LENGTH:
                self.wants |= mask_of(suit, _WHOLE << low & ~mine)
        if longer < self.extra:
            self.wants |= ends
        if sets:
            fewest = ranks[sets[-1]]
            for rank, number in enumerate(ranks):
                if fewest <= number < SET_LENGTH:
                    self.wants |= RANK_MASK[rank]
            for rank in sets:
                self.used |= RANK_MASK[rank]
                laid += (_DEAR[rank] + 1) * self.ranks[rank]
        if laid > self.laid:
            self.laid, self.windows, self.sets = laid, tuple(windows), tuple(sets)

    def _longer(self, windows: list[Window], left: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """By how many cards of the hand the runs can be longer, up to as many as must be; what would go on after."""
        longer = ends = 0
        for suit, low, _ in windows:
            once = left[suit][0]
            before, after = low - 1, low + RUN_LENGTH
            while before >= LOWEST and once >> before & 1:
                before -= 1
                longer += 1
            while after <= HIGHEST and once >> after & 1:
                after += 1
                longer += 1
            ends |= mask_of(suit, (1 << before if before >= LOWEST else 0) | (1 << after if after <= HIGHEST else 0))
        return min(longer, self.extra), ends

    def _spare(self) -> tuple[tuple[float, int], ...]:
        spare = [card for card in self.hand if card != WILD and card % 13 not in self.sets]
        if self.windows:
            spare = [card for card in self.hand if card != WILD]
            for suit, low, mine in self.windows:
                for at in range(low, low + RUN_LENGTH):
                    if mine >> at & 1:
                        spare.remove(number_at(suit, at))
            spare = [card for card in spare if card % 13 not in self.sets]
        if self.extra:
            for suit, low, _ in self.windows:
                for ends, step in ((low - 1, -1), (low + RUN_LENGTH, 1)):
                    at = ends
                    while LOWEST <= at <= HIGHEST and (card := number_at(suit, at)) in spare:
                        spare.remove(card)
                        at += step
        sets, runs = PAIR * bool(self.contract.sets), NEIGHBOUR * bool(self.contract.runs)
        worth = []
        for card in spare:
            suit, rank = divmod(card, 13)
            near = (self.once[suit] & _NEAR[rank + 1]).bit_count() - 1
            if not rank:
                near += (self.once[suit] & _NEAR[HIGHEST]).bit_count() - 1
            plan = _OTHER_PLAN * (self.used >> card & 1)
            worth.append((sets * (self.ranks[rank] - 1) + runs * near + plan - POINTS_OF[card], card))
        worth.sort()
        return tuple(worth)
