"""What may be played, picked up and caught: §7.1, §7.3, §7.6, §8."""

from collections.abc import Sequence
from typing import Final

from app.engine.cards import JOKER, PACK, Card, Pile
from app.engine.game import Move
from app.games.lives.state import CALLABLE_SUITS, CALLS, DRAW, KEEP, POWER, WILD, Catch, LivesState, Play


def _plays(card: Card) -> tuple[Play, ...]:
    return tuple(Play(card, suit) for suit in CALLABLE_SUITS) if card in WILD else (Play(card),)


def _plays_and_calls(card: Card) -> tuple[Play, ...]:
    return tuple(Play(card, play.suit, last_card) for play in _plays(card) for last_card in (False, True))


PLAYS: Final = {card: _plays(card) for card in (*PACK, JOKER)}
LAST_BUT_ONE_PLAYS: Final = {card: _plays_and_calls(card) for card in (*PACK, JOKER)}
ACES: Final = frozenset(card for card in PACK if card.rank == 1)
# §7.1.3 to 5: the cards that fit a suit in play (None: none was called yet) and the top card's rank (None: no card).
FITS: Final = {
    (suit, rank): frozenset(c for c in (*PACK, JOKER) if c.is_joker or c.suit == suit or c.rank == rank)
    for suit in (*CALLABLE_SUITS, None)
    for rank in (*range(14), None)
}


def only_power(hand: Sequence[Card]) -> bool:
    """§7.7: whether this is a lone power card, which is never played."""
    return len(hand) == 1 and hand[0] in POWER


def playable(state: LivesState, seat: int) -> list[Card]:
    """§7.1: the cards that a seat may play if it is to play, in the order of its hand."""
    hand = state.hands[seat - 1]
    if state.drawn_card is not None:
        return [state.drawn_card]
    if only_power(hand):
        return []
    if state.pending:
        return [card for card in hand if card.rank == 2]
    rank = state.stack[-1].rank if state.stack else None
    fits = FITS[state.suit_in_play, rank]
    if not ACES.isdisjoint(hand) and _off_suit_aces_fit(state, hand, rank):
        fits |= ACES
    return [card for card in hand if card in fits]


def _off_suit_aces_fit(state: LivesState, hand: Pile, rank: int | None) -> bool:
    """§7.1.6. An ace or two counts as a card of its suit; a joker has neither suit nor rank."""
    wanted, suit = state.options.off_suit_ace, state.suit_in_play
    if wanted == "always":
        return True
    if any(card.suit == suit for card in hand):
        return False
    return wanted == "no_suit" or not rank or all(card.rank != rank for card in hand)


def nothing_to_draw(state: LivesState) -> bool:
    """§7.3: pool and recyclable stack are both empty."""
    return not state.pool and len(state.stack) <= 1


def may_draw(state: LivesState, fits: Sequence[Card]) -> bool:
    """§7.3: whether a seat that could play `fits` may pick up or, where there is nothing to pick up, pass."""
    return bool(state.pending) or not fits or not (state.options.must_play or nothing_to_draw(state))


def to_act(state: LivesState) -> tuple[int, ...]:
    """§8: the seat to play or call, and whoever could catch a forgotten call."""
    if state.phase in ("SET_UP", "DEAL_OVER") or state.taking:
        return ()
    if not state.exposed:
        return (state.turn,)
    alone = state.exposed[0] if len(state.exposed) == 1 else 0
    return tuple(seat for seat in range(1, state.seats + 1) if seat != alone)


def legal(state: LivesState, seat: int) -> tuple[Move, ...]:
    """§8."""
    if seat not in to_act(state):
        return ()
    moves: list[Move] = []
    if seat == state.turn:
        if state.phase == "CALL_SUIT":
            return CALLS
        fits = playable(state, seat)
        plays = LAST_BUT_ONE_PLAYS if len(state.hands[seat - 1]) == 2 else PLAYS
        for card in dict.fromkeys(fits):
            moves += plays[card]
        if state.phase == "DRAWN":
            moves.append(KEEP)
        elif may_draw(state, fits):
            moves.append(DRAW)
    moves += [Catch(exposed) for exposed in state.exposed if exposed != seat]
    return tuple(moves)
