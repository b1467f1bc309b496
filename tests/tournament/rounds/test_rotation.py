"""Rotations: starting points in which as few as can be meet twice."""

from itertools import combinations

import pytest

from snug.tournament import meetings
from snug.tournament.rounds.rotation import moved, regular, rotations


@pytest.mark.parametrize("tables", [4, 5, 8, 12])
def test_in_the_first_round_everybody_stays_in_his_row(tables: int) -> None:
    assert all(moved(row, 0, column, tables) == row for row in range(tables) for column in range(tables))


@pytest.mark.parametrize(("tables", "size"), [(4, 4), (5, 4), (7, 5), (8, 4), (16, 3)])
def test_regular_numbers_rotate_without_repeats(tables: int, size: int) -> None:
    assert regular(tables)
    *rounds, _ = rotations(tables * size, tables)
    assert len(rounds) == tables
    assert meetings.repeats(meetings.count(rounds)) == 0


def test_other_numbers_do_not() -> None:
    assert [tables for tables in range(2, 17) if not regular(tables)] == [6, 9, 10, 12, 14, 15]


@pytest.mark.parametrize(("places", "tables"), [(4, 2), (5, 2), (5, 3), (9, 4), (10, 5)])
def test_at_tables_of_two_everybody_meets_everybody_once_and_an_odd_one_sits_out_in_turn(
    places: int, tables: int
) -> None:
    rounds = [*rotations(places, tables)]
    met = sorted(tuple(sorted(group)) for groups in rounds for group in groups if len(group) == 2)
    assert met == [*combinations(range(places), 2)]
    alone = sorted(group[0] for groups in rounds for group in groups if len(group) == 1)
    assert alone == (list(range(places)) if places % 2 else [])
