"""Plays Life: sweeps with aces, makes tens, ends a Hand when ahead, and knows when to leave a card alone."""

import random
from typing import Final

from snug.engine.cards import JOKER, PACK, Card, Pile
from snug.engine.game import Move
from snug.engine.thinking import Thinking
from snug.games.life.options import decks_of
from snug.games.life.score import VALUES, points_of, worth
from snug.games.life.state import ALL_SUITS, DECLINE_STEAL, HAND_SIZE, PLAY_JOKER, TURN_CARD, ChooseSuit, Lay, Steal
from snug.games.life.view import LifeView

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
        # Nothing is dealt yet and nobody can be read, so any suit is as good; but halved spades double nothing.
        return ChooseSuit(chance.choice([suit for suit in view.choices if suit != "S"]))
    if view.phase == "TURN_START":
        return PLAY_JOKER if view.may_play_joker and _wants_to_redeal(view) else TURN_CARD
    if view.phase == "LAY":
        return _lay(view)
    return _steal(view)


def candidates(view: LifeView) -> tuple[Move, ...]:
    """What is worth a thought: when to play a joker, whether to end a Hand, and from whom to steal. Nobody can know
    which suit to choose, and little is won by holding back cards or by stealing nothing."""
    if view.phase == "CHOOSE_SUITS":
        return ()
    if view.phase == "LAY":
        return _lays(view)
    if view.phase == "TURN_START":
        return view.legal
    return _steals(view)


def _lays(view: LifeView) -> tuple[Move, ...]:
    """All cards that may be laid; if that would end the Hand, also all but the least, or none."""
    cards = view.playable
    if not cards or len(cards) < len(view.hand):
        return (Lay(cards),)
    return tuple(map(Lay, dict.fromkeys((cards, _but_least(cards), ()))))


def _steals(view: LifeView) -> tuple[Move, ...]:
    """The best card of every row, any that ends the Hand, or else nothing; one hand is as good as another."""
    best = _best_steals(view)
    named = [move for _, move in best.values() if move.card is not None]
    lasts = [move for _, move in best.values() if move.card is None and view.hand_sizes[(move.target or 0) - 1] == 1]
    blind = [steal for steal in best.values() if steal[1].card is None and steal[1] not in lasts]
    drawn = [max(blind, key=lambda steal: steal[0])[1]] if blind else []
    return (*named, *drawn, *lasts, *(() if drawn and not lasts else (DECLINE_STEAL,)))


def _me(view: LifeView) -> int:
    """The seat that the bot plays for."""
    return view.seat or 0


def _others(view: LifeView) -> list[int]:
    return [seat for seat in range(1, view.seats + 1) if seat != view.seat]


def _lead(view: LifeView, points: list[float]) -> float:
    """How far ahead of the best of the others."""
    return points[_me(view) - 1] - max(points[seat - 1] for seat in _others(view))


def _wants_to_redeal(view: LifeView) -> bool:
    """A joker costs all rows and changes all hands. Played when that ends the Hand in front, or saves from the end of
    a Hand behind, or gets rid of a burden of spades."""
    cards = view.deck_size + len(view.discards) + sum(view.hand_sizes) + sum(map(len, view.rows)) - 1
    safe = [points_of(safe, suit) for safe, suit in zip(view.safe, view.suits, strict=True)]  # after a joker
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


def _lay(view: LifeView) -> Move:
    """As many cards as he wants to; the most where certain ones are to be chosen from."""
    listed = [move for move in view.legal if isinstance(move, Lay) and move.cards is not None]
    return max(listed, key=lambda move: worth(move.cards or ())) if listed else Lay(_to_lay(view))


def _to_lay(view: LifeView) -> Pile:
    """Everything, unless that would end the Hand while another one is ahead."""
    cards = view.playable
    if not cards or len(cards) < len(view.hand):
        return cards
    points = list(view.points)
    points[_me(view) - 1] += points_of(cards, view.suits[_me(view) - 1])
    if _lead(view, points) >= 0:
        return cards
    return _but_least(cards)


def _but_least(cards: Pile) -> Pile:
    """Without the card that is worth least; aces are worth most."""
    return tuple(sorted(cards, key=lambda card: (card.rank == 1, VALUES[card]))[1:])


def _steal(view: LifeView) -> Move:
    """The steal that gains most, if any does."""
    gains = _best_steals(view).values()
    most, best = max(gains, key=lambda steal: steal[0]) if gains else (0.0, DECLINE_STEAL)
    return best if most > 0 else DECLINE_STEAL


def _best_steals(view: LifeView) -> dict[int | None, tuple[float, Steal]]:
    """By target: what gains most there, and how much."""
    best: dict[int | None, tuple[float, Steal]] = {}
    for move in view.legal:
        if isinstance(move, Steal):
            gain = _gain(view, move)
            if move.target not in best or gain > best[move.target][0]:
                best[move.target] = gain, move
    return best


def _gain(view: LifeView, move: Steal) -> float:
    """What a steal is worth to the thief, with what it costs the target. The last card of a hand ends the Hand, which
    is good for whoever is ahead; whoever has just had to lay spades holds none any more."""
    target = move.target or 0
    own, theirs = view.suits[_me(view) - 1], view.suits[target - 1]
    if move.card is not None:
        return _PROMISES[own][move.card] + IN_ROW * points_of((move.card,), theirs)
    if view.hand_sizes[target - 1] == 1:
        return CERTAIN if _lead(view, list(view.points)) > 0 else -CERTAIN
    return _gain_unseen(view, own, theirs, _PLAIN if target == view.steal_victim else PACK)


def _gain_unseen(view: LifeView, own: str | None, theirs: str | None, pack: Pile) -> float:
    """The mean over the cards of these that lie in the deck or in other hands, and over the jokers."""
    in_sight = [card for card in (*view.hand, *view.discards) if not card.is_joker]
    for pile in (*view.rows, *view.safe):
        in_sight += pile
    hidden = view.deck_size + sum(view.hand_sizes) - len(view.hand)
    decks = decks_of(view.options, view.seats)
    jokers = max(0, hidden + len(in_sight) - decks * len(PACK))
    if pack is _PLAIN:
        in_sight = [card for card in in_sight if card.suit != "S"]
    mine, other = _PROMISES[own], _PROMISES[theirs]
    gains = decks * (_WHOLE[pack is _PLAIN, own] + DENIED * _WHOLE[pack is _PLAIN, theirs])
    gains -= sum(map(mine.__getitem__, in_sight)) + DENIED * sum(map(other.__getitem__, in_sight))
    gains += jokers * (1 + DENIED) * JOKER_HELD
    return gains / max(1, decks * len(pack) - len(in_sight) + jokers)


def _promise(card: Card, suit: str | None) -> float:
    """What a card in the hand promises to a player of this suit."""
    if card.is_joker:
        return JOKER_HELD
    points = HELD * points_of((card,), suit)
    if card.rank != 1:
        return points
    return points - ACE if card.suit == "S" else points + ACE


_PROMISES: Final = {suit: {card: _promise(card, suit) for card in (*PACK, JOKER)} for suit in (None, *ALL_SUITS)}
_PLAIN: Final = tuple(card for card in PACK if card.suit != "S")
_WHOLE: Final = {
    (plain, suit): sum(map(promises.__getitem__, _PLAIN if plain else PACK))
    for suit, promises in _PROMISES.items()
    for plain in (False, True)
}

THINKING: Final = Thinking(positions=5500, candidates=candidates, plies=0, doubt=0.25, oversight=0.45)
