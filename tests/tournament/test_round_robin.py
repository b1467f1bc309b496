"""Everybody meets everybody: in the rounds of the circle at tables of two, in few at larger ones; then it is over."""

import random
from itertools import combinations

import pytest

from snug.tournament import meetings
from snug.tournament.checks import PlanRefused, check_plan
from snug.tournament.events import Entered, Returned, Withdrew
from snug.tournament.forecast import forecast
from snug.tournament.plan import Plan, StagePlan, Teams
from snug.tournament.seating import seat_stage
from snug.tournament.state import Tournament
from tests.tournament.company import after, entered, fixed, played, stage


def robin(players: int, plan: StagePlan, seed: str = "seed") -> Tournament:
    """Played to its end; the lower number wins."""
    tournament = entered(0, 1, plan, format="round_robin", players=max(players, 8))
    tournament = after(tournament, *(Entered(number, f"P{number}") for number in range(1, players + 1)))
    while not tournament.over:
        tournament = one_stage(tournament, seed)
    return tournament


def one_stage(tournament: Tournament, seed: str = "seed") -> Tournament:
    seating = seat_stage(tournament, seed)
    return played(tournament, *([(n, n) for n in seats] for seats in seating.tables), out=seating.sitting_out)


def all_met(tournament: Tournament) -> bool:
    met = meetings.count(meetings.seatings(tournament))
    return all(met[pair] for pair in combinations([entry.number for entry in tournament.active], 2))


@pytest.mark.parametrize("players", [*range(2, 14), 16, 25, 32])
@pytest.mark.parametrize("seed", ["seed", "a"])
def test_tables_of_two_take_the_rounds_of_the_circle(players: int, seed: str) -> None:
    tournament = robin(players, fixed(2), seed)
    assert len(tournament.stages) == players - 1 + players % 2
    met = meetings.count(meetings.seatings(tournament))
    assert {*met.values()} == {1}
    assert len(met) == players * (players - 1) // 2
    assert len(forecast(tournament.plan, players).stages) == len(tournament.stages)


@pytest.mark.parametrize(
    ("players", "size", "stages"), [(9, 3, 4), (16, 4, 5), (4, 4, 1), (25, 5, 6), (8, 4, 3), (15, 3, 7), (12, 4, 6)]
)
def test_larger_tables_take_few(players: int, size: int, stages: int) -> None:
    tournament = robin(players, fixed(size))
    assert all_met(tournament)
    assert len(tournament.stages) <= stages


@pytest.mark.parametrize("number", range(20))
def test_at_any_tables_everybody_has_met_everybody_in_the_end(number: int) -> None:
    chance = random.Random(number)
    players, size = chance.randint(4, 20), chance.randint(2, 5)
    tournament = robin(players, stage(size, fewest=2, most=chance.randint(size, 6)), str(number))
    assert all_met(tournament)
    most = size - 1 if size > 1 else 1
    assert len(tournament.stages) <= 4 * (players // most + 2)
    assert tournament.over
    told = len(forecast(tournament.plan, players).stages)
    assert abs(told - len(tournament.stages)) <= 2


def test_who_leaves_is_waited_for_no_more_and_who_is_back_is() -> None:
    tournament = one_stage(entered(6, 1, fixed(2), format="round_robin", players=8))
    left = after(tournament, Withdrew(6))
    while not left.over:
        left = one_stage(left)
    assert all_met(left)
    assert len(left.stages) <= 6
    back = after(one_stage(after(tournament, Withdrew(6))), Returned(6))
    while not back.over:
        back = one_stage(back)
    assert all_met(back)


def test_the_games_are_played_in_turn() -> None:
    plan = Plan(format="round_robin", stages=(fixed(2), fixed(2, "lives")), players=4)
    assert [plan.stage(number).game for number in (1, 2, 3)] == ["lucky_paw", "lives", "lucky_paw"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"players": 33}, "TOO_MANY_TO_MEET"),
        ({"teams": Teams(2)}, "ALL_MEET"),
        ({"late_until": 2}, "ALL_MEET"),
        ({"counts": "last"}, "ALL_MEET"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(more: dict[str, object], code: str) -> None:
    with pytest.raises(PlanRefused) as refusal:
        check_plan(Plan(**{"format": "round_robin", "stages": (fixed(2),) * 2, "players": 8, **more}))  # type: ignore[arg-type]
    assert refusal.value.code == code
