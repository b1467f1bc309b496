"""A deal of Follow the Leader played to its end in the head, as good players do, by ranks only, and quickly."""

from collections.abc import Sequence
from operator import mul
from random import Random
from typing import Final

from snug.engine.cards import RANKS, Card
from snug.engine.game import Scores
from snug.games.follow_the_leader.state import TURN_CAP, FollowTheLeaderState

# What another card of the hand is worth when it is 0, 1, 2, … ranks above the one that is played, round the circle.
CLIMBING: Final = (1.5, 0.75, 0.3, 0.4, 0.6, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, -0.5, -1.0)
WANDERING: Final = (0.0, -1.25, -0.9, -0.6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.6, -0.9, -1.25)

_CIRCLE: Final = len(RANKS)
_JOKER: Final = -1  # ranks are 0 (ace) to 12 here, and a hand counts its jokers behind them
_ARCS: Final = [
    [tuple((low + step) % _CIRCLE for step in range(size)) for size in range(_CIRCLE + 1)] for low in range(_CIRCLE)
]


def worth(rank: int, counts: list[int], weights: Sequence[float]) -> float:
    """What the rest of a hand with so many cards of each rank says to playing one of this rank."""
    spoken: float = sum(map(mul, weights, counts[rank:_JOKER] + counts[:rank]))
    return spoken - weights[0]


def cards_left(state: FollowTheLeaderState, luck: Random) -> Scores:
    """What everybody holds when the deal is played on from where a turn begins; `luck` makes the shuffles to come."""
    hands = [counted(hand) for hand in state.hands]
    left = [len(hand) for hand in state.hands]
    pile = [card.rank - 1 for card in reversed(state.pile)]
    discards = [card.rank - 1 for card in state.discards]
    below = state.options.one_below
    weights = WANDERING if below else CLIMBING
    widened = state.stands_for.widened(below)
    low, size = widened.low - 1, widened.size
    fits = _ARCS[low][size]
    seat, seats, fails = state.turn - 1, state.seats, state.fails
    for _ in range(state.turns, TURN_CAP):
        counts = hands[seat]
        plays = [rank for rank in fits if counts[rank]]
        if not plays:
            if counts[_JOKER]:
                plays = [_JOKER]
            else:
                if not pile and len(discards) > 1:
                    pile, discards = _shuffled(discards, luck)
                if pile:
                    drawn = pile.pop()
                    counts[drawn] += 1
                    left[seat] += 1
                    if drawn in fits or drawn == _JOKER:
                        plays = [drawn]
                    if not pile and len(discards) > 1:
                        pile, discards = _shuffled(discards, luck)
                if not plays and fails >= seats:
                    plays = [rank for rank in range(_CIRCLE) if counts[rank]]
        if plays:
            rank = plays[0] if len(plays) == 1 else max(plays, key=lambda rank: worth(rank, counts, weights))
            counts[rank] -= 1
            left[seat] -= 1
            if not left[seat]:
                break
            discards.append(rank)
            low, size = (low - below, size + 1 + below) if rank == _JOKER else (rank - below, 2 + below)
            fits = _ARCS[low % _CIRCLE][min(size, _CIRCLE)]
            fails = 0
        else:
            fails = min(fails + 1, seats)
        seat = (seat + 1) % seats
    return tuple(left)


def counted(cards: Sequence[Card]) -> list[int]:
    """How many cards of each rank, and jokers last."""
    counts = [0] * (_CIRCLE + 1)
    for card in cards:
        counts[card.rank - 1] += 1
    return counts


def _shuffled(discards: list[int], luck: Random) -> tuple[list[int], list[int]]:
    """The new pile and the discards, of which the top card stays."""
    pile = discards[:-1]
    luck.shuffle(pile)
    return pile, discards[-1:]
