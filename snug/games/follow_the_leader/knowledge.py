"""What a seat of Follow the Leader knows of the cards that it does not see.

What is public tells much: who draws holds nothing that may follow, a drawn card that is kept does not fit either, and
what was shuffled into the pile again lies there, or with those who have drawn since. Who plays the higher of the ranks
that may follow seldom has the lower one: good players are rid of that first.

A place is a number whose bits say what did not come to lie there when it was dealt or drawn: a bit a rank (jokers have
0), and above them a bit a tag. Each pool of cards has a tag: those never in sight, and those of each shuffle of the
discards. So has each card played from a hand, for it was in one of a few places, and nobody knows in which.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import Final

from msgspec import Struct

from snug.engine.cards import RANKS, Card, Pile
from snug.games.follow_the_leader.play import pack_of_table
from snug.games.follow_the_leader.state import Drew, Led, PileRecycled, Played
from snug.games.follow_the_leader.view import FollowTheLeaderView

_TAGS: Final = len(RANKS) + 1  # where the bits of the tags begin
_ANY_RANK: Final = (1 << _TAGS) - 1
_BITS: Final = {rank: 1 << number for number, rank in enumerate(RANKS, 1)}

_Discard = Led | Played
_Seen = _Discard | Drew | PileRecycled


class Known(Struct, frozen=True):
    """What is known of hidden cards: `places` are all that others ever had (`hands` by seat), then those of the pile
    and of discards that were never in sight. As many `cards` lie in them, of which `bits` say what they are: some were
    never seen, and some `played`, which says in which places they may have lain. `unlikely`: ranks that would have been
    played first. `widths`: how many ranks may lie in each place of a hand. `order`: all places, the narrowest first."""

    view: FollowTheLeaderView
    hands: tuple[Sequence[int], ...]
    places: Sequence[int]
    cards: Sequence[Card]
    bits: Sequence[int]
    unseen: Sequence[int]
    played: Mapping[int, Sequence[int]]
    unlikely: Sequence[int]
    widths: Sequence[int]
    order: Sequence[int]
    discards: Sequence[Card | None]

    def spread(self, laid: Sequence[int]) -> tuple[tuple[Pile, ...], Pile, Pile]:
        """All hands, the pile and the discards, given the number of the card in each place."""
        view, cards = self.view, self.cards
        hands = [tuple([cards[laid[place]] for place in hand if laid[place] not in self.played]) for hand in self.hands]
        hands[(view.seat or 1) - 1] = _own(view)
        rest = iter([cards[number] for number in laid[len(self.widths) :]])
        pile = tuple([next(rest) for _ in range(view.pile_size)])
        return tuple(hands), pile, tuple([card or next(rest) for card in self.discards])


class _Memory:
    """What the viewer knows, move by move."""

    def __init__(self, view: FollowTheLeaderView, seen: Sequence[_Seen]) -> None:
        self._view = view
        discards = [event for event in seen if isinstance(event, _Discard)]
        draws = [event for event in seen if isinstance(event, Drew)]
        own, sizes = Counter(view.hand), list(view.hand_sizes)
        own.update(event.card for event in discards if event.seat == view.seat)
        own.subtract(event.card for event in draws if event.seat == view.seat and event.card)
        for discard in discards:
            sizes[discard.seat - 1] += 1
        for draw in draws:
            sizes[draw.seat - 1] -= draw.drawn
        self._pools = {0: Counter(pack_of_table(view.options))}  # by tag: what has not come to light since
        self._pools[0].subtract(own)
        self._tags = 1
        self._hidden = self._pile = ~1 << _TAGS  # the place of what was never in sight, and of the pile's next card
        self._places: list[int] = []
        self._unlikely: list[int] = []
        self._hands: list[list[int]] = [[] for _ in sizes]
        for seat, size in enumerate(sizes, 1):
            if seat != view.seat:
                self._add(seat, size)
        self._played: list[tuple[Card, int, list[int]]] = []
        self._just_drew = 0  # the seat whose last place may be gone at once
        self._discards: list[Card | None] = [None] * _buried(view, seen)
        self._range: Sequence[str] = ()
        if not discards:
            self._range = view.range
            if view.top:
                self._discards[-1] = view.top
                self._pools[0][view.top] -= 1
        for event in seen:
            if isinstance(event, PileRecycled):
                self._recycle()
            elif isinstance(event, Drew):
                self._draw(event)
            else:
                self._discard(event)
        self._keep()

    def known(self) -> Known:
        """What is known after all that was seen."""
        unseen = [
            (card, 1 << card.rank | 1 << _TAGS + tag) for tag, pool in self._pools.items() for card in pool.elements()
        ]
        cards = [*unseen, *[(card, bit) for card, bit, _ in self._played]]
        places = self._places + [self._pile] * self._view.pile_size + [self._hidden] * self._discards.count(None)
        places += [self._hidden] * (len(cards) - len(places))  # a table need not have all cards
        widths = [_TAGS - (place & _ANY_RANK).bit_count() for place in self._places]
        return Known(
            self._view,
            tuple(self._hands),
            places,
            [card for card, _ in cards],
            [bits for _, bits in cards],
            range(len(unseen)),
            {number: among for number, (_, _, among) in enumerate(self._played, len(unseen))},
            self._unlikely + [0] * (len(places) - len(self._unlikely)),
            widths,
            [*sorted(range(len(widths)), key=widths.__getitem__), *range(len(widths), len(places))],
            self._discards,
        )

    def _add(self, seat: int, size: int) -> None:
        self._hands[seat - 1] += range(len(self._places), len(self._places) + size)
        self._places += [self._pile] * size
        self._unlikely += [0] * size

    def _draw(self, event: Drew) -> None:
        """Who draws had nothing that fits."""
        self._keep()
        if event.seat == self._view.seat:
            if event.card:
                self._light(event.card, self._pile)
            return
        fits = _bits(self._range)
        for place in self._hands[event.seat - 1]:
            self._places[place] |= fits
        if event.drawn:
            self._add(event.seat, 1)
            self._just_drew = event.seat

    def _keep(self) -> None:
        """A card that was not played as soon as it was drawn did not fit."""
        if self._just_drew:
            self._places[-1] |= _bits(self._range)
        self._just_drew = 0

    def _discard(self, event: _Discard) -> None:
        """A card comes from the place just drawn, or from any where it may have been."""
        if self._just_drew == event.seat and isinstance(event, Played) and event.kind == "drawn":
            self._just_drew = 0
            self._hands[event.seat - 1].pop()
            self._unlikely.pop()
            self._light(event.card, self._places.pop())
        elif event.seat != self._view.seat:
            self._keep()
            hand, places = self._hands[event.seat - 1], self._places
            bits = 1 << event.card.rank | 1 << _TAGS + self._light(event.card, *[places[place] for place in hand])
            among = [place for place in hand if not places[place] & bits]
            tag = 1 << _TAGS + self._tags
            for place in among:
                places[place] &= ~tag
            self._played.append((event.card, tag, among))
            self._tags += 1
            if isinstance(event, Played) and event.kind == "normal" and (passed_over := self._passed_over(event.card)):
                for place in hand:
                    self._unlikely[place] |= passed_over
        self._keep()
        self._discards.append(event.card)
        self._range = event.range

    def _passed_over(self, card: Card) -> int:
        """The ranks that might have followed, too, and lie below the one that was played: where the top rank only
        climbs, one would have been rid of these first."""
        rank = RANKS[card.rank - 1]
        if card.is_joker or self._view.options.one_below or rank not in self._range:
            return 0
        return sum(_BITS[below] for below in self._range[: self._range.index(rank)])

    def _light(self, card: Card, *places: int) -> int:
        """The tag of the pool from which a card comes to light that was in one of the places. Where twins may come from
        several pools, they are now a pool of their own, and lie wherever one of them may."""
        bit = 1 << card.rank
        open_tags = ~reduce(and_, [place for place in places if not place & bit], -1) >> _TAGS
        tags = [tag for tag, pool in self._pools.items() if pool[card] and open_tags >> tag & 1]
        if not tags:
            return 0
        if len(tags) > 1:
            bits = sum(1 << _TAGS + tag for tag in tags)
            twin = self._tags
            self._tags += 1
            self._pools[twin] = Counter({card: sum(self._pools[tag].pop(card) for tag in tags)})
            self._places[:] = [place & ~(1 << _TAGS + twin) if bits & ~place else place for place in self._places]
            self._pile, self._hidden = (
                place & ~(1 << _TAGS + twin) if bits & ~place else place for place in (self._pile, self._hidden)
            )
            tags = [twin]
        self._pools[tags[0]][card] -= 1
        return tags[0]

    def _recycle(self) -> None:
        """The pile is now what lay under the top card, and nothing else."""
        *buried, top = self._discards
        self._pools[self._tags] = Counter(card for card in buried if card)
        self._pile = (self._hidden if None in buried else -1 << _TAGS) & ~(1 << _TAGS + self._tags)
        self._tags += 1
        self._discards = [top]


@lru_cache(maxsize=8)  # many worlds are imagined from one view
def known_of(view: FollowTheLeaderView) -> Known:
    return _Memory(view, [event for event in view.seen if isinstance(event, _Seen)]).known()


def _own(view: FollowTheLeaderView) -> Pile:
    """The viewer's hand in an order that lists the legal moves as they are."""
    rest = list(view.hand)
    for card in view.plays:
        rest.remove(card)
    return *view.plays, *rest


def _bits(ranks: Sequence[str]) -> int:
    """These ranks and jokers, which always fit; nothing for none."""
    return sum(_BITS[rank] for rank in ranks) | bool(ranks)


def _buried(view: FollowTheLeaderView, seen: Sequence[_Seen]) -> int:
    """How many discards there were before what was seen: none, unless the table began in the middle of a deal."""
    played = 0
    for event in seen:
        if isinstance(event, PileRecycled):
            return event.size + 1 - played
        played += isinstance(event, _Discard)
    return view.discards_size - played
