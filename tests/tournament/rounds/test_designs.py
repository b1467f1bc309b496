"""Designs, and the seatings that follow them: every line of what is known to be possible."""

import pytest

from snug.tournament import meetings
from snug.tournament.rounds.designs import design, designs
from snug.tournament.rounds.pairing import seat
from tests.tournament.company import NEW_COMPANY, fixed, full, stage

LONGEST = [(15, 3, 7), (18, 3, 8), (21, 3, 10), (24, 3, 11), (27, 3, 13), (30, 3, 14), (33, 3, 16), (36, 3, 17)]
LONGEST += [
    (39, 3, 19),
    (42, 3, 20),
    (81, 3, 40),
    (24, 4, 7),
    (28, 4, 9),
    (32, 4, 10),
    (36, 4, 11),
    (40, 4, 13),
    (48, 4, 15),
]
LONGEST += [(52, 4, 17), (60, 4, 19), (64, 4, 21), (125, 5, 31)]


@pytest.mark.parametrize(("places", "size", "most"), LONGEST)
def test_in_a_design_nobody_meets_twice_and_no_round_could_be_added(places: int, size: int, most: int) -> None:
    rounds = design(places // size, size)
    assert len(rounds) == most == (places - 1) // (size - 1)
    assert all(sorted(place for table in groups for place in table) == [*range(places)] for groups in rounds)
    assert {len(table) for groups in rounds for table in groups} == {size}
    assert meetings.repeats(meetings.count(rounds)) == 0


@pytest.mark.parametrize(("places", "size", "most"), LONGEST)
def test_without_the_highest_places_tables_are_uneven_by_one(places: int, size: int, most: int) -> None:
    for fewer in (1, 2):
        *rounds, _ = designs(places - fewer, places // size)
        tables = [len(table) for groups in rounds[: most - 1] for table in groups]
        assert min(tables) == size - 1


@pytest.mark.parametrize(
    ("players", "size", "stages"),
    [*NEW_COMPANY, (48, 4, 15)],
)
def test_nobody_meets_again_as_long_as_a_design_lasts(players: int, size: int, stages: int) -> None:
    tournament = full(players, stages, fixed(size))
    tables = [(size,) * (players // size)] * stages
    planned = seat(tournament, range(1, players + 1), tables, [], "seed", 0)
    assert meetings.repeats(meetings.count(planned)) == 0
    shorter = seat(full(players, 2, fixed(size)), range(1, players + 1), tables[:2], [], "seed", 0)
    assert planned[:2] == shorter


@pytest.mark.parametrize(("players", "stages"), [(23, 7), (27, 8), (35, 8), (39, 8), (41, 8), (47, 8), (33, 8)])
def test_numbers_beside_a_design_are_seated_by_it(players: int, stages: int) -> None:
    tournament = full(players, stages, stage(4))
    tables = players // 4 + (players % 4 == 3)
    sizes = [tuple(players // tables + (at < players % tables) for at in range(tables))] * stages
    planned = seat(tournament, range(1, players + 1), sizes, [], "seed", 0)
    assert meetings.repeats(meetings.count(planned)) <= 1
    assert [sorted(map(len, groups)) for groups in planned] == [sorted(stage) for stage in sizes]
