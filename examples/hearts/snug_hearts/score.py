"""How Hearts is scored: §10."""

from typing import Final

from app.engine.cards import Pile
from app.engine.game import Scores

from snug_hearts.options import HeartsOptions
from snug_hearts.state import JACK, QUEEN, HeartsState

_QUEEN_COSTS: Final = 13
_JACK_GIVES: Final = 10
ALL: Final = 26


def taken(state: HeartsState) -> tuple[Pile, ...]:
    """The cards that each seat has taken in tricks, in the order of play."""
    piles: list[Pile] = [()] * state.seats
    for trick in state.tricks:
        piles[trick.winner(state.seats) - 1] += trick.cards
    return tuple(piles)


def penalty(cards: Pile) -> int:
    """§10: a heart is one point, the queen of spades thirteen."""
    return sum(card.suit == "H" for card in cards) + _QUEEN_COSTS * (QUEEN in cards)


def shooter(state: HeartsState) -> int | None:
    """§10: the seat that has taken every heart and the queen."""
    return next((seat for seat, cards in enumerate(taken(state), 1) if penalty(cards) == ALL), None)


def points(state: HeartsState) -> Scores:
    """§10: what everybody's tricks come to so far."""
    piles, moon = taken(state), shooter(state)
    costs = [penalty(cards) for cards in piles]
    if moon and state.options.moon == "others":
        costs = [0 if seat == moon else ALL for seat in range(1, state.seats + 1)]
    elif moon:
        costs[moon - 1] = -ALL
    jack = _JACK_GIVES if state.options.jack else 0
    return tuple(cost - jack * (JACK in cards) for cost, cards in zip(costs, piles, strict=True))


def scores(state: HeartsState) -> Scores | None:
    """§10."""
    return points(state) if state.phase == "DEAL_OVER" else None


def is_last(options: HeartsOptions, number: int, totals: Scores) -> bool:
    """§10: once somebody has reached the target, or after `rounds` deals."""
    return number >= options.rounds or (options.target != "none" and max(totals) >= options.target)
