"""A position of First Game as plain data, and back: §8."""

from collections.abc import Mapping
from typing import Any

import msgspec
from snug.engine.alike import as_position, check_seats
from snug.engine.cards import PACK, Pile
from snug.engine.game import Scores, convert
from snug.engine.places import added_up

from snug_first_game.options import FirstGameOptions
from snug_first_game.play import scores
from snug_first_game.state import FirstGameState, cards_of


class _Position(msgspec.Struct, forbid_unknown_fields=True):
    """§8. What has the same name in the state need not be said again."""

    round: int | None = None
    dealer: int = 1
    leader: int = 1
    hands: list[Pile] = []
    trick: Pile = ()
    taken: list[Pile] = []
    stock: Pile | None = None
    scores: list[list[int]] = []


def to_position(state: FirstGameState, rounds: tuple[Scores, ...], totals: Scores) -> dict[str, Any]:
    """§8."""
    return as_position(_Position, state, round=state.number, scores=rounds)


def from_position(
    options: FirstGameOptions, seats: int, given: Mapping[str, Any]
) -> tuple[FirstGameState, tuple[Scores, ...], Scores]:
    """A position of §8. Raises ValueError, naming the key, for one that cannot be."""
    position: _Position = convert(given, _Position)
    check_seats(seats, dealer=position.dealer, leader=position.leader)
    there = [*position.hands, *position.taken, position.trick]
    used = {card for pile in there for card in pile}
    stock = position.stock if position.stock is not None else tuple(card for card in PACK if card not in used)
    rounds = tuple(map(tuple, position.scores))
    state = FirstGameState(
        options,
        seats,
        number=position.round or len(rounds) + 1,
        dealer=position.dealer,
        leader=position.leader,
        hands=_by_seat("hands", position.hands, seats),
        taken=_by_seat("taken", position.taken, seats),
        trick=position.trick,
        stock=stock,
    )
    if sorted(cards_of(state)) != sorted(PACK):
        raise ValueError("hands, trick, taken, stock: together they are one pack")
    _check_sizes(state)
    if over := scores(state):
        rounds = rounds or (over,) if state.number == 1 else rounds
    if not 1 <= state.number <= options.rounds or len(rounds) > state.number - (over is None):
        raise ValueError(f"scores: {len(rounds)} rounds cannot be over in round {state.number} of {options.rounds}")
    totals: Scores = (0,) * seats
    for row in rounds:
        if len(row) != seats:
            raise ValueError(f"scores: a row has a number for each of {seats} players")
        totals = added_up(totals, row)
    return state, rounds, totals


def _by_seat(key: str, piles: list[Pile], seats: int) -> tuple[Pile, ...]:
    if len(piles) > seats:
        raise ValueError(f"{key}: there are {len(piles)} at a table of {seats}")
    return (*piles, *((),) * (seats - len(piles)))


def _check_sizes(state: FirstGameState) -> None:
    """Everybody has laid as many cards as everybody else."""
    if len(state.trick) >= state.seats:
        raise ValueError("trick: with everybody's card it is taken")
    if any(len(cards) % state.seats for cards in state.taken):
        raise ValueError("taken: it is taken by whole tricks")
    laid = {(state.leader + step - 1) % state.seats for step in range(len(state.trick))}
    if len({len(hand) + (seat in laid) for seat, hand in enumerate(state.hands)}) > 1:
        raise ValueError("hands: with the cards of the trick, everybody has the same number")
