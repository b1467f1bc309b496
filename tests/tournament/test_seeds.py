"""The order of the field: who may be in it, and that the best meet late, whoever wins."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from snug.tournament import fold
from snug.tournament.events import Entered, Seeded, SetUpChanged, StageClosed, StageSeated, Withdrew
from snug.tournament.plan import Groups, StagePlan
from snug.tournament.seating import seat_stage
from snug.tournament.state import Tournament
from tests.tournament.company import after, entered, finished, fixed, full, refused, stage

LOT = "seed"


def cup(players: int, plan: StagePlan, *seeds: int, advance: int = 1) -> Tournament:
    """A knockout of these sizes of tables, with these seeds."""
    return after(full(players, 1, plan, format="knockout", advance=advance), Seeded(seeds))


def seat(tournament: Tournament) -> Tournament:
    return after(tournament, seat_stage(tournament, LOT))


def results(tournament: Tournament, chance: random.Random | None = None) -> Tournament:
    """The stage played: the better seed wins, or chance does."""
    for at, table in enumerate(tournament.stages[-1].tables, 1):
        scores = [chance.random() for _ in table.seats] if chance else table.seats
        tournament = after(tournament, finished(at, *scores))
    return after(tournament, StageClosed())


def companies(tournament: Tournament) -> list[set[int]]:
    return [{*table.seats} for table in tournament.stages[-1].tables]


def test_tables_of_two_come_as_in_every_bracket() -> None:
    first = seat(cup(8, fixed(2), *range(1, 9)))
    assert companies(first) == [{1, 8}, {2, 7}, {3, 6}, {4, 5}]
    second = seat(results(first))
    assert companies(second) == [{1, 4}, {2, 3}]
    assert companies(seat(results(second))) == [{1, 2}]


def test_who_beats_a_seed_has_its_place_in_the_bracket() -> None:
    first = seat(cup(8, fixed(2), *range(1, 9)))
    for at, table in enumerate(first.stages[-1].tables, 1):
        first = after(first, finished(at, *(-number for number in table.seats)))
    assert companies(seat(after(first, StageClosed()))) == [{8, 5}, {7, 6}]


@pytest.mark.parametrize("number", range(40))
def test_the_best_so_many_as_there_are_tables_do_not_meet_whoever_wins(number: int) -> None:
    chance = random.Random(number)
    players, size = chance.randint(5, 40), chance.randint(2, 5)
    field = chance.sample(range(1, players + 1), players)
    plan = stage(size, fewest=2, most=6)
    now = cup(players, plan, *field[: chance.randint(1, players)], advance=chance.randint(1, size - 1))
    while not now.over:
        now = seat(now)
        tables = companies(now)
        met = [sum(number in table for number in now.seeds[: len(tables)]) for table in tables]
        assert max(met) <= 1, tables
        now = results(now, chance)
    assert now.stages[-1].is_final


def test_the_best_has_the_bye() -> None:
    first = seat(cup(5, fixed(2), 3, 1, 2))
    assert first.stages[0].sitting_out == (3,)


def test_nobody_meets_again_for_the_sake_of_the_order() -> None:
    first = seat(cup(16, fixed(4), *range(1, 17), advance=2))
    assert companies(first)[0] == {1, 8, 9, 16}
    before = companies(first)
    second = companies(seat(results(first)))
    assert not any(len(was & now) > 1 for was in before for now in second)
    assert [len(table & {1, 2}) for table in second] == [1, 1]


def test_groups_have_one_of_each_strength() -> None:
    plan = {"format": "groups", "groups": Groups(3, 1, 1), "advance": 1}
    drawn = seat(after(full(9, 1, fixed(3), **plan), Seeded((9, 8, 7, 6, 5, 4))))
    for best in ((9, 8, 7), (6, 5, 4), (1, 2, 3)):
        assert sorted(drawn.entry(number).group for number in best) == [1, 2, 3]
    assert drawn.entry(9).group == drawn.entry(4).group  # back and forth


def test_a_swiss_tournament_begins_with_the_upper_half_against_the_lower() -> None:
    seeded = after(full(8, 3, fixed(2), format="swiss"), Seeded((8, 7, 6, 5)))
    (*_, first) = seat(seeded).stages
    assert all(len({8, 7, 6, 5}.intersection(table.seats)) == 1 for table in first.tables)


def test_the_lot_has_the_rest_and_all_when_the_order_is_taken_back() -> None:
    plain = full(8, 1, fixed(2), format="knockout", advance=1)
    again = after(plain, Seeded((1, 2)), Seeded(()))
    assert not again.seeds
    assert seat_stage(again, LOT) == seat_stage(plain, LOT)
    others = {seat_stage(after(plain, Seeded((1, 2))), str(lot)).tables for lot in range(8)}
    assert len(others) > 1


def test_who_leaves_is_no_seed_and_who_follows_is_behind() -> None:
    left = after(cup(8, fixed(2), *range(1, 9)), Withdrew(1), Entered(9, "Late"))
    assert companies(seat(left)) == [{2, 9}, {3, 8}, {4, 7}, {5, 6}]


@pytest.mark.parametrize(
    ("seeds", "code"), [((1, 2, 1), "TWICE"), ((9,), "NO_ENTRY"), ((4,), "NOT_IN"), ((2, 1), "ALREADY_SO")]
)
def test_an_order_that_cannot_be_is_refused(seeds: tuple[int, ...], code: str) -> None:
    tournament = after(entered(4, 1, fixed(2), format="knockout", advance=1), Seeded((2, 1)), Withdrew(4))
    assert refused(tournament, Seeded(seeds)).code == code


def test_an_order_is_given_before_the_start_and_where_something_goes_by_it() -> None:
    begun = seat(cup(4, fixed(2), 1))
    assert refused(begun, Seeded((2,))).code == "BEGUN"
    assert refused(entered(4), Seeded((1,))).code == "NO_ORDER"


def test_an_order_outlasts_a_changed_set_up() -> None:
    seeded = cup(8, fixed(2), 8, 7)
    other = after(seeded, SetUpChanged(replace(seeded.plan, format="rotating", stages=(fixed(2),) * 2)))
    assert Counter(map(len, companies(seat(other)))) == {2: 4}
    assert fold.fold(seeded.plan, other.log) == other
    assert isinstance(seat(other).log[-1], StageSeated)
