"""A position of Hearts in the keys of a record: §5."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace
from snug.engine.alike import as_position
from snug.engine.cards import Card, Pile
from snug.engine.game import Scores, convert
from snug.engine.places import added_up

from snug_hearts.options import HeartsOptions
from snug_hearts.play import first_leader
from snug_hearts.score import is_last, points, taken
from snug_hearts.state import PASSED, HeartsState, Phase, cards_of, lowest_club, pack_of, steps_to_receiver
from snug_hearts.tricks import Trick


class _Position(msgspec.Struct, forbid_unknown_fields=True):
    """§5 as a record writes it."""

    phase: Phase | Literal["MATCH_OVER"] = "PLAY"
    dealer: int = 1
    hands: list[Pile] = []
    passed: list[Pile] = []
    trick: Trick | None = None
    tricks: list[Trick] = []
    scores: list[list[int]] = []
    deal_no: Annotated[int, Meta(ge=1)] | None = None


def to_position(state: HeartsState, rounds: tuple[Scores, ...], totals: Scores) -> dict[str, Any]:
    """§5."""
    over = state.phase == "DEAL_OVER" and is_last(state.options, state.number, totals)
    phase = "MATCH_OVER" if over else state.phase
    return as_position(_Position, state, phase=phase, scores=rounds, deal_no=state.number)


def from_position(
    options: HeartsOptions, seats: int, given: Mapping[str, Any]
) -> tuple[HeartsState, tuple[Scores, ...], Scores]:
    """A position of §5; piles that are left out are empty."""
    position: _Position = convert(given, _Position)
    over = position.phase in ("DEAL_OVER", "MATCH_OVER")
    rounds: tuple[Scores, ...] = tuple(map(tuple, position.scores))
    state = HeartsState(
        options,
        seats,
        number=position.deal_no or max(1, len(rounds) + (not over)),
        dealer=position.dealer,
        phase="DEAL_OVER" if position.phase == "MATCH_OVER" else position.phase,
        hands=_piles("hands", position.hands, seats),
        passed=_piles("passed", position.passed, seats),
        trick=position.trick,
        tricks=tuple(position.tricks),
    )
    _check_seats(state)
    _check_cards(state)
    if state.phase == "PLAY":
        state = _with_leader(state)
        _check_sizes(state)
    elif state.trick or (state.tricks and not over) or (over and any(state.hands)):
        raise ValueError(f"trick: in the phase {position.phase} no trick is being played")
    _check_passed(state)
    if over and not rounds and state.number == 1:
        rounds = (points(state.options, taken(state)),)
    totals = _totals(state, rounds)
    if position.phase == "MATCH_OVER" and not is_last(options, state.number, totals):
        raise ValueError(f"phase: after deal {state.number} the match is not over")
    return state, rounds, totals


def _piles(key: str, given: list[Pile], seats: int) -> tuple[Pile, ...]:
    if len(given) > seats:
        raise ValueError(f"{key}: there are {len(given)} at a table of {seats}")
    return (*given, *((),) * (seats - len(given)))


def _check_seats(state: HeartsState) -> None:
    leaders = [trick.leader for trick in (*state.tricks, *((state.trick,) if state.trick else ()))]
    for key, seat in (("dealer", state.dealer), *(("leader", leader) for leader in leaders)):
        if not 1 <= seat <= state.seats:
            raise ValueError(f"{key}: there is no seat {seat} at a table of {state.seats}")
    for number, trick in enumerate(state.tricks):
        if len(trick.cards) != state.seats:
            raise ValueError(f"tricks: {len(trick.cards)} cards are no whole trick at a table of {state.seats}")
        if number and trick.leader != state.tricks[number - 1].winner(state.seats):
            raise ValueError("tricks: whoever takes a trick leads to the next one")


def _check_cards(state: HeartsState) -> None:
    cards, pack = cards_of(state), pack_of(state.seats)
    if state.phase == "SET_UP":
        if cards:
            raise ValueError("phase: in SET_UP no card is dealt yet")
        return
    for card in cards:
        if card not in pack:
            raise ValueError(f"{card} is not played with at a table of {state.seats}")
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise ValueError(f"{twice} lies in two places")
    if missing := next((card for card in pack if card not in cards), None):
        raise ValueError(f"{missing} lies nowhere")


def _with_leader(state: HeartsState) -> HeartsState:
    """Who leads to a trick that is left out: whoever took the one before, or holds the lowest club."""
    leader = state.tricks[-1].winner(state.seats) if state.tricks else first_leader(_before_trick(state))
    trick = state.trick or Trick(leader)
    if trick.leader != leader:
        raise ValueError(f"trick: seat {leader} leads to it, not seat {trick.leader}")
    first = lowest_club(state.seats)
    if (*state.tricks, trick)[0].cards[:1] not in ((), (first,)):
        raise ValueError(f"tricks: the first begins with {first}")
    return replace(state, trick=trick)


def _before_trick(state: HeartsState) -> tuple[Pile, ...]:
    """The hands with the cards of the trick in them."""
    hands = list(state.hands)
    for seat, card in state.trick.seats(state.seats) if state.trick else ():
        hands[seat - 1] = (*hands[seat - 1], card)
    return tuple(hands)


def _check_sizes(state: HeartsState) -> None:
    if state.trick and len(state.trick.cards) >= state.seats:
        raise ValueError("trick: a trick with everybody's card is over")
    if len({len(hand) for hand in _before_trick(state)}) > 1:
        raise ValueError("hands: with the cards of the trick, everybody has the same number")


def _check_passed(state: HeartsState) -> None:
    """§6: what is passed is three cards, and they are where they were passed to."""
    steps = steps_to_receiver(state.options, state.seats, state.number)
    if any(state.passed) and (state.phase == "SET_UP" or not steps):
        raise ValueError(f"passed: in deal {state.number} no cards are passed")
    if state.phase == "PASS" and (not steps or all(state.passed)):
        raise ValueError("phase: in PASS somebody has cards to pass")
    if any(len(cards) not in (0, PASSED) for cards in state.passed):
        raise ValueError("passed: everybody passes three cards")
    if state.phase == "PASS":
        if len({len(hand) + len(cards) for hand, cards in zip(state.hands, state.passed, strict=True)}) > 1:
            raise ValueError("hands: with the cards passed, everybody has the same number")
        return
    for seat, cards in enumerate(state.passed, 1):
        receiver = (seat + steps - 1) % state.seats + 1
        if any(card not in _held_by(state, receiver) for card in cards):
            raise ValueError(f"passed: what seat {seat} passed is not what seat {receiver} had")


def _held_by(state: HeartsState, seat: int) -> set[Card]:
    tricks = (*state.tricks, state.trick) if state.trick else state.tricks
    played = {card for trick in tricks for owner, card in trick.seats(state.seats) if owner == seat}
    return played | set(state.hands[seat - 1])


def _totals(state: HeartsState, rounds: tuple[Scores, ...]) -> Scores:
    over = state.phase == "DEAL_OVER"
    if not 1 <= state.number <= state.options.rounds:
        raise ValueError(f"deal_no: {state.number} cannot be in a match of {state.options.rounds} deals at most")
    if len(rounds) > state.number - (not over):
        raise ValueError(f"scores: {len(rounds)} deals cannot be over in deal {state.number}")
    if any(len(row) != state.seats for row in rounds):
        raise ValueError(f"scores: a row has a number for each of {state.seats} players")
    if over and len(rounds) == state.number and rounds[-1] != points(state.options, taken(state)):
        raise ValueError("scores: the last row is not what the tricks come to")
    totals: Scores = (0,) * state.seats
    for row in rounds:
        totals = added_up(totals, row)
    return totals
