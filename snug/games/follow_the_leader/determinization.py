"""Where the cards may be that a seat of Follow the Leader does not see.

What is public tells much: who draws holds nothing that may follow, a drawn card that is kept does not fit either, and
what was shuffled into the pile again lies there, or with those who have drawn since. Who plays the higher of the ranks
that may follow seldom has the lower one: good players are rid of that first.

A place is a number whose bits say what did not come to lie there when it was dealt or drawn: a bit a rank (jokers have
0), and above them a bit a tag. Each pool of cards has a tag: those never in sight, and those of each shuffle of the
discards. So has each card played from a hand, for it was in one of a few places, and nobody knows in which.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from snug.engine.alike import like
from snug.engine.cards import RANKS, Card, Pile
from snug.games.follow_the_leader.play import pack_of_table
from snug.games.follow_the_leader.ranks import NONE_YET, Arc
from snug.games.follow_the_leader.state import Drew, FollowTheLeaderState, Led, PileRecycled, Played
from snug.games.follow_the_leader.view import FollowTheLeaderView

_TAGS: Final = len(RANKS) + 1  # where the bits of the tags begin
_SWEEPS: Final = 10  # how often every card of another hand may change its place
_SELDOM: Final = 0.15  # how often one keeps what one would have been rid of first, compared with any other card
_ANY_RANK: Final = (1 << _TAGS) - 1
_BITS: Final = {rank: 1 << number for number, rank in enumerate(RANKS, 1)}

_Discard = Led | Played
_Seen = _Discard | Drew | PileRecycled


def determinize(view: FollowTheLeaderView, chance: Random) -> FollowTheLeaderState:
    """The deal with the unseen cards anywhere they may be. What cannot have been seen at this table is forgotten."""
    known = _known(view)
    laid = _laid(known, chance)
    if laid is None:
        known = _known(replace(view, seen=()))
        laid = _laid(known, chance)
        assert laid is not None, "a card of which nothing is known may lie anywhere"
    return _with(view, *known.spread(laid))


def _with(view: FollowTheLeaderView, hands: tuple[Pile, ...], pile: Pile, discards: Pile) -> FollowTheLeaderState:
    """The table of the view with these cards."""
    ranks = view.stands_for
    stands_for = Arc(RANKS.index(ranks[0]) + 1, len(ranks)) if ranks else NONE_YET
    return like(FollowTheLeaderState, view, hands=hands, pile=pile, discards=discards, stands_for=stands_for)


class _Known(Struct, frozen=True):
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

    def known(self) -> _Known:
        """What is known after all that was seen."""
        unseen = [
            (card, 1 << card.rank | 1 << _TAGS + tag) for tag, pool in self._pools.items() for card in pool.elements()
        ]
        cards = [*unseen, *[(card, bit) for card, bit, _ in self._played]]
        places = self._places + [self._pile] * self._view.pile_size + [self._hidden] * self._discards.count(None)
        places += [self._hidden] * (len(cards) - len(places))  # a table need not have all cards
        widths = [_TAGS - (place & _ANY_RANK).bit_count() for place in self._places]
        return _Known(
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
def _known(view: FollowTheLeaderView) -> _Known:
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


def _laid(known: _Known, chance: Random) -> list[int] | None:
    """The number of a card for each place, every way there is about as likely; None if there is none."""
    places, bits, widths, luck = known.places, known.bits, known.widths, chance.random
    if len(bits) != len(places):
        return None
    laid = [-1] * len(places)
    left = []
    for card, among in known.played.items():
        if empty := [place for place in among if laid[place] < 0]:
            one, other = empty[int(luck() * len(empty))], empty[int(luck() * len(empty))]
            laid[one if widths[one] < widths[other] else other] = card
        else:
            left.append(card)
    free = list(known.unseen)
    free.sort(key=lambda _card: luck())
    free += left
    for place in known.order:
        if laid[place] < 0:
            cannot = places[place]
            for number, card in enumerate(free):
                if not cannot & bits[card]:
                    laid[place] = card
                    del free[number]
                    break
            else:
                if not _make_room(place, known, laid, free):
                    return None
    _mix(laid, known, luck)
    return laid


def _mix(laid: list[int], known: _Known, luck: Callable[[], float]) -> None:
    """Cards change places until any way to lay them may have come up, and what is unlikely seldom does."""
    places, bits, unlikely = known.places, known.bits, known.unlikely
    for place in [*range(len(known.widths))] * _SWEEPS:
        other = int(luck() * len(places))
        one, two = bits[laid[place]], bits[laid[other]]
        if not (places[place] & two or places[other] & one):
            after = bool(unlikely[place] & two) + bool(unlikely[other] & one)
            before = bool(unlikely[place] & one) + bool(unlikely[other] & two)
            if after <= before or luck() < _SELDOM ** (after - before):
                laid[place], laid[other] = laid[other], laid[place]


def _make_room(place: int, known: _Known, laid: list[int], free: list[int]) -> bool:
    """Whether a card could be laid where none that is free may lie: by others that move on to other places."""
    places, bits = known.places, known.bits
    wanted_by = {place: -1}
    for wanting in (queue := [place]):
        for number, card in enumerate(free):
            if not places[wanting] & bits[card]:
                del free[number]
                while wanting >= 0:
                    laid[wanting], card, wanting = card, laid[wanting], wanted_by[wanting]
                return True
        for other, card in enumerate(laid):
            if card >= 0 and other not in wanted_by and not places[wanting] & bits[card]:
                wanted_by[other] = wanting
                queue.append(other)
    return False
