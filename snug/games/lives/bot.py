"""Plays Irish Lives: sheds what counts most, saves aces, keeps a hand that will fit again and a plain card to go out
with, and uses power cards when the next player is nearly out."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from snug.engine.cards import JOKER, PACK, Card, without
from snug.engine.game import Move
from snug.engine.thinking import Thinking
from snug.games.lives.events import CardPlayed, PoolRecycled, StarterTurned
from snug.games.lives.score import POINTS
from snug.games.lives.state import CALLABLE_SUITS, DRAW, KEEP, POWER, TWOS, WILD, Play
from snug.games.lives.thinking.deck import NEARLY_OUT, racing
from snug.games.lives.thinking.finish import deck_of, points_left
from snug.games.lives.view import LivesView

_MOST: Final = 4  # cards worth thinking about
_SUITS: Final = {card: 1 << "CDHS".find(card.suit) if card.suit else 16 for card in (*PACK, JOKER)}


def choose(view: LivesView, chance: Random) -> Move:
    """A good move: catch whoever forgot, say "last card" when it is due, and never pick up while something fits."""
    if view.exposed and (catches := view.catches):
        return catches[0]
    if view.phase == "CALL_SUIT":
        plain = Counter(card.suit for card in view.hand if card not in POWER)  # those one could go out with
        return max(view.calls, key=lambda call: (plain[call.suit], chance.random()))
    plays = _sensible(view)
    if len(plays) < 2:
        return plays[0] if plays else DRAW
    return max([(_worth(view, play), chance.random(), play) for play in plays])[2]


def race(view: LivesView, chance: Random) -> Move:
    """A good move of one who only wants to be out first, and counts what the others may still hold."""
    plays = _sensible(view)
    if view.exposed or len(plays) < 2:
        return choose(view, chance)
    deck = deck_of(view.options, view.seats)
    find = deck.finder()
    held = [find(card) for card in view.hand]
    stack = [find(card) for card in _lying(view)]
    cards = {play.card for play in plays}
    can = {deck.cards[bit.bit_length() - 1]: bit for bit in held}
    number, suit = racing(
        deck,
        sum(held),
        sum(bit for card, bit in can.items() if card in cards),
        deck.all & ~sum(held) & ~sum(stack),
        view.hand_sizes[view.turn % view.seats],
    )
    card = deck.cards[number]
    return next(play for play in plays if play.card == card and play.suit in (None, CALLABLE_SUITS[suit]))


def _lying(view: LivesView) -> list[Card]:
    stack: list[Card] = []
    for event in view.seen:
        match event:
            case CardPlayed(_, card) | StarterTurned(card, False):
                stack.append(card)
            case PoolRecycled():
                stack = stack[-1:]
    return stack or [card for card in (view.top,) if card]


def _sensible(view: LivesView) -> list[Play]:
    """What may be played, with the call if it is due."""
    plays = [move for move in view.legal if isinstance(move, Play)]
    return [play for play in plays if play.last_card] or plays if len(view.hand) == 2 else plays


def _candidates(view: LivesView) -> Sequence[Move]:
    """What is worth thinking about: there is no reason to let off who forgot, or to forget a call oneself."""
    if view.exposed and (catches := view.catches):
        return catches[:1]
    if view.phase == "CALL_SUIT":
        return view.calls
    plays = _sensible(view)
    if not plays:
        return (DRAW,)
    best: dict[Card, list[Play]] = {}
    for play in sorted(plays, key=lambda play: -_worth(view, play)):
        best.setdefault(play.card, []).append(play)
    few = [play for card in list(best)[:_MOST] for play in best[card][:2]]
    other = [move for move in (KEEP, DRAW) if move in view.legal] if len(best) <= 2 else []
    return (*few, *other)


def _worth(view: LivesView, play: Play) -> float:
    rest = without(view.hand, play.card)
    nearly_out = view.hand_sizes[view.turn % view.seats] <= NEARLY_OUT
    return worth(play.card, play.suit or play.card.suit, rest, nearly_out)


def worth(card: Card, suit: str, rest: Sequence[Card], nearly_out: bool) -> float:
    """The points shed, how well the rest will fit, and what a power card does to the next player."""
    worth = POINTS[card] / 4 + _fitness(rest, suit)
    if card in TWOS:
        worth += 4 if nearly_out else -1
    elif card in WILD:
        worth += 2 if nearly_out else -4
    return worth


def _fitness(rest: Sequence[Card], suit: str) -> float:
    """How soon these cards will go: many suits, wild cards, the suit in play, and not just power cards."""
    suits, wild, plain, stuck = 0, 0, 0, bool(rest)
    for card in rest:
        suits |= _SUITS[card]
        if card not in POWER:
            stuck = False
            plain += card.suit == suit
        elif card in WILD:
            wild += 1
    return suits.bit_count() + wild + plain / 2 - 6 * stuck


THINKING: Final = Thinking(
    positions=600, candidates=_candidates, plies=0, horizon=1, estimate=points_left, doubt=1.0, first=race
)
