"""How Hearts is scored: §10."""

from typing import Final

from snug.engine.cards import PACK, Pile
from snug.engine.game import Scores

from snug_hearts.options import HeartsOptions
from snug_hearts.state import JACK, QUEEN, HeartsState

_COSTS: Final = {card: 13 if card == QUEEN else int(card.suit == "H") for card in PACK}
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
    return sum(map(_COSTS.__getitem__, cards))


def shooter(piles: tuple[Pile, ...]) -> int | None:
    """§10: the seat that has taken every heart and the queen."""
    return next((seat for seat, cards in enumerate(piles, 1) if penalty(cards) == ALL), None)


def points(options: HeartsOptions, piles: tuple[Pile, ...]) -> Scores:
    """§10: what the cards that everybody has taken come to."""
    costs, moon = [penalty(cards) for cards in piles], shooter(piles)
    if moon and options.moon == "others":
        costs = [0 if seat == moon else ALL for seat in range(1, len(piles) + 1)]
    elif moon:
        costs[moon - 1] = -ALL
    jack = _JACK_GIVES if options.jack else 0
    return tuple(cost - jack * (JACK in cards) for cost, cards in zip(costs, piles, strict=True))


def scores(state: HeartsState) -> Scores | None:
    """§10."""
    return points(state.options, taken(state)) if state.phase == "DEAL_OVER" else None


def is_last(options: HeartsOptions, number: int, totals: Scores) -> bool:
    """§10: once somebody has reached the target, or after `rounds` deals."""
    return number >= options.rounds or (options.target != "none" and max(totals) >= options.target)
