"""The score sheet: who leads, who shares a place, whose total is whose."""

import msgspec
from msgspec.structs import replace

from app.services.play.score_sheet import Competitor, Sheet, sheet_of
from snug.engine import match as matches
from snug.engine.game import read_options
from snug.games import GAMES


def sheet(*standing: tuple[tuple[int, ...], float, int]) -> Sheet:
    """A sheet of competitors by their seats, totals and places."""
    competitors = tuple(Competitor("", seats, (), total, place, False) for seats, total, place in standing)
    return Sheet(competitors, (), (), 1, 0)


def test_places_that_are_shared_are_told_best_first() -> None:
    level = sheet(((1,), 9, 3), ((2,), 4, 1), ((3,), 9, 3), ((4,), 4, 1), ((5,), 12, 5))
    assert [one.seats for one in level.leaders] == [(2,), (4,)]
    assert [[one.seats for one in sharing] for sharing in level.shared] == [[(2,), (4,)], [(1,), (3,)]]
    assert (level.is_level, level.in_teams) == (True, False)
    clear = sheet(((1,), 9, 2), ((2,), 4, 1))
    assert (clear.is_level, clear.shared) == (False, ())


def test_a_seat_has_the_total_of_its_team() -> None:
    teams = sheet(((1, 3), 5, 1), ((2, 4), 8, 2))
    assert teams.in_teams
    assert [teams.of(seat).total for seat in (1, 2, 3, 4)] == [5, 8, 5, 8]


def test_a_tie_is_broken_where_the_first_total_has_two_places() -> None:
    assert sheet(((1,), 9, 4), ((2,), 4, 3), ((3,), 4, 1), ((4,), 4, 1)).is_tie_broken
    assert not sheet(((1,), 9, 3), ((2,), 4, 1), ((3,), 4, 1)).is_tie_broken
    assert not sheet(((1,), 4, 1), ((2,), 9, 2), ((3,), 9, 3)).is_tie_broken


def test_totals_before_the_last_round() -> None:
    first = sheet(((1,), 9, 2), ((2,), 4, 1))
    assert [first.before(one) for one in first.competitors] == [0, 0]
    second = msgspec.structs.replace(first, running=((3.5, 1), (9, 4)))
    assert [second.before(one) for one in second.competitors] == [3.5, 1]


def test_what_everybody_has_after_each_round_is_added_up() -> None:
    match = matches.begin(GAMES["lucky_paw"], read_options(GAMES["lucky_paw"], 2, {"rounds": 3}), 2)
    played = replace(match, rounds=((3.0, 1.0), (0.0, 4.0)), totals=(3.0, 5.0))
    found = sheet_of(played, ["Ann", "Bob"], 2)
    assert [*found.running] == [(3, 1), (3, 5)]
    assert [(one.name, one.rounds, one.total, one.is_me) for one in found.competitors] == [
        ("Ann", (3, 0), 3, False),
        ("Bob", (1, 4), 5, True),
    ]


def test_a_round_is_won_by_its_best_score_if_not_everybody_has_it() -> None:
    match = matches.begin(GAMES["lucky_paw"], read_options(GAMES["lucky_paw"], 3, {"rounds": 3}), 3)
    for scores, winners in (((3.0, 0.0, 1.0), [(2,)]), ((1.0, 0.0, 0.0), [(2,), (3,)]), ((2.0, 2.0, 2.0), [])):
        played = sheet_of(replace(match, rounds=(scores,), totals=scores), ["Ann", "Bob", "Cem"], None)
        assert [one.seats for one in played.round_winners(GAMES["lucky_paw"])] == winners
    highest = sheet_of(replace(match, rounds=((3.0, 0.0, 1.0),), totals=(3.0, 0.0, 1.0)), ["Ann", "Bob", "Cem"], None)
    assert [one.seats for one in highest.round_winners(GAMES["life"])] == [(1,)]
