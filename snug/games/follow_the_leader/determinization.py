"""Where the cards may be that a seat of Follow the Leader does not see, by what it knows of them."""

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from snug.engine.alike import like
from snug.engine.cards import RANKS, Pile
from snug.games.follow_the_leader.knowledge import Known, known_of
from snug.games.follow_the_leader.ranks import NONE_YET, Arc
from snug.games.follow_the_leader.state import FollowTheLeaderState
from snug.games.follow_the_leader.view import FollowTheLeaderView

_SWEEPS: Final = 10  # how often every card of another hand may change its place
_SELDOM: Final = 0.15  # how often one keeps what one would have been rid of first, compared with any other card


def determinize(view: FollowTheLeaderView, chance: Random) -> FollowTheLeaderState:
    """The deal with the unseen cards anywhere they may be. What cannot have been seen at this table is forgotten."""
    known = known_of(view)
    laid = _laid(known, chance)
    if laid is None:
        known = known_of(replace(view, seen=()))
        laid = _laid(known, chance)
        assert laid is not None, "a card of which nothing is known may lie anywhere"
    return _with(view, *known.spread(laid))


def _with(view: FollowTheLeaderView, hands: tuple[Pile, ...], pile: Pile, discards: Pile) -> FollowTheLeaderState:
    """The table of the view with these cards."""
    ranks = view.stands_for
    stands_for = Arc(RANKS.index(ranks[0]) + 1, len(ranks)) if ranks else NONE_YET
    return like(FollowTheLeaderState, view, hands=hands, pile=pile, discards=discards, stands_for=stands_for)


def _laid(known: Known, chance: Random) -> list[int] | None:
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


def _mix(laid: list[int], known: Known, luck: Callable[[], float]) -> None:
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


def _make_room(place: int, known: Known, laid: list[int], free: list[int]) -> bool:
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
