"""Teams across tables: kept apart, scored and whole, whoever leaves or comes."""

from collections import Counter
from fractions import Fraction

import pytest

from snug.tournament.events import Entered, Replaced, Returned, StageClosed, Withdrew
from snug.tournament.plan import Format, Teams
from snug.tournament.seating import achieved, seat_stage
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from tests.tournament.company import after, entered, finished, line, played, stage


def teams_of(size: int, people: int, format: Format, stages: int = 4, **more: object) -> Tournament:
    """Teams in the order of entry have entered."""
    tournament = entered(0, stages, stage(4, fewest=2), **{"format": format, "teams": Teams(size), **more})
    for number in range(1, people + 1):
        tournament = after(tournament, Entered(number, f"P{number}", f"Team {(number - 1) // size + 1}"))
    return tournament


def one_stage(tournament: Tournament) -> Tournament:
    """A stage as the room seats it; the lower number wins."""
    seating = seat_stage(tournament, "seed", steps=0)
    results = [finished(at, *seats) for at, seats in enumerate(seating.tables, 1)]
    return after(tournament, seating, *results, StageClosed())


def unavoidable(tournament: Tournament) -> int:
    """How many pairs of team mates share a table, spread as evenly as can be."""
    stage = tournament.stages[-1]
    pairs = 0
    for mates in Counter(tournament.entry(number).team for number in stage.players).values():
        each, more = divmod(mates, len(stage.tables))
        pairs += sum(size * (size - 1) // 2 for size in [each + 1] * more + [each] * (len(stage.tables) - more))
    return pairs


@pytest.mark.parametrize("format", ["rotating", "swiss"])
@pytest.mark.parametrize(("size", "people"), [(2, 8), (2, 14), (3, 12), (3, 21), (4, 8), (4, 16), (4, 24), (4, 64)])
def test_team_mates_share_a_table_only_where_it_cannot_be_helped(size: int, people: int, format: Format) -> None:
    tournament = teams_of(size, people, format)
    while not tournament.over:
        tournament = one_stage(tournament)
        assert achieved(tournament, len(tournament.stages)).mates == unavoidable(tournament)


@pytest.mark.parametrize("format", ["rotating", "swiss"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_after_drop_outs_and_late_entries_they_are_still_apart(size: int, format: Format) -> None:
    tournament = one_stage(teams_of(size, 24, format, late_until=4))
    tournament = one_stage(after(tournament, Withdrew(1), Withdrew(7), Withdrew(24)))
    assert achieved(tournament, 2).mates == 0
    tournament = one_stage(after(tournament, Entered(25, "New", "Team 1"), Returned(24)))
    assert achieved(tournament, 3).mates == 0
    assert line(tournament, "Team 1").entries == (*range(1, size + 1), 25)
    assert all(None not in line.stages for line in standings(tournament))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_teams_play_a_series_at_one_table(size: int) -> None:
    tournament = teams_of(size, 2 * size, "series", stages=2, players=12)
    tournament = one_stage(one_stage(tournament))
    first, second = standings(tournament)
    assert (first.entries, second.entries) == (tuple(range(1, size + 1)), tuple(range(size + 1, 2 * size + 1)))
    assert tournament.over


@pytest.mark.parametrize("policy", ["bot", "reserve", "frozen"])
def test_a_team_whose_member_leaves_scores_on(policy: str) -> None:
    tournament = one_stage(teams_of(2, 9, "rotating", players=8, drop_out=policy, late_until=1))
    tournament = one_stage(after(tournament, Withdrew(1)))
    team = line(tournament, "Team 1")
    assert team.entries == ((1, 2, 9) if policy == "reserve" else (1, 2))
    assert len([score for score in team.stages if score]) == 2


def test_a_reserve_plays_for_the_team_of_whom_it_follows() -> None:
    tournament = one_stage(teams_of(2, 9, "swiss", players=8, drop_out="reserve"))
    tournament = one_stage(after(tournament, Replaced(3, 9)))
    assert tournament.entry(9).team == "Team 2"
    assert achieved(tournament, 2).mates == 0


def test_the_last_stage_decides_between_teams_too() -> None:
    tournament = teams_of(2, 4, "rotating", stages=2, counts="last", ties=())
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3), (4, 4)])
    tournament = played(tournament, [(1, 3), (2, 4), (3, 1), (4, 2)])
    assert [(line.name, line.points) for line in standings(tournament)] == [("Team 2", 1), ("Team 1", Fraction(1, 3))]
