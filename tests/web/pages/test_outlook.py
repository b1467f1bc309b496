"""What a bracket says to whoever looks: what comes next, and which score wins."""

from app.web.pages.bracket.outlook import best_score, outlook_of
from snug.tournament.events import StageClosed
from tests.tournament.company import after, entered, finished, fixed, stage
from tests.web.pages.test_bracket import knockout, one_stage, over, results, seated


def test_what_comes_next_for_each() -> None:
    tournament = seated(knockout(5, plan=fixed(4), advance=1))
    (table,) = tournament.stages[0].tables
    (bye,) = tournament.stages[0].sitting_out
    first, *others = sorted(table.seats)
    assert {outlook_of(tournament, number) for number in table.seats} == {"playing"}
    assert (outlook_of(tournament, bye), outlook_of(tournament, 0)) == ("bye", "")
    played = results(tournament)
    assert {outlook_of(played, number) for number in table.seats} == {"to_come"}
    closed = after(played, StageClosed())
    assert (outlook_of(closed, first), outlook_of(closed, bye)) == ("to_come", "to_come")
    assert {outlook_of(closed, number) for number in others} == {"out"}
    assert outlook_of(over(closed), first) == ""


def test_who_plays_for_third_place_is_not_out_while_it_is_played() -> None:
    tournament = seated(one_stage(knockout(8, third_place=True)))
    assert {outlook_of(tournament, number) for number in tournament.stages[-1].small_final} == {"playing"}


def test_a_half_waits_for_the_other() -> None:
    tournament = seated(knockout(4, format="double_elimination", plan=stage(2)))
    while not (waiting := {e.number for e in tournament.active} - {*tournament.stages[-1].players}):
        tournament = seated(after(results(tournament), StageClosed()))
    assert {outlook_of(tournament, number) for number in waiting} == {"waiting"}


def test_which_score_wins_is_told_once_there_are_scores_of_one_kind() -> None:
    tournament = seated(knockout(8))
    assert best_score(tournament) == ""
    assert best_score(after(tournament, finished(1, 1, 2, 3, 4))) == "lowest"
    assert best_score(after(seated(entered(8, plan=stage(4, "life"))), finished(1, 1, 2, 3, 4))) == "highest"
    secret = after(seated(knockout(8, same_deal=True)), finished(1, 1, 2, 3, 4))
    assert best_score(secret) == ""
    assert best_score(after(secret, finished(2, 1, 2, 3, 4))) == "lowest"
    assert best_score(seated(entered(8))) == ""
