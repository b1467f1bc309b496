"""A knockout as a bracket: who is where, what became of them, and which line leads to which box."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.web.pages.bracket.boxes import LOWER, UPPER, Chair, role_of
from app.web.pages.bracket.drawing import Bracket, BracketLink, bracket_of
from app.web.pages.bracket.groups import groups_of
from snug.tournament.events import Entered, StageClosed, Withdrew
from snug.tournament.plan import Groups, Teams
from snug.tournament.rounds.sizes import small_final_ahead
from snug.tournament.seating import seat_stage
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from tests.tournament.company import after, entered, finished, fixed, stage


def knockout(people: int, **more: Any) -> Tournament:
    """So many have entered."""
    tournament = entered(0, **{"format": "knockout", "stages": 1, "plan": stage(4), **more})
    for number in range(1, people + 1):
        tournament = after(tournament, Entered(number, f"P{number}"))
    return tournament


def seated(tournament: Tournament) -> Tournament:
    return after(tournament, seat_stage(tournament, "seed", steps=0))


def results(tournament: Tournament) -> Tournament:
    """The lower number wins."""
    tables = tournament.stages[-1].tables
    return after(tournament, *(finished(at, *table.seats) for at, table in enumerate(tables, 1)))


def one_stage(tournament: Tournament) -> Tournament:
    return after(results(seated(tournament)), StageClosed())


def over(tournament: Tournament) -> Tournament:
    while not tournament.over:
        tournament = one_stage(tournament)
    return tournament


def drawn(tournament: Tournament) -> Bracket:
    bracket = bracket_of(tournament)
    assert bracket
    return bracket


def chairs_in(bracket: Bracket) -> Iterator[Chair]:
    return (chair for column in bracket.columns for box in column.boxes for chair in box.chairs if chair.number)


def links(bracket: Bracket, kind: str) -> list[BracketLink]:
    return [link for tree in bracket.trees for link in tree.links if link.kind == kind]


def kinds(bracket: Bracket) -> list[str]:
    return [link.kind for tree in bracket.trees for link in tree.links]


def shape(bracket: Bracket) -> list[tuple[str, list[tuple[str, int]]]]:
    return [(str(c.title), sorted((str(box.title), len(box.chairs)) for box in c.boxes)) for c in bracket.columns]


@pytest.mark.parametrize(
    "tournament", [knockout(8), entered(8), seated(entered(8)), seated(entered(8, format="swiss"))]
)
def test_there_is_none_before_a_knockout_begins_or_where_there_is_none(tournament: Tournament) -> None:
    assert bracket_of(tournament) is None
    assert groups_of(tournament) == ()


def test_stages_to_come_are_there_from_the_start_and_do_come_so() -> None:
    start = drawn(seated(knockout(16, third_place=True)))
    assert shape(start) == [
        ("Stage 1", [(f"Table {number}", 4) for number in (1, 2, 3, 4)]),
        ("Stage 2", [("Table 1", 4), ("Table 2", 4)]),
        ("Final", [("For place 5", 4), ("Table 1", 4)]),
    ]
    end = drawn(over(knockout(16, third_place=True)))
    assert shape(end) == shape(start)
    assert (start.newest, end.newest) == (1, 3)


@pytest.mark.parametrize("people", [4, 5, 6, 7, 9, 11, 14, 22, 37])
@pytest.mark.parametrize("plan", [fixed(2), fixed(3), fixed(4), stage(4)])
def test_whatever_comes_was_announced(people: int, plan: Any) -> None:
    more = {"plan": plan, "third_place": True, "advance": plan.size // 2}
    tournament = seated(knockout(people, **more))
    announced = shape(drawn(tournament))
    tournament = after(results(tournament), StageClosed())
    assert shape(drawn(tournament)) == announced
    assert shape(drawn(over(tournament))) == announced


def test_who_went_through_is_told_when_the_stage_is_closed() -> None:
    tournament = results(seated(knockout(8)))
    assert {chair.fate for chair in chairs_in(drawn(tournament))} == {""}
    closed = drawn(after(tournament, StageClosed()))
    for box in closed.columns[0].boxes:
        assert [chair.fate for chair in box.chairs] == ["through", "through", "out", "out"]
        assert [chair.place for chair in box.chairs] == [1, 2, 3, 4]
    end = drawn(over(after(tournament, StageClosed())))
    (final,) = end.columns[-1].boxes
    assert [chair.fate for chair in final.chairs] == ["won", "", "", ""]


def test_who_went_through_stands_in_the_final_before_it_begins() -> None:
    tournament = one_stage(knockout(8))
    bracket = drawn(tournament)
    (final,) = bracket.columns[-1].boxes
    assert {chair.number for chair in final.chairs} == tournament.stages[-1].through
    assert len(links(bracket, "on")) == 2  # of each table one, however many go on


def test_byes_are_a_box_of_their_own_and_go_through() -> None:
    bracket = drawn(one_stage(knockout(7, plan=fixed(4))))
    (bye,) = (box for box in bracket.columns[0].boxes if box.table == 0)
    assert (str(bye.title), len(bye.chairs), {chair.fate for chair in bye.chairs}) == (
        "No match this time",
        3,
        {"through"},
    )


def test_lines_lead_to_the_final_the_small_one_and_on_ones_own_way() -> None:
    tournament = over(knockout(8, third_place=True))
    bracket = drawn(tournament)
    assert kinds(bracket) == ["on", "on", "small", "small"]
    final, small = ({link.path.split(" ")[-1] for link in links(bracket, kind)} for kind in ("on", "small"))
    assert final == {f"{bracket.trees[0].height / 2:g}"}
    assert max(map(float, final)) < min(map(float, small))
    mine = bracket_of(tournament, mine=1)
    assert mine
    assert kinds(mine).count("mine") == 1
    assert kinds(mine)[-1] == "mine"


def test_while_the_same_deal_is_played_elsewhere_no_result_is_told() -> None:
    tournament = seated(knockout(8, same_deal=True))
    one = after(tournament, finished(1, 1, 2, 3, 4))
    assert {(chair.place, chair.score) for chair in chairs_in(drawn(one))} == {(0, "")}
    both = after(one, finished(2, 1, 2, 3, 4))
    assert {chair.place for chair in chairs_in(drawn(both))} == {1, 2, 3, 4}


@pytest.mark.parametrize(("people", "is_tree"), [(32, True), (33, False), (128, False)])
def test_of_many_tables_no_tree_is_drawn(people: int, is_tree: bool) -> None:
    bracket = drawn(over(knockout(people, plan=fixed(4))))
    assert bool(bracket.trees) == is_tree


def test_who_left_is_out() -> None:
    tournament = seated(knockout(8))
    first = tournament.stages[0].tables[0].seats[0]
    tournament = after(results(after(tournament, Withdrew(first))), StageClosed())
    fates = {chair.number: chair.fate for chair in chairs_in(drawn(tournament))}
    assert fates[first] == "out"


def test_groups_have_their_standings_and_the_knockout_to_come() -> None:
    tournament = one_stage(knockout(16, format="groups", groups=Groups(4, 2), plan=fixed(4), stages=2))
    assert shape(drawn(tournament)) == [
        ("Stage 3", [("Table 1", 4), ("Table 2", 4)]),
        ("Final", [("Table 1", 4)]),
    ]
    assert [[line.fate for line in lines] for lines in groups_of(tournament)] == [[""] * 4] * 4
    assert groups_of(tournament) is groups_of(tournament)  # one for all who look on
    left = after(tournament, Withdrew(groups_of(tournament)[0][0].number))
    assert groups_of(left)[0][0].fate == "left"
    closed = one_stage(tournament)
    assert [[line.fate for line in lines] for lines in groups_of(closed)] == [["through", "through", "out", "out"]] * 4
    assert shape(drawn(over(closed))) == shape(drawn(tournament))
    assert groups_of(over(closed)) == groups_of(closed)


def test_teams_have_no_bracket() -> None:
    assert bracket_of(seated(entered(8, teams=Teams(2)))) is None


def test_a_final_is_told_by_the_standings() -> None:
    """Who shares the first place at its table has not won yet."""
    tournament = seated(one_stage(knockout(8)))
    (table,) = tournament.stages[-1].tables
    points = {number: 1 if number in table.seats[:3] else 5 for number in table.seats}
    tournament = after(tournament, finished(1, *(points[number] for number in table.seats)), StageClosed())
    places = {line.entries[0]: line.place for line in standings(tournament)}
    chairs = drawn(tournament).columns[-1].boxes[0].chairs
    assert {chair.number: chair.place for chair in chairs} == {number: places[number] for number in table.seats}
    assert {chair.number for chair in chairs if chair.fate == "won"} == {n for n in table.seats if places[n] == 1}
    assert sum(chair.fate == "won" for chair in chairs) == 1


@pytest.mark.parametrize("people", [2, 3, 5, 8, 11, 16, 40])
def test_both_halves_are_drawn_as_they_come(people: int) -> None:
    tournament = seated(knockout(people, format="double_elimination", plan=stage(2)))
    announced = shape(drawn(tournament))
    while not tournament.over:
        assert shape(drawn(tournament)) == announced
        tournament = after(results(tournament), StageClosed())
        assert shape(drawn(tournament)) == announced
        tournament = tournament if tournament.over else seated(tournament)
    fates = [chair.fate for chair in chairs_in(drawn(tournament))]
    assert (fates.count("lower"), fates.count("out"), fates.count("won")) == (people - 1, people - 2, 1)


def test_a_second_final_stands_behind_the_first_when_it_has_to_be_played() -> None:
    tournament = seated(knockout(4, format="double_elimination", plan=stage(2)))
    while not tournament.stages[-1].is_final:
        tournament = seated(after(results(tournament), StageClosed()))
    (lower,) = tournament.stages[-1].lower
    wins = [1 if number == lower else 2 for number in tournament.stages[-1].players]
    tournament = after(tournament, finished(1, *wins), StageClosed())
    *_, first, second = drawn(tournament).columns
    assert (str(first.title), str(second.title)) == ("Final", "Second final")
    assert [(chair.number == lower, chair.fate) for chair in first.boxes[0].chairs] == [(True, "through"), (False, "")]
    assert {chair.number for chair in second.boxes[0].chairs} == {*tournament.stages[-1].players}


@pytest.mark.parametrize("people", [3, 11])
def test_a_half_that_waits_has_no_box_and_its_tree_no_column(people: int) -> None:
    bracket = drawn(over(knockout(people, format="double_elimination", plan=stage(2))))
    halves = [[name for name, _ in column.halves] for column in bracket.columns]
    assert halves[0] == [UPPER]
    assert [LOWER] in halves
    assert halves[-1] == [""]
    upper, lower = bracket.trees
    assert (upper.half, lower.half) == (UPPER, LOWER)
    assert all(len(tree.columns) < len(bracket.columns) for tree in bracket.trees)
    assert {*upper.columns} & {*lower.columns} >= {len(bracket.columns)}
    for tree in bracket.trees:
        assert all(int(link.path.split(" ")[-2]) < 100 * len(tree.columns) for link in tree.links)


def test_tables_whose_players_meet_next_stand_side_by_side() -> None:
    first, second, *_ = drawn(over(knockout(16, plan=stage(2), advance=1))).columns
    meets = {chair.number: at for at, box in enumerate(second.boxes) for chair in box.chairs}
    assert [meets[box.chairs[0].number] for box in first.boxes] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_line_passes_a_bye_and_begins_at_none() -> None:
    bracket = drawn(over(knockout(5, plan=fixed(2), advance=1)))
    byes = [box for column in bracket.columns for box in column.boxes if not box.table]
    assert byes
    assert all(box.is_passed for box in byes)
    starts = {int(link.path[1:].split(" ")[0]) for link in links(bracket, "on")}
    assert starts & {100}
    assert 0 not in starts
    waiting = drawn(one_stage(knockout(5, plan=fixed(2), advance=1)))
    assert not any(box.is_passed for column in waiting.columns for box in column.boxes)


def test_the_half_in_which_one_plays_is_seen_first() -> None:
    tournament = one_stage(knockout(4, format="double_elimination", plan=stage(2)))
    seen = {number: bracket_of(tournament, number) for number in range(5)}
    halves = {number: bracket.half for number, bracket in seen.items() if bracket}
    assert (halves[0], *sorted(halves[number] for number in range(1, 5))) == (UPPER, LOWER, LOWER, UPPER, UPPER)
    plain = bracket_of(seated(knockout(8)))
    assert plain
    assert plain.half == ""


def test_until_it_is_known_who_meets_one_line_leads_from_all_tables_to_the_next() -> None:
    start = drawn(seated(knockout(16)))
    assert kinds(start) == ["to-come"] * 2
    assert links(start, "to-come")[0].path.count("M") == 4 + 1 + 2
    assert len(links(drawn(one_stage(knockout(16))), "to-come")) == 2
    assert not links(drawn(over(knockout(16))), "to-come")


def test_a_small_final_is_named_for_the_place_that_the_final_leaves() -> None:
    final = seated(one_stage(knockout(8, third_place=True)))
    assert [role_of(final, 2, table) for table in (1, 2)] == ["Final", "For place 5"]
    of_two = seated(one_stage(knockout(4, plan=stage(2), advance=1, third_place=True)))
    assert [role_of(of_two, 2, table) for table in (1, 2)] == ["Final", "For third place"]
    assert role_of(final, 1, 1) == ""


def test_who_plays_beside_the_final_is_known_before_it() -> None:
    between = one_stage(knockout(8, third_place=True))
    playing, place = small_final_ahead(between)
    assert (len(playing), place) == (4, 5)
    assert {between.entry(number).status for number in playing} == {"out"}
    assert small_final_ahead(seated(between)) == ((), 0)
    assert small_final_ahead(one_stage(knockout(8)))[0] == ()
