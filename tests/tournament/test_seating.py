"""Who meets whom: rotations, the search, Swiss, seats, and what is stated about them."""

from fractions import Fraction

import pytest

from snug.engine.chance import chance_of
from snug.tournament import meetings
from snug.tournament.events import Entered, StageSeated, Withdrew
from snug.tournament.plan import Teams
from snug.tournament.rounds.pairing import _places as places_of
from snug.tournament.rounds.rotation import rotations
from snug.tournament.rounds.search import anneal, cost_of, improve
from snug.tournament.seating import Achieved, achieved, seat_stage
from snug.tournament.standings import standings
from snug.tournament.state import EventRefused, Tournament
from tests.tournament.company import NEW_COMPANY, after, entered, fixed, full, played, stage


def all_stages(tournament: Tournament, steps: int = 0) -> Tournament:
    """Every stage seated by the room; the lower number wins."""
    while not tournament.over:
        seating = seat_stage(tournament, "seed", steps=steps)
        tables = ([(entry, entry) for entry in seats] for seats in seating.tables)
        tournament = played(tournament, *tables, out=seating.sitting_out)
    return tournament


def many(players: int, stages: int, size: int, **more: object) -> Tournament:
    return all_stages(full(players, stages, fixed(size), **more))


def test_who_comes_late_is_behind_in_the_rotation_and_moves_nobody() -> None:
    tournament = played(
        full(6, 3, fixed(2), late_until=2), *([(number, number) for number in (at, at + 1)] for at in (1, 3, 5))
    )
    before = places_of(tournament, range(1, 7), "seed")
    late = after(tournament, Entered(7, "Late"))
    assert places_of(late, range(1, 8), "seed") == [*before, 7]


@pytest.mark.parametrize(
    ("players", "stages", "size"),
    [
        *((players, stages, size) for players, size, stages in NEW_COMPANY),
        (16, 5, 4),
        (32, 9, 4),
        (64, 6, 4),
        (9, 4, 3),
        (25, 6, 5),
        (40, 5, 4),
        (8, 7, 2),
        (6, 5, 2),
        (63, 4, 4),
        (28, 7, 4),
    ],
)
def test_nobody_meets_again_where_that_is_possible(players: int, stages: int, size: int) -> None:
    tournament = many(players, stages, size)
    assert len(tournament.stages) == stages
    assert meetings.repeats(meetings.count(meetings.seatings(tournament))) == 0


@pytest.mark.parametrize(("players", "stages", "repeats"), [(8, 2, 4), (8, 6, 44), (12, 3, 6), (4, 3, 12), (5, 5, 20)])
def test_no_more_meet_again_than_is_proven_to_be_unavoidable(players: int, stages: int, repeats: int) -> None:
    tournament = many(players, stages, 4)
    seatings = meetings.seatings(tournament)
    assert meetings.repeats(meetings.count(seatings)) == meetings.whole_bound(seatings) == repeats


def test_stages_planned_together_repeat_less_than_one_after_the_other() -> None:
    alone, together = (all_stages(entered(10, 4, fixed(5)), steps=steps) for steps in (0, 20_000))
    repeats = [meetings.repeats(meetings.count(meetings.seatings(it))) for it in (alone, together)]
    assert repeats[0] > repeats[1] >= 35


def test_a_seating_by_hand_is_built_upon() -> None:
    by_hand = played(entered(12, 2, fixed(3)), *([(n, n), (n + 1, n), (n + 2, n)] for n in (1, 4, 7, 10)))
    assert achieved(all_stages(by_hand), 2).repeats == 0


def test_drop_outs_and_late_entries_still_meet_new_people() -> None:
    tournament = full(40, 5, stage(), late_until=5)
    for number in range(2, 5):
        seating = seat_stage(tournament, "seed")
        tournament = played(tournament, *([(entry, entry) for entry in seats] for seats in seating.tables))
        tournament = after(tournament, Withdrew(number), Entered(39 + number, f"P{39 + number}"))
    tournament = all_stages(tournament)
    assert meetings.repeats(meetings.count(meetings.seatings(tournament))) == 0


def test_two_hundred_and_fifty_six_players_sit_down_in_new_company() -> None:
    tournament = many(256, 2, 4)
    assert [len(stage.tables) for stage in tournament.stages] == [64, 64]
    assert achieved(tournament, 2) == Achieved(2, 0, 0, 1, 0)


def test_the_same_seed_gives_the_same_seating_and_another_seed_another() -> None:
    tournament = entered(12)
    assert seat_stage(tournament, "a") == seat_stage(tournament, "a") != seat_stage(tournament, "b")
    assert seat_stage(tournament, "a", "cards").deal == "cards"


def test_team_mates_sit_apart_where_they_can() -> None:
    tournament = all_stages(entered(12, 3, teams=Teams(3)))
    assert [achieved(tournament, number).mates for number in (1, 2, 3)] == [0, 0, 0]
    pair = all_stages(entered(4, 1, teams=Teams(2)))
    assert achieved(pair, 1).mates == 2
    assert "2 pairs meet as team mates" in achieved(pair, 1).sentence


def test_swiss_tables_are_neighbours_in_the_standings() -> None:
    tournament = entered(8, format="swiss", plan=fixed(2))
    tournament = played(tournament, [(1, 1), (2, 2)], [(3, 1), (4, 2)], [(5, 1), (6, 2)], [(7, 1), (8, 2)])
    seating = seat_stage(tournament, "seed")
    points = {line.entries[0]: line.points for line in standings(tournament)}
    assert all(points[a] == points[b] for a, b in seating.tables)
    tournament = played(tournament, *([(entry, entry) for entry in seats] for seats in seating.tables))
    seating = seat_stage(tournament, "seed")
    points = {line.entries[0]: line.points for line in standings(tournament)}
    assert all(abs(points[a] - points[b]) <= Fraction(1) for a, b in seating.tables)
    assert not any(meetings.count(meetings.seatings(tournament))[min(pair), max(pair)] for pair in seating.tables)


def test_in_a_swiss_tournament_the_last_of_those_due_sits_out() -> None:
    tournament = entered(5, format="swiss", plan=fixed(4))
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3), (4, 4)], out=(5,))
    assert seat_stage(tournament, "seed").sitting_out == (4,)


def test_a_series_keeps_its_company_and_the_first_seat_goes_round() -> None:
    tournament = all_stages(entered(4, 3, format="series", players=8))
    assert [stage.tables[0].seats for stage in tournament.stages] == [(1, 2, 3, 4), (2, 3, 4, 1), (3, 4, 1, 2)]
    sitting = [stage.sitting_out for stage in all_stages(entered(5, 5, fixed(), format="series", players=8)).stages]
    assert sorted(sitting) == [(1,), (2,), (3,), (4,), (5,)]


def test_the_first_seat_goes_to_whoever_had_it_least() -> None:
    tournament = all_stages(entered(4, 4))
    assert sorted(stage.tables[0].seats[0] for stage in tournament.stages) == [1, 2, 3, 4]


def test_nothing_is_seated_while_a_stage_is_played_or_after_the_end() -> None:
    for tournament in (after(entered(4), StageSeated(((1, 2, 3, 4),))), all_stages(entered(4, 1))):
        with pytest.raises(EventRefused, match="no stage to seat"):
            seat_stage(tournament, "seed")


@pytest.mark.parametrize(
    ("repeats", "bound", "sentence"),
    [
        (0, 0, "Stage 2: nobody meets again."),
        (1, 1, "Stage 2: one pair meets again, the fewest possible."),
        (7, 3, "Stage 2: 7 pairs meet again; at least 3 cannot be helped."),
        (7, 0, "Stage 2: 7 pairs meet again; that it could be fewer is not ruled out."),
    ],
)
def test_what_was_achieved_is_said_in_words(repeats: int, bound: int, sentence: str) -> None:
    assert Achieved(2, repeats, bound, 2, 0).sentence == sentence


def test_the_grid_counts_who_met_whom() -> None:
    tournament = played(entered(4, plan=fixed(2)), [(1, 1), (2, 2)], [(3, 1), (4, 2)])
    assert meetings.grid(tournament) == ((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0))


@pytest.mark.parametrize(
    ("before", "tables", "bound"),
    [
        ([], [(1, 2, 3, 4)], 0),
        ([[(1, 2, 3, 4), (5, 6, 7, 8)]], [(1, 2, 5, 6), (3, 4, 7, 8)], 4),
        ([[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]], [(1, 2), (3, 4)], 2),
        ([[(1, 2), (3, 4)], [(1, 3), (2, 5)]], [(1, 4), (2, 3)], 0),
        ([[(1, 2, 3), (4, 5, 6)]], [(1, 4), (2, 5), (3, 6)], 0),
    ],
)
def test_a_bound_is_proven(before: list[list[tuple[int, ...]]], tables: list[tuple[int, ...]], bound: int) -> None:
    assert meetings.stage_bound(before, tables) == bound


@pytest.mark.parametrize(("places", "tables"), [(16, 4), (20, 5), (32, 8), (64, 16), (7, 2), (9, 2), (8, 4), (7, 3)])
def test_a_rotation_gives_everybody_one_place(places: int, tables: int) -> None:
    for groups in rotations(places, tables):
        assert sorted(place for group in groups for place in group) == [*range(places)]


def test_annealing_finds_a_round_of_everybody_against_everybody() -> None:
    start = [[[0, 1], [2, 3]]] * 3
    nobody = [[0] * 4 for _ in range(4)]
    found = anneal(start, nobody, nobody, chance_of("seed", 0), 2000)
    assert meetings.repeats(meetings.count(found)) == 0
    met = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    found = anneal(start[:2], met, nobody, chance_of("seed", 0), 2000)
    assert meetings.repeats(meetings.count([[[0, 1], [2, 3]], *found])) == 0


def test_the_search_finds_the_cheapest_company() -> None:
    costs = [[0, 9, 0, 1], [9, 0, 1, 0], [0, 1, 0, 9], [1, 0, 9, 0]]
    found = improve([[0, 1], [2, 3]], costs, chance_of("seed", 0), 0)
    assert (cost_of([[0, 1], [2, 3]], costs), cost_of(found, costs)) == (18, 0)
    assert sorted(map(sorted, found)) == [[0, 2], [1, 3]]


def test_of_teams_each_stage_is_seated_by_itself() -> None:
    tournament = entered(8, plan=fixed(4), teams=Teams(2), players=8)
    assert seat_stage(tournament, "seed") == seat_stage(tournament, "seed", steps=0)
