"""A Lucky Paw position in the keys of a record: §5."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from snug.engine.alike import as_position, check_seats, like
from snug.engine.cards import JOKER, PACK, Pile, pack_of
from snug.engine.game import Scores, convert
from snug.engine.places import added_up
from snug.games.lucky_paw.options import LuckyPawOptions
from snug.games.lucky_paw.score import entries
from snug.games.lucky_paw.state import OPEN_STACKS, STACKS, LuckyPawState, cards_of


class _Position(msgspec.Struct, forbid_unknown_fields=True):
    """§5 as a record writes it; what is left out is neutral."""

    round: Annotated[int, Meta(ge=1, le=9)] | None = None
    starter: int | None = None
    turn: int = 1
    open: Annotated[list[Pile], Meta(max_length=OPEN_STACKS)] = []
    stacks: list[Annotated[list[Pile], Meta(max_length=STACKS)]] = []
    stock: Pile = ()
    aside: Pile = ()
    streak: Annotated[int, Meta(ge=0)] = 0
    sets_dealt: Annotated[int, Meta(ge=0)] = 1
    round_scores: list[list[Annotated[int, Meta(ge=0, le=len(PACK))]]] = []
    totals: list[Annotated[int, Meta(ge=0, le=9 * len(PACK))]] = []


def to_position(state: LuckyPawState, rounds: tuple[Scores, ...], totals: Scores) -> dict[str, Any]:
    """§5."""
    return as_position(_Position, state, round=state.number, round_scores=rounds, totals=totals)


def from_position(
    options: LuckyPawOptions, seats: int, given: Mapping[str, Any]
) -> tuple[LuckyPawState, tuple[Scores, ...], Scores]:
    """A position of §5; short lists of piles are filled up with empty ones."""
    position = convert(given, _Position)
    rounds = tuple(tuple(row) for row in position.round_scores)
    if len(rounds) > options.rounds:
        raise ValueError(f"round_scores: {len(rounds)} rounds in a match of {options.rounds}")
    over, earliest = len(rounds) == options.rounds, min(len(rounds) + 1, options.rounds)
    number = position.round or earliest
    if not earliest <= number <= options.rounds:
        raise ValueError(f"round: {number} cannot be when {len(rounds)} of {options.rounds} rounds are over")
    starter = (options.starting_player + number - 2) % seats + 1 if position.starter is None else position.starter
    check_seats(seats, turn=position.turn, starter=starter)
    if len(position.stacks) > seats:
        raise ValueError(f"stacks: there are {len(position.stacks)} players' stacks at a table of {seats}")
    if position.streak > seats - (not over):
        raise ValueError(f"streak: after {seats} passes there is a new set or the round ends, not {position.streak}")
    stacks = [(*piles, *((),) * (STACKS - len(piles))) for piles in position.stacks]
    state = like(
        LuckyPawState,
        position,
        options=options,
        seats=seats,
        number=number,
        starter=starter,
        dealt=True,
        over=over,
        open=(*position.open, *((),) * (OPEN_STACKS - len(position.open))),
        stacks=(*stacks, *(((),) * STACKS,) * (seats - len(stacks))),
    )
    _check_cards(state)
    return state, rounds, _totals(options, seats, rounds, tuple(position.totals))


def _check_cards(state: LuckyPawState) -> None:
    """§3: each of the pack's cards once, but for as many as were swapped for jokers."""
    cards, most = cards_of(state), state.options.jokers
    if twice := pack_of(cards):
        raise ValueError(f"{twice} lies in two places")
    jokers = cards.count(JOKER)
    if jokers > most:
        raise ValueError(f"this table plays with {most or 'no'} joker{'s' * (most != 1)}, not {jokers}")
    if len(cards) - jokers > len(PACK) - most:
        raise ValueError(
            f"{len(cards) - jokers} cards beside jokers: {most} of the {len(PACK)} were swapped for jokers"
        )


def _totals(options: LuckyPawOptions, seats: int, rounds: tuple[Scores, ...], given: Scores) -> Scores:
    competitors = 2 if options.teams else seats
    totals: Scores = ()
    for row in rounds:
        if len(row) not in (seats, competitors):
            raise ValueError(f"round_scores: a row of {len(row)} for {seats} players")
        totals = added_up(totals, entries(options, row))
    if given and len(given) != competitors:
        raise ValueError(f"totals: {len(given)} numbers for {competitors} competitors")
    if any(all_told < listed for all_told, listed in zip(given, totals, strict=False)):
        raise ValueError("totals: they are lower than the sums of round_scores")
    return given or totals or (0,) * competitors
