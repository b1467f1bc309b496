"""How Life is scored: §10."""

from typing import Final

from snug.engine.cards import PACK, Card, Pile
from snug.engine.game import Scores
from snug.games.life.events import Fortune
from snug.games.life.options import LifeOptions
from snug.games.life.state import ALL_SUITS, HAND_TURN_CAP, MATCH_HAND_CAP, LifeState

_COURT: Final = 10
VALUES: Final[dict[Card, int]] = {card: _COURT if card.rank in (1, 11, 12, 13) else card.rank for card in PACK}


def _weight(card: Card, suit: str | None) -> int:
    """§10, in halves: the chosen suit counts double, others once, spades against the player, chosen ones half."""
    if card.suit == "S":
        return -1 if suit == "S" else -2
    return 4 if card.suit == suit else 2


_HALVES: Final = {suit: {card: VALUES[card] * _weight(card, suit) for card in PACK} for suit in (None, *ALL_SUITS)}


def worth(cards: Pile) -> int:
    """§2: pips; 10 for jack, queen, king and ace."""
    return sum([VALUES[card] for card in cards])


def points_of(cards: Pile, suit: str | None) -> float:
    """§10: what cards in front of a player who chose `suit` count. Halves only where spades were chosen."""
    halves = sum(map(_HALVES[suit].__getitem__, cards))
    return halves / 2 if halves % 2 else halves // 2


def _whole(number: float) -> float:
    """Whole numbers as such, so that they are written without a point."""
    return int(number) if number == int(number) else number


def points(state: LifeState) -> Scores:
    """§10: what everybody's rows and safe piles are worth."""
    fronts = zip(state.rows, state.safe, state.chosen, strict=True)
    return tuple([points_of(row + safe, suit) for row, safe, suit in fronts])


def scores(state: LifeState) -> Scores | None:
    """§10: hand cards count nothing."""
    return points(state) if state.phase == "HAND_OVER" else None


def fortunes(state: LifeState) -> tuple[Fortune, ...]:
    """§4 `fortune`: each seat's undoubled points by suit; empty where no fortunes are told."""
    if not state.options.fortune:
        return ()
    fronts = (row + safe for row, safe in zip(state.rows, state.safe, strict=True))
    return tuple(
        Fortune(*(worth(tuple(card for card in front if card.suit == suit)) for suit in ALL_SUITS)) for front in fronts
    )


def ending(state: LifeState) -> str:
    """Why a finished Hand ended, read from how it was left: §7.6, §7.8, §7.9, §13."""
    if state.turns >= HAND_TURN_CAP:
        return "turn_cap"
    if not any(state.hands) and not state.discards:
        return "not_enough"
    return "deck_out" if all(state.hands) else "went_out"


def next_dealer(state: LifeState) -> int:
    """§10: the left of whoever last dealt seven cards to everybody."""
    return (state.last_dealer or state.seats) % state.seats + 1


def tally(options: LifeOptions, totals: Scores, entries: Scores) -> Scores:
    """§10: Hands are added up."""
    return tuple(_whole(sum(pair)) for pair in zip(totals, entries, strict=True)) if totals else entries


def is_last(options: LifeOptions, number: int, totals: Scores) -> bool:
    """§10: when somebody has reached the target, or after the last Hand there can be."""
    return number >= MATCH_HAND_CAP or max(totals) >= options.target
