"""Signing up, leaving, coming back, standing by."""

from contextlib import nullcontext
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from snug.tournament import entries, events, fold
from snug.tournament.events import (
    Adjusted,
    AnyLogEvent,
    Ended,
    Entered,
    Replaced,
    Returned,
    SetUpChanged,
    StageClosed,
    StageSeated,
    Withdrew,
)
from snug.tournament.plan import Teams
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from tests.tournament.company import after, entered, finished, fixed, line, played, refused, worth

FOUR = StageSeated(((1, 2, 3, 4),))


def kinds(tournament: Tournament, name: str) -> list[str | None]:
    return [score.kind if score else None for score in line(tournament, name).stages]


def test_whoever_finds_it_full_stands_by_and_moves_up() -> None:
    tournament = entered(5, players=4)
    assert [entry.status for entry in tournament.entries] == ["in"] * 4 + ["reserve"]
    tournament = after(tournament, Withdrew(2))
    assert [entry.number for entry in tournament.active] == [1, 3, 4, 5]
    assert [line.name for line in standings(tournament)] == ["Ann", "Cat", "Dan", "Eve"]
    assert refused(tournament, Returned(2)).code == "NOT_PLAYED"
    assert after(tournament, Entered(6, "Ben")).entry(6).status == "reserve"


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Entered(6, "Ann"), "BAD_ENTRY"),
        (Entered(5, "Ann"), "NAME_TAKEN"),
        (Entered(5, "Eve", "Reds"), "NO_TEAMS"),
        (Withdrew(5), "NO_ENTRY"),
        (Withdrew(0), "NO_ENTRY"),
        (Returned(1), "NOT_AWAY"),
        (Replaced(1, 2), "NOT_RESERVE"),
        (Adjusted(1, 0, "why"), "BAD_POINTS"),
        (Adjusted(1, float("nan"), "why"), "BAD_POINTS"),
        (StageClosed(), "NO_STAGE"),
        (finished(1, 1, 2), "NO_STAGE"),
    ],
)
def test_what_cannot_be_changes_nothing(event: AnyLogEvent, code: str) -> None:
    tournament = entered(4)
    before = tournament.log
    assert refused(tournament, event).code == code
    assert tournament.log == before


def test_nobody_enters_once_it_is_too_late() -> None:
    tournament = after(entered(4), FOUR)
    assert refused(tournament, Entered(5, "Eve")).code == "TOO_LATE"
    assert refused(after(tournament, finished(1, 1, 2, 3, 4), StageClosed()), Entered(5, "Eve")).code == "TOO_LATE"


def test_a_late_entry_has_the_stated_score_for_what_it_missed() -> None:
    tournament = played(entered(4, late_until=3), [(1, 1), (2, 2), (3, 3), (4, 4)])
    tournament = after(tournament, Entered(5, "Eve"), StageSeated(((1, 2, 3, 4, 5),)), Entered(6, "Fay"))
    tournament = after(tournament, finished(1, 5, 4, 3, 2, 1), StageClosed())
    assert (kinds(tournament, "Eve"), worth(tournament, "Eve")) == (["missed", "played"], 1)
    assert (kinds(tournament, "Fay"), worth(tournament, "Fay")) == (["missed", "missed"], 0)


def test_a_late_entry_is_one_sit_out_behind_at_most() -> None:
    tournament = entered(5, 12, fixed(), late_until=12)
    for sitter in (5, 4, 3, 2, 1) * 2:
        tournament = played(tournament, [(entry, entry) for entry in range(1, 6) if entry != sitter], out=(sitter,))
    tournament = after(tournament, Entered(6, "Fay"))
    refusal = refused(tournament, StageSeated(((3, 4, 5, 6),), (1, 2)))
    assert refusal.code == "UNFAIR_SIT_OUT"
    tournament = after(tournament, StageSeated(((2, 3, 4, 5),), (1, 6)))
    assert (tournament.sat_out(6), tournament.turns(6), tournament.turns(2)) == (1, 2, 2)


def test_frozen_points_stay_and_leaving_earns_nothing() -> None:
    tournament = played(entered(4), [(1, 1), (2, 2), (3, 3), (4, 4)])
    tournament = after(tournament, FOUR, Withdrew(1), finished(1, 1, 2, 3, 4), StageClosed())
    tournament = played(tournament, [(2, 1), (3, 2), (4, 3)])
    assert (kinds(tournament, "Ann"), worth(tournament, "Ann")) == (["played", "left", "left"], 1)
    assert tournament.over


def test_who_leaves_after_the_last_card_keeps_the_stage() -> None:
    tournament = after(entered(4), FOUR, finished(1, 1, 2, 3, 4), Withdrew(1), StageClosed())
    assert kinds(tournament, "Ann") == ["played"]


def test_where_the_fewest_points_win_leaving_costs_the_worst() -> None:
    tournament = played(entered(4, points="raw"), [(1, 0), (2, 2), (3, 3), (4, 4)])
    tournament = played(after(tournament, Withdrew(1)), [(2, 5), (3, 7), (4, 9)])
    assert line(tournament, "Ann").points == 9
    assert [line.name for line in standings(tournament)] == ["Ben", "Ann", "Cat", "Dan"]


def test_a_bot_plays_on_and_sits_out_first_for_nothing() -> None:
    tournament = after(entered(5, 4, fixed(), drop_out="bot"), StageSeated(((1, 2, 3, 4),), (5,)), Withdrew(1))
    tournament = after(tournament, finished(1, 1, 2, 3, 4), StageClosed())
    assert (kinds(tournament, "Ann"), worth(tournament, "Ann")) == (["bot"], 1)
    assert refused(tournament, StageSeated(((1, 2, 3, 5),), (4,))).code == "UNFAIR_SIT_OUT"
    tournament = played(tournament, [(2, 1), (3, 2), (4, 3), (5, 4)], out=(1,))
    assert (kinds(tournament, "Ann"), worth(tournament, "Ann")) == (["bot", "left"], 1)
    tournament = after(tournament, Returned(1))
    assert (tournament.entry(1).status, tournament.turns(1)) == ("in", 0)


def test_the_reserve_takes_the_chair_of_a_table_still_playing() -> None:
    tournament = after(entered(5, players=4, drop_out="reserve"), FOUR, Withdrew(3))
    assert tournament.stages[0].tables[0].seats == (1, 2, 5, 4)
    tournament = after(tournament, finished(1, 1, 2, 3, 4), StageClosed())
    assert (kinds(tournament, "Eve"), kinds(tournament, "Cat")) == (["played"], ["left"])
    tournament = after(tournament, Entered(6, "Fay"), Replaced(1, 6))
    assert [entry.number for entry in tournament.active] == [2, 4, 5, 6]
    assert tournament.corrections == (Replaced(1, 6),)
    tournament = after(tournament, Withdrew(2))
    assert [entry.number for entry in tournament.active] == [4, 5, 6]


def test_who_comes_back_in_time_plays_on() -> None:
    tournament = after(entered(4), FOUR, Withdrew(1), Returned(1))
    assert not tournament.stages[0].absent
    late = after(entered(4), FOUR, Withdrew(1), finished(1, 1, 2, 3, 4), Returned(1), StageClosed())
    assert kinds(late, "Ann") == ["left"]
    assert len(late.active) == 4


def test_leaving_a_sit_out_gives_it_up() -> None:
    tournament = after(entered(5, 3, fixed()), StageSeated(((1, 2, 3, 4),), (5,)), Withdrew(5))
    tournament = after(tournament, finished(1, 1, 2, 3, 4), StageClosed(), Returned(5))
    assert (kinds(tournament, "Eve"), tournament.turns(5)) == (["left"], 1)


def test_who_left_a_knockout_stays_out_of_it() -> None:
    tournament = entered(8, 1, format="knockout")
    tournament = after(tournament, StageSeated(((1, 2, 3, 4), (5, 6, 7, 8))), finished(1, 1, 2, 3, 4), Withdrew(1))
    tournament = after(tournament, finished(2, 1, 2, 3, 4), StageClosed())
    assert refused(tournament, Returned(1)).code == "KNOCKED_OUT"
    assert [entry.number for entry in tournament.active] == [2, 3, 5, 6]


def test_teams_fill_up_and_take_in_whoever_comes_later() -> None:
    tournament = entered(3, teams=Teams(2), late_until=3, players=6)
    assert refused(tournament, StageSeated(((1, 2, 3),))).code == "TEAM_SHORT"
    assert refused(tournament, Entered(4, "Dan")).code == "TEAM_NEEDED"
    assert refused(tournament, Entered(4, "Dan", "Team 1")).code == "TEAM_FULL"
    tournament = after(tournament, Entered(4, "Dan", "Team 2"))
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3), (4, 4)])
    assert refused(tournament, Entered(5, "Eve", "Team 3")).code == "TEAM_LATE"
    tournament = played(after(tournament, Withdrew(1), Entered(5, "Eve", "Team 1")), [(2, 1), (3, 2), (4, 3), (5, 4)])
    assert refused(tournament, Returned(1)).code == "TEAM_FULL"
    assert line(tournament, "Team 1").entries == (1, 2, 5)
    assert line(tournament, "Team 1").points == 2


def test_there_are_only_so_many_teams() -> None:
    assert refused(entered(2, teams=Teams(2), players=4), Entered(3, "Cat", "")).code == "TEAM_NEEDED"
    tournament = after(entered(2, teams=Teams(2), players=5), Entered(3, "Cat", "Team 2"))
    assert refused(tournament, Entered(4, "Dan", "Team 3")).code == "TEAMS_FULL"


@pytest.mark.parametrize("change", [{"teams": Teams(3)}, {"players": 2}])
def test_who_has_signed_up_in_teams_stays_in_them(change: dict[str, Any]) -> None:
    tournament = entered(3, teams=Teams(2), players=4)
    assert refused(tournament, SetUpChanged(replace(tournament.plan, **change))).code == "TEAMS_SET"
    alone = after(tournament, SetUpChanged(replace(tournament.plan, teams=None)))
    assert [entry.team for entry in alone.entries] == ["", "", ""]


def test_a_list_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_ENTRIES", 4)
    assert refused(entered(4), Entered(5, "Eve")).code == "LIST_FULL"


def test_nothing_happens_after_the_end_but_adjustments() -> None:
    tournament = after(played(entered(4), [(1, 1), (2, 2), (3, 3), (4, 4)]), Ended("it is late"))
    assert refused(tournament, Withdrew(1)).code == "OVER"
    tournament = after(tournament, Adjusted(4, 0.5, "a miscount"))
    assert (worth(tournament, "Dan"), float(line(tournament, "Dan").adjusted)) == (0.5, 0.5)
    assert [type(event) for event in tournament.corrections] == [Ended, Adjusted]
    assert fold.fold(tournament.plan, tournament.log) == tournament


@pytest.mark.parametrize(("letters", "fits"), [(0, False), (1, True), (64, True), (65, False)])
def test_a_name_in_the_log_has_some_letters_and_not_too_many(letters: int, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(msgspec.ValidationError):
        msgspec.convert("x" * letters, events.Name)
