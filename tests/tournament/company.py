"""Short ways to hold a tournament in a test."""

from collections.abc import Sequence
from typing import Any

import pytest

from snug.engine.places import places_of
from snug.tournament import fold
from snug.tournament.events import AnyLogEvent, Entered, StageClosed, StageSeated, TableFinished
from snug.tournament.lines import StandingsRow
from snug.tournament.plan import Plan, StagePlan
from snug.tournament.standings import standings
from snug.tournament.state import EventRefused, Tournament

NEW_COMPANY = (  # players, at a table, stages in which nobody has to meet anybody again
    (15, 3, 6),
    (15, 3, 7),
    (18, 3, 8),
    (21, 3, 10),
    (24, 4, 6),
    (24, 4, 7),
    (28, 4, 8),
    (28, 4, 9),
    (32, 4, 10),
    (36, 4, 8),
    (36, 4, 11),
    (40, 4, 13),
    (64, 4, 21),
)
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")


def stage(size: int = 4, game: str = "lucky_paw", fewest: int | None = None, most: int | None = None) -> StagePlan:
    return StagePlan(game, {}, size, fewest, most)


def fixed(size: int = 4, game: str = "lucky_paw") -> StagePlan:
    """Tables of this size and no other."""
    return stage(size, game, size, size)


def entered(count: int, stages: int = 3, plan: StagePlan | None = None, **more: Any) -> Tournament:
    """Ann, Ben, … have entered; if there are teams, the first ones are Team 1."""
    tournament = fold.begin(Plan(**{"format": "rotating", "stages": (plan or stage(),) * stages, **more}))
    teams = tournament.plan.teams
    for number in range(1, count + 1):
        team = f"Team {(number - 1) // teams.size + 1}" if teams else ""
        tournament = fold.apply(tournament, Entered(number, NAMES[number - 1], team))
    return tournament


def full(players: int, stages: int, plan: StagePlan, **more: Any) -> Tournament:
    """Any number have entered, as P1, P2, …"""
    entries = (Entered(number, f"P{number}") for number in range(1, players + 1))
    return after(entered(0, stages, plan, **more), *entries)


def after(tournament: Tournament, *events: AnyLogEvent) -> Tournament:
    for event in events:
        tournament = fold.apply(tournament, event)
    return tournament


def finished(table: int, *scores: float) -> TableFinished:
    """Low scores win."""
    return TableFinished(table, scores, places_of(scores, lowest_wins=True))


def played(tournament: Tournament, *tables: Sequence[tuple[int, float]], out: tuple[int, ...] = ()) -> Tournament:
    """A whole stage: at each table who sat there with what score."""
    seated = StageSeated(tuple(tuple(entry for entry, _ in table) for table in tables), out)
    results = [finished(at, *(score for _, score in table)) for at, table in enumerate(tables, 1)]
    return after(tournament, seated, *results, StageClosed())


def refused(tournament: Tournament, event: AnyLogEvent) -> EventRefused:
    with pytest.raises(EventRefused) as refusal:
        fold.apply(tournament, event)
    return refusal.value


def worth(tournament: Tournament, name: str) -> float:
    """A line's points as a number."""
    return float(line(tournament, name).points)


def line(tournament: Tournament, name: str) -> StandingsRow:
    (line,) = (line for line in standings(tournament) if line.name == name)
    return line
