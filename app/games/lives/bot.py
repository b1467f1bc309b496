"""Plays Irish Lives: sheds what counts most, saves aces, keeps a hand that will fit again and a plain card to go out
with, and uses power cards when the next player is nearly out."""

import random
from collections.abc import Sequence
from typing import Final

from app.engine.cards import Card
from app.engine.game import Move
from app.games.lives.score import POINTS
from app.games.lives.state import DRAW, POWER, TWOS, WILD, Play
from app.games.lives.view import LivesView

_NEARLY_OUT: Final = 2  # cards in the next player's hand


def choose(view: LivesView, chance: random.Random) -> Move:
    """A good move: catch whoever forgot, say "last card" when it is due, and never pick up while something fits."""
    if view.catches:
        return view.catches[0]
    if view.calls:
        return max(view.calls, key=lambda call: (_plain_of(view.hand, call.suit), chance.random()))
    if not view.plays:
        return DRAW
    with_call = [play for play in view.plays if play.last_card]
    return max(with_call or view.plays, key=lambda play: (_worth(view, play), chance.random()))


def _worth(view: LivesView, play: Play) -> float:
    """The points shed, how well the rest will fit, and what a power card does to the next player."""
    rest = list(view.hand)
    rest.remove(play.card)
    worth = POINTS[play.card] / 4 + _fitness(rest, play.suit or play.card.suit)
    nearly_out = view.hand_sizes[view.turn % view.seats] <= _NEARLY_OUT
    if play.card in TWOS:
        worth += 4 if nearly_out else -1
    elif play.card in WILD:
        worth += 2 if nearly_out else -4
    return worth


def _fitness(rest: Sequence[Card], suit: str) -> float:
    """How soon these cards will go: many suits, wild cards, the suit in play, and not just power cards."""
    suits, wild = len({card.suit for card in rest}), sum(card in WILD for card in rest)
    stuck = bool(rest) and POWER.issuperset(rest)
    return suits + wild + _plain_of(rest, suit) / 2 - 6 * stuck


def _plain_of(cards: Sequence[Card], suit: str) -> int:
    """How many cards of a suit one could go out with."""
    return sum(card.suit == suit and card not in POWER for card in cards)
