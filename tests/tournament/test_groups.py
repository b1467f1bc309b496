"""Groups, the knockout behind them, and small finals."""

from typing import Any

import pytest
from msgspec.structs import replace

from snug.tournament import meetings, stages
from snug.tournament.events import Adjusted, Entered, Moved, Replaced, Returned, StageClosed, StageSeated, Withdrew
from snug.tournament.plan import Groups
from snug.tournament.rounds.sizes import why_no_start
from snug.tournament.seating import achieved, seat_stage
from snug.tournament.standings import group_standings, standings
from snug.tournament.state import EventRefused, Tournament
from tests.tournament.company import after, entered, finished, fixed, line, played, refused, stage


def in_groups(people: int, groups: Groups, size: int = 4, **more: Any) -> Tournament:
    """So many have entered, to play at tables of `size` and no other."""
    tournament = entered(0, **{"format": "groups", "groups": groups, "plan": fixed(size), "stages": 4, **more})
    for number in range(1, people + 1):
        tournament = after(tournament, Entered(number, f"P{number}"))
    return tournament


def seated(tournament: Tournament, stages: int = 99) -> Tournament:
    """Stages as the room seats them; the lower number wins."""
    while stages and not tournament.over:
        seating = seat_stage(tournament, "seed", steps=0)
        results = [finished(at, *seats) for at, seats in enumerate(seating.tables, 1)]
        tournament, stages = after(tournament, seating, *results, StageClosed()), stages - 1
    return tournament


def groups_of(tournament: Tournament) -> list[set[int]]:
    count = tournament.plan.groups.count if tournament.plan.groups else 0
    return [{entry.number for entry in tournament.active if entry.group == at + 1} for at in range(count)]


@pytest.mark.parametrize(("people", "count", "sizes"), [(8, 2, [4, 4]), (23, 4, [6, 6, 6, 5]), (256, 32, [8] * 32)])
def test_everybody_is_drawn_into_groups_as_equal_as_can_be(people: int, count: int, sizes: list[int]) -> None:
    tournament = in_groups(people, Groups(count), plan=stage())
    seating = seat_stage(tournament, "seed")
    assert [len(group) for group in seating.groups] == sizes
    assert seating == seat_stage(tournament, "seed")
    assert seating.groups != seat_stage(tournament, "another").groups
    placed = after(tournament, seating)
    assert [tuple(sorted(group)) for group in groups_of(placed)] == [*seating.groups]


@pytest.mark.parametrize(
    ("groups", "code"),
    [
        ((), "BAD_GROUPS"),
        (((1, 2, 3, 4), (5, 6, 7, 7)), "BAD_GROUPS"),
        (((1, 2, 3), (4, 5, 6, 7, 8)), "BAD_GROUPS"),
        (((1, 2), (3, 4), (5, 6), (7, 8)), "BAD_GROUPS"),
        (((1, 2, 3, 8), (4, 5, 6, 7)), "WRONG_TABLES"),
        (((5, 6, 7, 8), (1, 2, 3, 4)), "WRONG_TABLES"),
    ],
)
def test_a_draw_is_checked(groups: tuple[tuple[int, ...], ...], code: str) -> None:
    tables = ((1, 2, 3, 4), (5, 6, 7, 8))
    tournament = in_groups(8, Groups(2))
    assert refused(tournament, StageSeated(tables, groups=groups)).code == code
    drawn = after(tournament, StageSeated(tables, groups=tables), finished(1, 1, 2, 3, 4), finished(2, 1, 2, 3, 4))
    assert refused(after(drawn, StageClosed()), StageSeated(tables, groups=tables)).code == "BAD_GROUPS"
    assert refused(entered(8), StageSeated(tables, groups=tables)).code == "BAD_GROUPS"
    playing = after(tournament, StageSeated(tables, groups=tables))
    assert refused(playing, Moved(1, swap=5)).code == "OTHER_GROUP"


def test_inside_a_group_everybody_plays_in_new_company() -> None:
    tournament = seated(in_groups(18, Groups(2, stages=4), size=3), 4)
    assert meetings.repeats(meetings.count(meetings.seatings(tournament))) == 0
    assert all(
        len({tournament.entry(number).group for number in table.seats}) == 1
        for stage in tournament.stages
        for table in stage.tables
    )


def test_what_cannot_be_helped_is_counted_group_by_group() -> None:
    tournament = seated(in_groups(32, Groups(4, stages=2)), 2)
    told = achieved(tournament, 2)
    assert (told.repeats, told.bound) == (16, 16)
    assert told.sentence == "Stage 2: 16 pairs meet again, the fewest possible."


def test_the_best_of_each_group_go_on_and_the_others_are_out() -> None:
    tournament = seated(in_groups(16, Groups(2, stages=2)), 2)
    through = {entry.number for entry in tournament.active}
    for lines in group_standings(tournament):
        ranked = [line.entries[0] for line in lines]
        assert len(ranked) == 8
        assert through & {*ranked} == {*ranked[:2]}
    assert {line.entries[0] for line in standings(tournament)[:4]} == through
    assert {entry.status for entry in tournament.entries if entry.number not in through} == {"out"}
    tournament = seated(tournament)
    assert (len(tournament.stages), tournament.stages[-1].is_final, tournament.over) == (3, True, True)
    assert {line.entries[0] for line in standings(tournament)[:4]} == through


def test_a_tie_for_the_last_place_that_goes_on_is_told() -> None:
    tables = ((1, 2, 3, 4), (5, 6, 7, 8))
    tournament = in_groups(8, Groups(2), ties=("countback",))
    tournament = after(tournament, StageSeated(tables, groups=tables))
    tournament = after(tournament, finished(1, 1, 2, 2, 4), finished(2, 1, 2, 3, 4), StageClosed())
    (cut,) = tournament.stages[0].cuts
    assert (cut.table, cut.through, cut.out) == (1, 2, 3)
    assert cut.sentence == "P2 and P3 are level in every step; P2 goes on, having entered first."


def test_a_tie_inside_a_group_is_broken_by_what_happened_there() -> None:
    one, other = ((1, 2, 3, 4), (5, 6, 7, 8)), ((2, 1, 3, 4), (5, 6, 7, 8))
    tournament = in_groups(8, Groups(2, stages=2, through=1), ties=("countback",))
    for tables, groups in ((one, one), (other, ())):
        tournament = after(tournament, StageSeated(tables, groups=groups))
        tournament = after(tournament, finished(1, 1, 2, 3, 4), finished(2, 1, 2, 3, 4), StageClosed())
    (cut,) = tournament.stages[1].cuts
    assert cut.sentence == "P2 goes on from group 1 before P1: ahead on points in stage 2, 1 to ⅔."


@pytest.mark.parametrize(
    ("size", "groups"), [(2, Groups(4)), (2, Groups(8)), (4, Groups(8)), (4, Groups(8, through=4))]
)
def test_those_of_one_group_meet_as_late_as_possible(size: int, groups: Groups) -> None:
    tournament = seated(in_groups(groups.count * size * 2, groups, size, advance=size // 2))
    for played_stage in tournament.stages[groups.stages :]:
        of = {number: tournament.entry(number).group for number in played_stage.players}
        for group in {*of.values()}:
            left = sum(at == group for at in of.values())
            most = max(sum(of[number] == group for number in table.seats) for table in played_stage.tables)
            assert most == -(-left // len(played_stage.tables))


def test_winners_of_groups_are_spread_over_the_tables() -> None:
    tournament = seated(in_groups(32, Groups(8)), 2)
    winners = {lines[0].entries[0] for lines in group_standings(tournament)}
    assert [len(winners.intersection(table.seats)) for table in tournament.stages[1].tables] == [2, 2, 2, 2]


def test_whoever_comes_late_joins_the_smallest_group() -> None:
    tournament = seated(in_groups(11, Groups(3, stages=3), plan=stage(4, fewest=2), late_until=3), 1)
    late = after(tournament, Entered(12, "Late"), Entered(13, "Later"))
    assert sorted(map(len, groups_of(late))) == [4, 4, 5]
    assert [len(group & {12, 13}) for group in groups_of(late)] == [1, 0, 1]
    assert refused(seated(late), Entered(14, "Last")).code == "OVER"
    assert refused(seated(late, 2), Entered(14, "Last")).code == "TOO_LATE"


def test_sitting_out_goes_round_inside_a_group() -> None:
    tournament = seated(in_groups(10, Groups(2, stages=5), stages=5), 5)
    sat = [number for stage in tournament.stages for number in stage.sitting_out]
    assert sorted(sat) == [*range(1, 11)]


def test_a_group_too_small_for_a_table_sits_out() -> None:
    tournament = seated(in_groups(8, Groups(2, stages=3)), 1)
    short, other = groups_of(tournament)
    tournament = after(tournament, Withdrew(min(short)))
    for _ in range(2):
        tournament = seated(tournament, 1)
        assert {*tournament.stages[-1].sitting_out} == short - {min(short)}
        assert {*tournament.stages[-1].players} == other
    assert len(tournament.active) == 4
    empty = after(seated(in_groups(8, Groups(2, stages=3)), 1), *(Withdrew(min(group)) for group in (short, other)))
    with pytest.raises(EventRefused, match="6 are too few for a table of 4"):
        seat_stage(empty, "seed")


def test_too_few_for_the_groups_is_said_before_the_start() -> None:
    assert why_no_start(in_groups(7, Groups(2))) == "7 players in 2 groups are too few for a table of 4 in each."
    assert why_no_start(in_groups(3, Groups(2))) == "3 are too few for a table of 4."
    assert why_no_start(in_groups(8, Groups(2))) == ""


def test_who_leaves_a_group_may_come_back_until_it_is_done() -> None:
    tournament = after(seated(in_groups(10, Groups(2, stages=2)), 1), Withdrew(1))
    group = tournament.entry(1).group
    assert after(tournament, Returned(1)).entry(1).group == group
    assert refused(seated(tournament, 1), Returned(1)).code == "KNOCKED_OUT"


def test_a_reserve_has_the_leavers_group() -> None:
    tournament = seated(in_groups(10, Groups(2, stages=2), players=8, drop_out="reserve"), 1)
    assert after(tournament, Withdrew(1)).entry(9).group == tournament.entry(1).group
    knockout = seated(tournament, 1)
    (one, *_) = knockout.active
    final = after(knockout, Replaced(one.number, 10))
    assert final.entry(10).group == one.group
    assert group_standings(final) == group_standings(knockout)
    assert 10 in seated(final).stages[-1].players


def test_points_given_after_the_groups_change_nothing_in_them() -> None:
    knockout = seated(in_groups(8, Groups(2)), 1)
    assert group_standings(after(knockout, Adjusted(1, 5, "a song"))) == group_standings(knockout)
    between = seated(in_groups(8, Groups(2, stages=2)), 1)
    assert group_standings(after(between, Adjusted(1, 5, "a song"))) != group_standings(between)


# Small finals


def two_tables(**more: Any) -> Tournament:
    """A semi-final has been played: Ann, Ben, Eve and Fay go on."""
    tournament = entered(8, 1, **{"plan": fixed(), "format": "knockout", "third_place": True, **more})
    return played(tournament, [(1, 1), (2, 2), (3, 3), (4, 4)], [(5, 1), (6, 2), (7, 3), (8, 4)])


def test_who_went_out_before_the_final_plays_for_third_place_beside_it() -> None:
    tournament = two_tables()
    seating = seat_stage(tournament, "seed")
    assert [{*seats} for seats in seating.tables] == [{1, 2, 5, 6}, {3, 4, 7, 8}]
    swapped = StageSeated(((3, 4, 7, 8), (1, 2, 5, 6)))
    assert refused(tournament, swapped).code == "WRONG_TABLES"
    assert refused(tournament, StageSeated(((1, 2, 5, 6),))).code == "WRONG_PLAYERS"
    tournament = played(tournament, [(1, 4), (2, 3), (5, 2), (6, 1)], [(3, 1), (4, 1), (7, 3), (8, 4)])
    assert tournament.over
    assert [(line.place, line.name) for line in standings(tournament)] == [
        (1, "Fay"),
        (2, "Eve"),
        (3, "Ben"),
        (4, "Ann"),
        (5, "Cat"),
        (6, "Dan"),
        (7, "Gus"),
        (8, "Hal"),
    ]


def test_the_same_deal_does_not_mix_a_final_with_the_small_one() -> None:
    tournament = two_tables(same_deal=True)
    tournament = played(tournament, [(1, 4), (2, 3), (5, 2), (6, 1)], [(3, 0), (4, 0), (7, 9), (8, 9)])
    assert [line.name for line in standings(tournament)][:4] == ["Fay", "Eve", "Ben", "Ann"]


def test_of_two_a_game_the_third_is_found_by_two_others() -> None:
    tournament = entered(4, 1, fixed(2), format="knockout", third_place=True, advance=1)
    tournament = played(tournament, [(1, 1), (2, 2)], [(3, 1), (4, 2)])
    tournament = played(tournament, [(1, 2), (3, 1)], [(2, 2), (4, 1)])
    assert [line.name for line in standings(tournament)] == ["Cat", "Ann", "Dan", "Ben"]


def test_who_left_the_semi_final_plays_for_nothing() -> None:
    tournament = entered(8, 1, fixed(), format="knockout", third_place=True)
    tournament = after(tournament, StageSeated(((1, 2, 3, 4), (5, 6, 7, 8))), Withdrew(8))
    tournament = after(tournament, finished(1, 1, 2, 3, 4), finished(2, 1, 2, 3, 4), StageClosed())
    assert seat_stage(tournament, "seed").tables[1:] == ()


def test_of_too_many_for_a_small_final_the_best_play_it() -> None:
    tournament = entered(12, 1, format="knockout", third_place=True, advance=1)
    tables = [[(first + at, at) for at in range(4)] for first in (1, 5, 9)]
    tournament = played(tournament, *tables)
    assert [{*seats} for seats in seat_stage(tournament, "seed").tables] == [{1, 5, 9}, {2, 3, 6, 10}]


@pytest.mark.parametrize("done", [1, 2])
def test_finalists_stand_before_small_finalists_also_while_one_of_the_two_is_played(done: int) -> None:
    tournament = after(two_tables(), StageSeated(((1, 2, 5, 6), (3, 4, 7, 8))), finished(done, 1, 2, 3, 4))
    stage = tournament.stages[-1]
    waiting = stage.tables[2 - done].seats
    so_far = replace(stage, tables=(stage.tables[done - 1],), sitting_out=waiting)
    closed = stages.stage_closed(tournament.with_stage(so_far), StageClosed())
    assert {line.entries[0] for line in standings(closed)[:4]} == {1, 2, 5, 6}


def test_a_reserve_may_play_a_small_final() -> None:
    tournament = entered(9, 1, fixed(), format="knockout", third_place=True, players=8, drop_out="reserve")
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3), (4, 4)], [(5, 1), (6, 2), (7, 3), (8, 4)])
    tournament = after(tournament, StageSeated(((1, 2, 5, 6), (3, 4, 7, 8))), Withdrew(3))
    assert tournament.stages[-1].small_final == {4, 7, 8, 9}
    tournament = after(tournament, finished(1, 4, 3, 2, 1), finished(2, 1, 2, 3, 4), StageClosed())
    assert [line.entries[0] for line in standings(tournament)][4:] == [9, 4, 7, 8, 3]


def test_a_small_finalist_may_leave_and_come_back_while_it_is_played() -> None:
    tournament = after(two_tables(), StageSeated(((1, 2, 5, 6), (3, 4, 7, 8))), Withdrew(3))
    assert tournament.stages[-1].absent == {3}
    assert after(tournament, Returned(3)).stages[-1].absent == frozenset()


def test_who_goes_on_stands_before_all_who_are_out() -> None:
    tournament = entered(7, 1, stage(4, fewest=3), format="knockout", points="raw")
    tournament = played(tournament, [(1, 7), (2, 8), (3, 9), (4, 9)], [(5, 1), (6, 2), (7, 3)])
    assert [line.name for line in standings(tournament)][:4] == ["Eve", "Fay", "Ann", "Ben"]


# The last stage decides


def test_the_last_stage_alone_decides_and_those_before_break_ties() -> None:
    tournament = entered(4, 2, fixed(2), counts="last", ties=())
    tournament = played(tournament, [(1, 1), (2, 2)], [(3, 1), (4, 1)])
    assert [line.name for line in standings(tournament)] == ["Ann", "Cat", "Dan", "Ben"]
    tournament = played(tournament, [(2, 1), (1, 2)], [(3, 1), (4, 2)])
    assert [(line.name, float(line.points)) for line in standings(tournament)] == [
        ("Cat", 1),
        ("Ben", 1),
        ("Ann", 0),
        ("Dan", 0),
    ]
    assert line(tournament, "Cat").why == (
        "Level with Ben on 1 point; ahead on points in the stages before the last, ½ to 0.",
    )


def test_those_who_stand_beside_each_other_meet_at_the_stage_that_decides() -> None:
    for counts, neighbours in (("all", False), ("last", True)):
        tournament = entered(12, 3, fixed(4), counts=counts)
        for _ in range(2):
            seating = seat_stage(tournament, "seed", steps=0)
            results = [finished(at, *seats) for at, seats in enumerate(seating.tables, 1)]
            tournament = after(tournament, seating, *results, StageClosed())
        swiss = replace(tournament, plan=replace(tournament.plan, format="swiss"))
        assert (seat_stage(tournament, "seed") == seat_stage(swiss, "seed")) is neighbours


def test_points_of_the_organiser_count_beside_the_last_stage() -> None:
    tournament = played(entered(2, 1, fixed(2), counts="last"), [(1, 1), (2, 2)])
    assert [line.name for line in standings(after(tournament, Adjusted(2, 2, "a song")))] == ["Ben", "Ann"]
