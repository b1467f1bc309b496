"""A position of Irish Lives in the keys of a record: §5."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from snug.engine.alike import as_position, check_seats, like
from snug.engine.cards import JOKER, Card, Pile, pack_of
from snug.engine.game import Scores, convert
from snug.engine.places import added_up
from snug.games.lives.matching import fitting, nothing_to_draw
from snug.games.lives.options import LivesOptions, packs_of
from snug.games.lives.play import caller
from snug.games.lives.score import points
from snug.games.lives.state import HAND_SIZE, TURN_CAP, WILD, LivesState, Phase, Reason, Suit, Taking, cards_of

Points = Annotated[int, Meta(ge=0)]


class _Position(msgspec.Struct, forbid_unknown_fields=True):
    """§5 as a record writes it; what is left out is neutral. `scores` has a row for each finished deal, or just the
    totals. `taking` is there only while a stack waits to be shuffled in the middle of a pick-up."""

    phase: Phase | Literal["MATCH_OVER"] = "PLAY"
    dealer: int | msgspec.UnsetType | None = msgspec.UNSET
    turn: int = 1
    hands: list[Pile] = []
    pool: Pile = ()
    stack: Pile = ()
    suit_in_play: Suit | None = None
    pending: Annotated[int, Meta(ge=0)] = 0
    called: list[int] = []
    exposed: list[int] = []
    drawn_card: Card | None = None
    idle: Annotated[int, Meta(ge=0)] = 0
    turns: Annotated[int, Meta(ge=0, le=TURN_CAP)] = 0
    scores: list[list[Points] | Points] = []
    deal_no: Annotated[int, Meta(ge=1)] | None = None
    taking: Taking | None = None


def to_position(state: LivesState, rounds: tuple[Scores, ...], totals: Scores) -> dict[str, Any]:
    """§5."""
    last = state.phase == "DEAL_OVER" and state.number >= state.options.rounds
    phase = "MATCH_OVER" if last else state.phase
    position = as_position(_Position, state, phase=phase, scores=rounds, deal_no=state.number)
    if state.taking is None:
        del position["taking"]
    return position


def from_position(
    options: LivesOptions, seats: int, given: Mapping[str, Any]
) -> tuple[LivesState, tuple[Scores, ...], Scores]:
    """A position of §5; hands that are left out are empty."""
    position: _Position = convert(given, _Position)
    state = _state(options, seats, position)
    _check_cards(state)
    _check_top(state, position.suit_in_play)
    _check_phase(state)
    _check_calls(state)
    rounds = _rows(state, position)
    over = state.phase == "DEAL_OVER"
    state = replace(state, number=position.deal_no or max(1, len(rounds) + (not over)))
    if over and not rounds and state.number == 1:
        rounds = (points(state),)
    _check_rounds(state, len(rounds))
    if position.phase == "MATCH_OVER" and state.number < options.rounds:
        raise ValueError(f"phase: after deal {state.number} of {options.rounds} the match is not over")
    totals: Scores = (0,) * seats
    for row in rounds:
        totals = added_up(totals, row)
    return state, rounds, totals


def _state(options: LivesOptions, seats: int, position: _Position) -> LivesState:
    phase: Phase = "DEAL_OVER" if position.phase == "MATCH_OVER" else position.phase
    dealer = seats if position.dealer is msgspec.UNSET else position.dealer
    turn = caller(dealer, seats) if phase == "CALL_SUIT" and dealer else position.turn
    check_seats(seats, turn=turn, dealer=dealer, taking=position.taking.seat if position.taking else None)
    for key, numbers in (("called", position.called), ("exposed", position.exposed)):
        for seat in numbers:
            check_seats(seats, **{key: seat})
        if len(set(numbers)) < len(numbers):
            raise ValueError(f"{key}: a seat is named twice")
    if len(position.hands) > seats:
        raise ValueError(f"hands: there are {len(position.hands)} at a table of {seats}")
    if dealer is None and phase != "SET_UP":
        raise ValueError("dealer: the cards are dealt, so somebody has dealt them")
    suit = position.suit_in_play or (position.stack[-1].suit or None if position.stack else None)
    hands = (*position.hands, *((),) * (seats - len(position.hands)))
    return like(
        LivesState,
        position,
        options=options,
        seats=seats,
        number=1,
        dealer=dealer,
        turn=turn,
        phase=phase,
        hands=hands,
        suit_in_play=suit,
        called=tuple(sorted(position.called)),
        exposed=tuple(sorted(position.exposed)),
        reason=_reason(hands, position.idle) if phase == "DEAL_OVER" else None,
    )


def _reason(hands: tuple[Pile, ...], idle: int) -> Reason:
    return "out" if () in hands else "blocked" if idle >= len(hands) else "cap"


def _check_cards(state: LivesState) -> None:
    cards, packs = cards_of(state), packs_of(state.options, state.seats)
    if twice := pack_of(cards, packs):
        raise ValueError(f"{twice} lies in {packs + 1} places, with {packs} packs in play")
    jokers = state.options.jokers_per_pack * packs
    if cards.count(JOKER) > jokers:
        raise ValueError(f"there are {cards.count(JOKER)} jokers, and {jokers} in the pack")


def _check_top(state: LivesState, suit: str | None) -> None:
    top = state.stack[-1] if state.stack else None
    if suit and (top is None or (top not in WILD and top.suit != suit)):
        raise ValueError(f"suit_in_play: {suit} cannot be in play on {top or 'an empty stack'}")
    if top == JOKER and not suit and state.phase in ("PLAY", "DRAWN"):
        raise ValueError("suit_in_play: a joker is the top card, so a suit has been called")
    if state.pending and (top is None or top.rank != 2):
        raise ValueError(f"pending: no two is unanswered on {top or 'an empty stack'}")
    if state.pending > (twos := 4 * packs_of(state.options, state.seats)):
        raise ValueError(f"pending: there are {twos} twos, and {state.pending} cannot be unanswered")


def _check_phase(state: LivesState) -> None:
    seats, over = state.seats, state.phase == "DEAL_OVER"
    if state.phase == "SET_UP" and (state.stack or len(state.pool) <= (0 if any(state.hands) else HAND_SIZE * seats)):
        raise ValueError("phase: SET_UP is before a card is turned up, with the whole pool to be shuffled")
    if state.phase == "CALL_SUIT" and (not state.stack or state.stack[-1] not in WILD):
        raise ValueError("phase: CALL_SUIT is for an ace or a joker turned up at the start")
    if (state.phase == "DRAWN") != (state.drawn_card is not None):
        raise ValueError("drawn_card: there is one in the phase DRAWN, and only then")
    if state.drawn_card is not None:
        hand = state.hands[state.turn - 1]
        fits = fitting(replace(state, phase="PLAY", drawn_card=None), hand).intersection(hand)
        if not state.options.play_drawn_card or state.pending or state.drawn_card not in fits:
            raise ValueError(f"drawn_card: {state.drawn_card} cannot be played at once")
    if not over and state.idle >= seats:
        raise ValueError(f"idle: after {seats} turns in which no card moved the deal is over, not {state.idle}")
    if not over and state.turns >= TURN_CAP:
        raise ValueError(f"turns: after {TURN_CAP} turns the deal is over")
    taking = state.taking
    if taking and (state.phase not in ("PLAY", "DRAWN") or state.pool or nothing_to_draw(state) or taking.owed < 0):
        raise ValueError("taking: a stack is shuffled only when the pool is empty and cards lie under the top card")


def _check_calls(state: LivesState) -> None:
    for key, seats in (("called", state.called), ("exposed", state.exposed)):
        for seat in seats:
            held = len(state.hands[seat - 1])
            if held != 1 and state.phase != "DEAL_OVER":
                raise ValueError(f"{key}: seat {seat} holds {held} cards, and the call is for the last one")
    if set(state.called) & set(state.exposed):
        raise ValueError("exposed: who has called has not forgotten to")
    if state.exposed and state.options.last_card_notice != "players":
        raise ValueError("exposed: last_card_notice is not players, so nobody waits to be caught")
    if state.exposed and state.turn in state.exposed and state.phase != "DEAL_OVER":
        raise ValueError(f"exposed: seat {state.turn} is to play, and nobody can be caught any more by then")


def _rows(state: LivesState, position: _Position) -> tuple[Scores, ...]:
    numbers = tuple(row for row in position.scores if isinstance(row, int))
    if numbers and len(numbers) < len(position.scores):
        raise ValueError("scores: a row for each finished deal, or else the totals")
    rows = (numbers,) if any(numbers) else tuple(tuple(row) for row in position.scores if not isinstance(row, int))
    for row in rows:
        if len(row) != state.seats:
            raise ValueError(f"scores: {len(row)} numbers for {state.seats} players")
    return rows


def _check_rounds(state: LivesState, finished: int) -> None:
    if not 1 <= state.number <= state.options.rounds:
        raise ValueError(f"deal_no: {state.number} cannot be in a match of {state.options.rounds} deals")
    if finished > state.number - (state.phase != "DEAL_OVER"):
        raise ValueError(f"scores: {finished} deals cannot be over in deal {state.number}")
