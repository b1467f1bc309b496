"""Plays Life: sweeps with aces, makes tens, ends a Hand when ahead, and knows when to leave a card alone."""

import random
from collections import Counter
from typing import Final

from app.engine.cards import JOKER, PACK, Card, Pile
from app.engine.game import Move
from app.games.life.score import VALUES, points_of, worth
from app.games.life.state import DECLINE_STEAL, HAND_SIZE, PLAY_JOKER, TURN_CARD, ChooseSuit, Lay, Steal
from app.games.life.view import LifeView

# In points: what a card in a hand, or in a row, is worth before it is safe; what an ace or a joker promises beside its
# pips; what it is worth that another does not get it; when spades in the hand are too many.
HELD: Final = 0.5
IN_ROW: Final = 0.35
ACE: Final = 8.0
JOKER_HELD: Final = 2.0
DENIED: Final = 0.5
BURDEN: Final = 12
CERTAIN: Final = 100.0


def choose(view: LifeView, chance: random.Random) -> Move:
    """The move of a player who is to act."""
    if view.phase == "CHOOSE_SUITS":
        return _suit(view, chance)
    if view.phase == "TURN_START":
        return PLAY_JOKER if view.may_play_joker and _wants_to_redeal(view) else TURN_CARD
    if view.phase == "LAY":
        return Lay(_to_lay(view))
    return _steal(view)


def _suit(view: LifeView, chance: random.Random) -> Move:
    """Nothing is dealt yet and nobody can be read, so any suit is as good; but halved spades double nothing."""
    return ChooseSuit(chance.choice([suit for suit in view.choices if suit != "S"]))


def _me(view: LifeView) -> int:
    """The seat that the bot plays for."""
    return view.seat or 0


def _others(view: LifeView) -> list[int]:
    """All other seats."""
    return [seat for seat in range(1, view.seats + 1) if seat != view.seat]


def _lead(view: LifeView, points: list[float]) -> float:
    """How far ahead of the best of the others."""
    return points[_me(view) - 1] - max(points[seat - 1] for seat in _others(view))


def _safe_points(view: LifeView) -> list[float]:
    """What would be left to everybody after a joker."""
    return [points_of(safe, suit) for safe, suit in zip(view.safe, view.suits, strict=True)]


def _wants_to_redeal(view: LifeView) -> bool:
    """A joker costs all rows and changes all hands. Played when that ends the Hand in front, or saves from the end of
    a Hand behind, or gets rid of a burden of spades."""
    cards = view.deck_size + len(view.discards) + sum(view.hand_sizes) + sum(map(len, view.rows)) - 1
    safe = _safe_points(view)
    if cards < HAND_SIZE * view.seats:
        return _lead(view, safe) > 0
    rows = [points - kept for points, kept in zip(view.points, safe, strict=True)]
    own = rows[_me(view) - 1]
    if own > max(0.0, *(rows[seat - 1] for seat in _others(view))):
        return False
    behind = _lead(view, list(view.points)) < 0
    soon_over = min(view.hand_sizes[seat - 1] for seat in _others(view)) <= 2
    spades = worth(tuple(card for card in view.hand if card.suit == "S"))
    return (behind and soon_over) or spades >= BURDEN


def _to_lay(view: LifeView) -> Pile:
    """Everything, unless that would end the Hand while another one is ahead."""
    cards = view.playable
    if not cards or len(cards) < len(view.hand):
        return cards
    points = list(view.points)
    points[_me(view) - 1] += points_of(cards, view.suits[_me(view) - 1])
    if _lead(view, points) >= 0:
        return cards
    _, *rest = sorted(cards, key=lambda card: (card.rank == 1, VALUES[card]))
    return tuple(rest)


def _steal(view: LifeView) -> Move:
    """The steal that gains most, if any does."""
    unseen = _unseen(view)
    best: Move = DECLINE_STEAL
    most = 0.0
    for move in view.legal:
        if isinstance(move, Steal) and (gain := _gain(view, move, unseen)) > most:
            best, most = move, gain
    return best


def _unseen(view: LifeView) -> Pile:
    """The cards that lie in the deck or in other hands."""
    in_sight = [*view.hand, *view.discards, *sum(view.rows, ()), *sum(view.safe, ())]
    hidden = view.deck_size + sum(view.hand_sizes) - len(view.hand)
    decks = 1 if hidden + len(in_sight) + view.removed_jokers < 2 * len(PACK) else 2
    left = Counter(PACK * decks)
    left.subtract(in_sight)
    suited = tuple(left.elements())
    return suited + (JOKER,) * (hidden - len(suited))


def _gain(view: LifeView, move: Steal, unseen: Pile) -> float:
    """What a steal is worth to the thief, with what it costs the target. The last card of a hand ends the Hand, which
    is good for whoever is ahead; whoever has just had to lay spades holds none any more."""
    target = move.target or 0
    own, theirs = view.suits[_me(view) - 1], view.suits[target - 1]
    if move.card is not None:
        return _promise(move.card, own) + IN_ROW * points_of((move.card,), theirs)
    if view.hand_sizes[target - 1] == 1:
        return CERTAIN if _lead(view, list(view.points)) > 0 else -CERTAIN
    pool = [card for card in unseen if card.suit != "S"] if target == view.steal_victim else unseen
    return sum(_promise(card, own) + DENIED * _promise(card, theirs) for card in pool) / max(1, len(pool))


def _promise(card: Card, suit: str | None) -> float:
    """What a card in the hand promises to a player of this suit."""
    if card.is_joker:
        return JOKER_HELD
    points = HELD * points_of((card,), suit)
    if card.rank != 1:
        return points
    return points - ACE if card.suit == "S" else points + ACE
