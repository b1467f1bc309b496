"""What may be played, picked up and caught: §7.1, §7.3, §7.6, §8."""

from typing import Final, NamedTuple

from snug.engine.cards import JOKER, PACK, Card, Pile
from snug.engine.game import Move
from snug.games.lives.state import CALLABLE_SUITS, CALLS, DRAW, KEEP, POWER, TWOS, WILD, Catch, LivesState, Play, others


def _plays(card: Card) -> tuple[Play, ...]:
    return tuple(Play(card, suit) for suit in CALLABLE_SUITS) if card in WILD else (Play(card),)


PLAYS: Final = {card: _plays(card) for card in (*PACK, JOKER)}
LAST_BUT_ONE_PLAYS: Final = {
    card: tuple(Play(card, play.suit, last_card) for play in plays for last_card in (False, True))
    for card, plays in PLAYS.items()
}
ACES: Final = frozenset(card for card in PACK if card.rank == 1)


class Fits(NamedTuple):
    """What goes on a stack: `cards` from any hand, `with_aces` from one that holds none of what is `barring` aces."""

    cards: frozenset[Card]
    with_aces: frozenset[Card]
    barring: frozenset[Card]


def _fits(off_suit_ace: str, suit: str | None, rank: int | None) -> Fits:
    """§7.1.3 to 6, for the suit in play (None: none was called yet) and the top card's rank (None: no card). An ace or
    two counts as a card of its suit; a joker has neither suit nor rank."""
    of_suit = frozenset(card for card in PACK if card.suit == suit)
    of_rank = frozenset(card for card in PACK if card.rank == rank)
    cards = of_suit | of_rank | {JOKER}
    barring = {"no_suit": of_suit, "no_suit_no_rank": of_suit | of_rank, "always": frozenset[Card]()}
    return Fits(cards, cards | ACES, barring[off_suit_ace])


FITS: Final = {
    (wanted, suit, rank): _fits(wanted, suit, rank)
    for wanted in ("no_suit", "no_suit_no_rank", "always")
    for suit in (*CALLABLE_SUITS, None)
    for rank in (*range(14), None)
}


def fitting(state: LivesState, hand: Pile) -> frozenset[Card]:
    """§7.1: the cards that the seat in turn may play if this hand, its own, holds them."""
    if state.drawn_card is not None:
        return frozenset((state.drawn_card,))
    if len(hand) == 1 and hand[0] in POWER:  # §7.7
        return frozenset()
    if state.pending:
        return TWOS
    fits = FITS[state.options.off_suit_ace, state.suit_in_play, state.stack[-1].rank if state.stack else None]
    return fits.with_aces if fits.barring.isdisjoint(hand) else fits.cards


def nothing_to_draw(state: LivesState) -> bool:
    """§7.3: pool and recyclable stack are both empty."""
    return not state.pool and len(state.stack) <= 1


def need_not_play(state: LivesState) -> bool:
    """§7.3: whether a seat may pick up although it holds a card that fits."""
    return bool(state.pending) or not (state.options.must_play or nothing_to_draw(state))


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
    if state.phase == "CALL_SUIT":
        return CALLS
    moves: list[Move] = []
    if seat == state.turn:
        hand = state.hands[seat - 1]
        fits, plays = fitting(state, hand), LAST_BUT_ONE_PLAYS if len(hand) == 2 else PLAYS
        for card in hand:
            if card in fits and plays[card][0] not in moves:  # twins are one choice
                moves += plays[card]
        if state.phase == "DRAWN":
            moves.append(KEEP)
        elif not moves or need_not_play(state):
            moves.append(DRAW)
    if state.exposed:
        moves += map(Catch, others(state.exposed, seat))
    return tuple(moves)
