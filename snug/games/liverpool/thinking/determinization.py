"""What may be hidden at a Liverpool table: other hands, the stock and the discards under the top one, as far as a seat
has not seen where the cards went."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from snug.engine.alike import like
from snug.engine.cards import Card, Pile, without
from snug.games.liverpool import events
from snug.games.liverpool.state import MAX_RESHUFFLES, LiverpoolState, cards_for
from snug.games.liverpool.thinking.keeping import keep_the_best
from snug.games.liverpool.thinking.needs import CARD_OF, NUMBER_OF, numbers_of
from snug.games.liverpool.view import LiverpoolView

_BUYS: Final = 0.3  # how likely an answer that nobody knows yet is a yes
_TRIES: Final = 30
_NOTHING_MOVES: Final = {events.DiscardDeclined, events.BuyAnswered, events.NoSale}
_ADDED: Final = (events.LaidOff, events.JokerWon)


class _Memory:
    """What a seat remembers of the hand that it has seen: which cards are surely in which hand, and the discards from
    the top down, all of them or as far as it saw them made. Since the stock was last made of discards, of which cards
    that was (`recycled`), which were in hands that it could not see (`kept_back`) and how many each seat has drawn."""

    def __init__(self, view: LiverpoolView) -> None:
        self.held: list[Counter[Card]] = [Counter() for _ in range(view.seats)]
        self.table: Counter[Card] = Counter()
        self.pile: list[Card] = []
        self.recycled: Counter[Card] | None = None
        self.kept_back: Counter[Card] = Counter()
        self.drawn = [0] * view.seats
        from_the_deal = False
        for at, event in enumerate(view.seen):
            if type(event) in _NOTHING_MOVES:
                continue
            if isinstance(event, events.Discarded):
                self._leave(event.seat, (event.card,))
                self.pile.append(event.card)
            elif isinstance(event, events.StockDrawn):
                self._draws(event.seat, event.card)
            elif isinstance(event, events.DiscardTaken):
                self.held[event.seat - 1][event.card] += 1
                del self.pile[-1:]
            elif isinstance(event, events.Bought):
                self.held[event.seat - 1][event.card] += 1
                del self.pile[-1:]
                self._draws(event.seat, event.penalty)
            elif isinstance(event, _ADDED):
                self.table.update(self._leave(event.seat, (event.card,)))
            elif isinstance(event, events.WentDown):
                laid = [card for meld in event.melds for card in meld.cards]
                self.table.update(self._leave(event.seat, laid))
            elif isinstance(event, events.StockRecycled):
                self._recycle(2 if isinstance(view.seen[at + 1], events.Bought) else 1, view.seats, whole=from_the_deal)
            elif isinstance(event, events.HandStarted):
                from_the_deal = True
                self.pile = [event.upcard]
                for seat, hand in enumerate(event.hands):
                    self.held[seat].update(hand)

    def _draws(self, seat: int, card: Card | None) -> None:
        self.drawn[seat - 1] += 1
        if card is not None:
            self.held[seat - 1][card] += 1

    def _leave(self, seat: int, cards: Iterable[Card]) -> list[Card]:
        """These cards leave a hand. What the seat was not known to hold, and nobody kept back, it has drawn."""
        left = list(cards)
        held = self.held[seat - 1]
        for card in left:
            if held[card]:
                held[card] -= 1
            elif self.recycled is not None:
                if not self.kept_back[card]:
                    self.drawn[seat - 1] -= 1
                elif not self.recycled[card]:
                    self.kept_back[card] -= 1
        return left

    def _recycle(self, kept: int, seats: int, *, whole: bool) -> None:
        self.recycled = None
        if whole:
            self.recycled = Counter(self.pile[:-kept])
            self.kept_back = Counter(cards_for(seats)) - self.recycled - Counter(self.pile[-kept:]) - self.table
            for held in self.held:
                self.kept_back -= held
        self.pile = self.pile[-kept:]
        self.drawn = [0] * seats


def determinize(view: LiverpoolView, chance: Random) -> LiverpoolState:
    """The table with every card that the viewer has not seen, or has lost sight of, anywhere it may be. What others
    took or bought is in their hands until they show it."""
    assert view.seat
    memory = _Memory(view)
    pile = _discards(view, memory)
    hands = [list(held.elements()) for held in memory.held]
    hands[view.seat - 1] = list(view.hand)
    in_melds = [card for meld in view.melds for card in meld.cards]
    unseen = without(cards_for(view.seats), *in_melds, *pile, *(card for hand in hands for card in hand))
    stock, rest = _parted(unseen, view.stock_size, memory, chance)
    _deal_drawn(view, hands, rest, memory, chance)
    known = [len(hand) for hand in hands]
    for hand, size in zip(hands, view.hand_sizes, strict=True):
        while len(hand) < size:
            hand.append(rest.pop())
    if memory.recycled is None:
        _select(view, memory, hands, known, stock, chance)
    return like(
        LiverpoolState,
        view,
        hands=tuple(map(tuple, hands)),
        stock=tuple(stock),
        discard_pile=(*rest[: view.discards - len(pile)], *pile),
        buy_answers=_answers(view, chance),
        reshuffles=MAX_RESHUFFLES - view.reshuffles_left,
    )


def discards_seen(view: LiverpoolView) -> Sequence[Card]:
    """The discards of which the viewer knows that they lie there, from the bottom to the top one."""
    return _discards(view, _Memory(view))


def _discards(view: LiverpoolView, memory: _Memory) -> list[Card]:
    pile = memory.pile[-view.discards :] if view.discards else []
    return [view.upcard] if view.upcard is not None and not pile else pile


def _parted(unseen: Pile, size: int, memory: _Memory, chance: Random) -> tuple[list[Card], list[Card]]:
    """A stock of so many of these cards, and the others, both in any order. A stock made of discards has no others,
    and what nobody kept back when it was made is either in it still or was drawn from it."""
    cards = list(unseen)
    if memory.recycled is None:
        chance.shuffle(cards)
        return cards[:size], cards[size:]
    stock: list[Card] = []
    rest: list[Card] = []
    for _ in range(_TRIES):
        chance.shuffle(cards)
        left = Counter(memory.recycled)
        stock, rest = [], []
        for card in cards:
            if len(stock) < size and left[card]:
                left[card] -= 1
                stock.append(card)
            else:
                rest.append(card)
        if (Counter(rest) - memory.kept_back).total() <= sum(memory.drawn):
            break
    return stock, rest


def _deal_drawn(
    view: LiverpoolView, hands: list[list[Card]], rest: list[Card], memory: _Memory, chance: Random
) -> None:
    """Gives what was drawn from a stock made of discards to those who have drawn from it."""
    if memory.recycled is None:
        return
    places = [
        seat
        for seat, (hand, size) in enumerate(zip(hands, view.hand_sizes, strict=True))
        for _ in range(min(size - len(hand), memory.drawn[seat]))
    ]
    chance.shuffle(places)
    drawn = (Counter(rest) - memory.kept_back).elements()
    for seat, card in zip(places, list(drawn), strict=False):
        hands[seat].append(card)
        rest.remove(card)
    chance.shuffle(rest)


def _answers(view: LiverpoolView, chance: Random) -> tuple[bool | None, ...]:
    """What has been answered to the offer: before somebody who still has to answer nobody has said yes."""
    answers: list[bool | None] = []
    for seat in view.buy_queue:
        answers.append(None if seat in view.to_act else None in answers and chance.random() < _BUYS)
    return tuple(answers)


def _select(
    view: LiverpoolView,
    memory: _Memory,
    hands: list[list[Card]],
    known: Sequence[int],
    stock: list[Card],
    chance: Random,
) -> None:
    """Lets those who are not down have kept the best of what they have drawn."""
    left = [NUMBER_OF[card] for card in stock]
    for seat, hand in enumerate(hands):
        draws = memory.drawn[seat] if view.seen else view.turns_done[seat]
        draws += draws // 2 if view.contract.everything else 0
        if draws and left and not view.down[seat] and seat + 1 != view.seat and known[seat] < len(hand):
            free = [NUMBER_OF[card] for card in hand[known[seat] :]]
            drawn = [int(chance.random() * len(left)) for _ in range(draws)]
            keep_the_best(numbers_of(tuple(hand[: known[seat]])), free, left, drawn, view.contract)
            hand[known[seat] :] = [CARD_OF[card] for card in free]
    stock[:] = [CARD_OF[card] for card in left]
