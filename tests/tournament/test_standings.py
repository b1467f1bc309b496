"""Points of stages, order, and ties explained."""

from fractions import Fraction

import pytest

from snug.tournament.events import Adjusted, StageClosed, StageSeated, Withdrew
from snug.tournament.plan import Award, Teams
from snug.tournament.points import award, decimal, forfeit, share_beaten, shown, team_points
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from snug.words import reading
from tests.languages import LOUD
from tests.tournament.company import NAMES, after, entered, finished, fixed, line, played, worth

F = Fraction
HALF = F(1, 2)


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ((1, 2), (F(1), F(0))),
        ((1, 1), (HALF, HALF)),
        ((2, 1, 2, 4), (HALF, F(1), HALF, F(0))),
        ((1, 2, 3, 4, 5, 6), tuple(F(n, 5) for n in (5, 4, 3, 2, 1, 0))),
        ((1, 1, 1), (HALF,) * 3),
    ],
)
def test_points_are_the_share_of_opponents_beaten(places: tuple[int, ...], shares: tuple[Fraction, ...]) -> None:
    assert share_beaten(places) == shares


@pytest.mark.parametrize(
    ("rule", "low_wins", "points"),
    [
        (Award("field"), False, F(2)),
        (Award("own"), False, F(7, 2)),
        (Award("worst"), False, F(-1)),
        (Award("worst"), True, F(5)),
        (Award("fixed", 0.25), True, F(1, 4)),
    ],
)
def test_a_stage_not_played_is_worth_what_was_stated(rule: Award, low_wins: bool, points: Fraction) -> None:
    field = [F(-1), F(2), F(5)]
    assert award(rule, field, [F(3), F(4)], low_wins) == points
    assert award(Award("own"), field, [], low_wins) == 2
    assert [forfeit(field, False), forfeit(field, True), forfeit(field[1:], False)] == [F(-1), F(5), F(0)]


@pytest.mark.parametrize(
    ("teams", "high", "low"),
    [
        (Teams(3, "scramble"), 4, 1),
        (Teams(3, "weakest"), 1, 4),
        (Teams(3, "sum"), 7, 7),
        (Teams(3, "mean"), F(7, 3), F(7, 3)),
        (Teams(3, "best", 2), 6, 3),
        (Teams(3, "best"), 4, 1),
    ],
)
def test_a_team_scores_by_the_hosts_choice(teams: Teams, high: Fraction, low: Fraction) -> None:
    members = [F(2), F(4), F(1)]
    assert (team_points(teams, members, False), team_points(teams, members, True)) == (high, low)


@pytest.mark.parametrize(
    ("points", "people", "machines"),
    [
        (F(3), "3", "3"),
        (F(5, 2), "2½", "2.5"),
        (F(1, 3), "⅓", "0.333"),
        (F(-4, 3), "−1⅓", "-1.333"),
        (F(17, 8), "2⅛", "2.125"),
        (F(4, 5), "0.8", "0.8"),
        (F(3, 7), "0.43", "0.429"),
        (F(-1, 100000), "0", "0"),
        (F(0), "0", "0"),
    ],
)
def test_points_are_written_as_people_write_them(points: Fraction, people: str, machines: str) -> None:
    assert (shown(points), decimal(points)) == (people, machines)


def test_points_are_shown_as_far_as_they_differ() -> None:
    one, other = F(10001, 30000), F(10002, 30000)
    assert (shown(one, other), shown(other, one)) == ("0.33337", "0.3334")
    assert (shown(F(1, 3), one), shown(one, F(1, 3))) == ("⅓", "0.3334")
    assert (shown(F(2, 5), F(3, 7)), shown(F(3, 7), F(2, 5))) == ("0.4", "0.43")


def test_with_the_same_deal_seats_are_compared_across_tables() -> None:
    tournament = entered(8, same_deal=True)
    tournament = played(tournament, [(1, 5), (2, 2), (3, 0), (4, 9)], [(5, 4), (6, 2), (7, 1), (8, 9)])
    points = {line.name: line.points for line in standings(tournament)}
    assert points == dict(zip(NAMES[:8], (0, HALF, 1, HALF, 1, HALF, 0, HALF), strict=True))


def test_without_a_like_a_table_is_compared_within_itself() -> None:
    tournament = played(entered(7, same_deal=True), [(1, 5), (2, 2), (3, 0), (4, 9)], [(5, 4), (6, 2), (7, 1)])
    assert (worth(tournament, "Cat"), worth(tournament, "Gus")) == (1, 1)


def test_raw_points_are_added_up() -> None:
    tournament = entered(4, points="raw")
    tournament = played(played(tournament, [(1, 1), (2, 2.5), (3, 3), (4, 4)]), [(1, 9), (2, 0), (3, 3), (4, 4)])
    assert [(line.name, shown(line.points)) for line in standings(tournament)] == [
        ("Ben", "2½"),
        ("Cat", "6"),
        ("Dan", "8"),
        ("Ann", "10"),
    ]


def test_a_sit_out_by_the_own_mean_looks_back_only() -> None:
    tournament = entered(5, 3, fixed(), sit_out=Award("own"))
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3), (4, 4)], out=(5,))
    tournament = played(tournament, [(5, 1), (2, 2), (3, 3), (4, 4)], out=(1,))
    assert [score and score.points for score in line(tournament, "Ann").stages] == [1, 1]
    assert [score and score.points for score in line(tournament, "Eve").stages] == [HALF, 1]


def why(tournament: Tournament, name: str) -> tuple[str, ...]:
    return line(tournament, name).why


def test_the_latest_stage_that_differs_breaks_a_tie() -> None:
    told = {}
    for tie in ("wins", "head_to_head", "strength", "countback"):
        tournament = played(entered(3, ties=(tie,)), [(1, 1), (2, 2), (3, 3)])
        told[tie] = [line.why for line in standings(played(tournament, [(1, 2), (2, 1), (3, 3)]))]
    shared = [("Level with Ben in every step: the place is shared.",), (), ()]
    assert told["wins"] == told["head_to_head"] == told["strength"] == shared
    assert told["countback"] == [("Level with Ann on 1½ points; ahead on points in stage 2, 1 to ½.",), (), ()]


def test_a_shared_place_names_who_shares_it() -> None:
    tournament = played(entered(6, ties=()), [(1, 1), (2, 1), (3, 1)], [(4, 1), (5, 1), (6, 1)])
    assert [line.place for line in standings(tournament)] == [1] * 6
    assert why(tournament, "Ann") == ("Level with Ben, Cat and 3 others in every step: the place is shared.",)
    assert not any(line.why for line in standings(tournament)[1:])


def test_those_who_share_a_place_say_once_why_they_are_before_the_next() -> None:
    tournament = played(entered(6, ties=("wins",), plan=fixed(3)), [(1, 1), (2, 2), (3, 3)], [(4, 1), (5, 2), (6, 3)])
    tournament = played(tournament, [(1, 3), (4, 2), (2, 1)], [(5, 1), (3, 2), (6, 3)])
    first, *others = standings(after(tournament, Adjusted(6, 1.5, "a song")))
    assert first.why == (
        "Level with Dan and Eve in every step: the place is shared.",
        "Level with Fay on 1½ points; ahead on tables won, 1 to 0.",
    )
    assert [(line.name, line.place, line.why) for line in others[:3]] == [
        ("Dan", 1, ()),
        ("Eve", 1, ()),
        ("Fay", 4, ()),
    ]


def test_more_tables_won_break_a_tie() -> None:
    tournament = entered(6, ties=("wins",), plan=fixed(3))
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3)], [(4, 2), (5, 1), (6, 3)])
    tournament = played(tournament, [(1, 3), (5, 1), (6, 2)], [(4, 2), (2, 1), (3, 3)])
    assert why(tournament, "Ann") == ("Level with Dan on 1 point; ahead on tables won, 1 to 0.",)
    assert why(tournament, "Dan") == ()


def test_who_beat_whom_breaks_a_tie_only_between_those_who_met() -> None:
    tournament = entered(4, ties=("head_to_head",), plan=fixed(2))
    tournament = played(tournament, [(1, 1), (2, 2)], [(3, 1), (4, 2)])
    assert [line.place for line in standings(tournament)] == [1, 1, 3, 3]
    tournament = played(tournament, [(1, 2), (3, 1)], [(2, 1), (4, 2)])
    assert why(tournament, "Ann") == ("Level with Ben on 1 point; ahead on points against each other, 1 to 0.",)


def test_stronger_opponents_break_a_tie() -> None:
    tournament = entered(4, ties=("strength",), plan=fixed(2))
    tournament = played(tournament, [(1, 1), (2, 2)], [(3, 1), (4, 2)])
    tournament = played(tournament, [(1, 2), (3, 1)], [(2, 1), (4, 2)])
    assert why(tournament, "Ann") == ("Level with Ben on 1 point; ahead on mean points of the opponents met, 1½ to ½.",)


def test_tenths_add_up_to_one() -> None:
    tournament = after(entered(2, ties=()), *(Adjusted(1, 0.1, "a song") for _ in range(3)), Adjusted(2, 0.3, "a song"))
    assert [line.place for line in standings(tournament)] == [1, 1]


def test_with_low_points_the_lower_number_is_ahead() -> None:
    tournament = entered(2, ties=("countback",), points="raw", plan=fixed(2))
    tournament = played(played(tournament, [(1, 1), (2, 4)]), [(1, 5), (2, 2)])
    assert why(tournament, "Ben") == ("Level with Ann on 6 points; ahead on points in stage 2, 2 to 5.",)
    assert [line.name for line in standings(tournament)] == ["Ben", "Ann"]


def test_with_low_points_who_won_more_often_against_the_other_is_ahead() -> None:
    tournament = entered(2, ties=("head_to_head",), points="raw", plan=fixed(2))
    for mine, theirs in ((1, 4), (1, 3), (7, 2)):
        tournament = played(tournament, [(1, mine), (2, theirs)])
    assert why(tournament, "Ann") == ("Level with Ben on 9 points; ahead on points against each other, 2 to 1.",)
    assert why(tournament, "Ben") == ()
    with reading(LOUD):
        (told,) = (sentence.as_read() for sentence in line(tournament, "Ann").why)
    assert told == "LEVEL WITH Ben ON 9 POINTS; AHEAD ON POINTS AGAINST EACH OTHER, 2 TO 1."


def test_teams_have_standings_of_their_own() -> None:
    tournament = entered(4, teams=Teams(2, "sum"), ties=("wins", "head_to_head"))
    tournament = played(tournament, [(1, 1), (2, 4), (3, 2), (4, 3)])
    first, second = standings(tournament)
    assert (first.name, first.entries, second.name) == ("Team 1", (1, 2), "Team 2")
    assert first.why == ("Level with Team 2 on 1 point; ahead on tables won, 1 to 0.",)


def test_a_table_that_a_bot_won_for_a_leaver_is_no_win() -> None:
    tournament = after(
        entered(4, ties=("wins",), plan=fixed(2)), StageSeated(((1, 2), (3, 4))), Withdrew(1), Withdrew(3)
    )
    tournament = after(tournament, finished(1, 1, 2), finished(2, 2, 1), StageClosed())
    assert why(tournament, "Dan") == ()
    assert why(tournament, "Ann") == ("Level with Ben and Cat in every step: the place is shared.",)
