"""Plays Hearts: passes what is dangerous to hold, ducks under tricks that cost, throws its worst cards where it cannot
follow, leads where others hold what is higher, and does not let anybody shoot the moon cheaply."""

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from snug.engine.cards import Card, Pile
from snug.engine.game import Move
from snug.engine.thinking import Thinking, every_move

from snug_hearts.score import penalty
from snug_hearts.state import JACK, PASSED, QUEEN, PassCards, Play, is_penalty, pack_of
from snug_hearts.tricks import height
from snug_hearts.view import HeartsView

_QUEEN_HEIGHT: Final = height(QUEEN)
_SAFE_SPADES: Final = 4  # so many other spades, and the queen can be kept
_MOON_IS_NEAR: Final = 10  # points that one player has, and nobody else any
_WORST: Final = 5  # cards from which a sharp player takes those that he passes


def choose(view: HeartsView, chance: random.Random) -> Move:
    """A good move."""
    if view.may_pass:
        worst = sorted(view.hand, key=lambda card: (_burden(view, card), chance.random()))
        return PassCards(tuple(worst[-PASSED:]))
    assert view.trick is not None
    worth = _lead if not view.trick.cards else _follow if _follows(view) else _discard
    return Play(max(view.playable, key=lambda card: (worth(view, card), chance.random())))


def candidates(view: HeartsView) -> Sequence[Move]:
    """What a sharp player thinks about: the cards that may be played, or passes of what is worst to hold."""
    if not view.may_pass:
        return every_move(view)
    worst = sorted(view.hand, key=lambda card: _burden(view, card))[-_WORST:]
    return tuple(map(PassCards, combinations(worst, PASSED)))


THINKING: Final = Thinking(positions=1200, candidates=candidates, plies=0)


def _follows(view: HeartsView) -> bool:
    assert view.trick is not None
    return view.playable[0].suit == view.trick.cards[0].suit


def _burden(view: HeartsView, card: Card) -> float:
    """How gladly a card is passed."""
    suit = [other for other in view.hand if other.suit == card.suit]
    if card.suit == "S":
        low = sum(height(other) < _QUEEN_HEIGHT for other in suit)
        if height(card) < _QUEEN_HEIGHT or low >= _SAFE_SPADES:
            return -10
        return 40 if card == QUEEN else 30
    if view.options.jack and card == JACK:
        return -5
    alone = 8 - 2 * min(len(suit), 4)
    return height(card) + alone + (2 if card.suit == "H" else 0)


def _lead(view: HeartsView, card: Card) -> float:
    """Low cards of suits that others still have; spades to drive the queen out, unless it would come back."""
    higher, lower = _unseen(view, card)
    if not higher + lower:
        return -20 - height(card)  # nobody follows: everybody throws what is worst
    worth = 6 * higher / (higher + lower) - height(card) / 4
    if card.suit == "S" and not _is_gone(view, QUEEN):
        holds_high = any(height(other) >= _QUEEN_HEIGHT and other.suit == "S" for other in view.hand)
        worth += -30 if height(card) >= _QUEEN_HEIGHT else -2 if holds_high else 3
    if card.suit == "H":
        worth -= 2
    return worth


def _follow(view: HeartsView, card: Card) -> float:
    """Under the best card as high as can be; over it as low as can be, or as high as can be if it takes anyway."""
    assert view.trick is not None
    trick, best = view.trick, height(view.trick.best)
    last = len(trick.cards) == view.seats - 1
    cost = penalty(trick.cards) - 8 * (view.options.jack and JACK in (*trick.cards, card))
    if height(card) < best:
        return 40 + height(card) + (100 if card == QUEEN else 0) - 50 * _is_stopping(view)
    if card == QUEEN:
        return -100
    if last:
        return (45 if cost <= 0 else 20) + height(card) - 60 * (cost > 0) + 120 * (_is_stopping(view) and cost > 0)
    risk = height(card) / 4
    if card.suit == "S" and not _is_gone(view, QUEEN) and QUEEN not in view.hand and height(card) > _QUEEN_HEIGHT:
        risk += 40
    safe = not cost and not view.tricks
    return (height(card) if safe else 20 - risk - 4 * cost) + 60 * (_is_stopping(view) and cost > 0)


def _discard(view: HeartsView, card: Card) -> float:
    """The queen, what might catch her, hearts, and high cards of short suits; nothing to who may shoot the moon."""
    assert view.trick is not None
    if view.options.jack and card == JACK:
        return -50
    if is_penalty(card) and _is_shooting(view, view.trick.winner(view.seats)):
        return -40 - height(card)
    if card == QUEEN:
        return 100
    if card.suit == "S" and height(card) > _QUEEN_HEIGHT and not _is_gone(view, QUEEN):
        return 60 + height(card)
    higher, lower = _unseen(view, card)
    if not higher + lower:
        return -20
    danger = 10 * lower / (higher + lower)
    length = sum(other.suit == card.suit for other in view.hand)
    return danger + height(card) / 2 - length + (12 if card.suit == "H" else 0)


def _unseen(view: HeartsView, card: Card) -> tuple[int, int]:
    """How many cards of the suit the others hold: higher ones and lower ones."""
    out = [other for other in _others(view) if other.suit == card.suit]
    higher = sum(height(other) > height(card) for other in out)
    return higher, len(out) - higher


def _others(view: HeartsView) -> Pile:
    """The cards in the others' hands."""
    known = {*view.hand, *_played(view)}
    return tuple(card for card in pack_of(view.seats) if card not in known)


def _played(view: HeartsView) -> Pile:
    tricks = (*view.tricks, view.trick) if view.trick else view.tricks
    return tuple(card for trick in tricks for card in trick.cards)


def _is_gone(view: HeartsView, card: Card) -> bool:
    return card in _played(view)


def _is_shooting(view: HeartsView, seat: int) -> bool:
    """Whether this seat, not the viewer's, has taken many points and nobody else any."""
    costs = [penalty(cards) for cards in view.taken]
    return seat != view.seat and costs[seat - 1] == sum(costs) >= _MOON_IS_NEAR


def _is_stopping(view: HeartsView) -> bool:
    """Whether somebody else may still shoot the moon, so that a trick with points is worth taking."""
    return any(_is_shooting(view, seat) for seat in range(1, view.seats + 1))
