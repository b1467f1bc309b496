"""Seating, results and the end of a stage; knockouts."""

from typing import Any

import pytest

from snug.tournament import fold
from snug.tournament.events import Corrected, Ended, StageClosed, StageSeated, TableFinished, Withdrew
from snug.tournament.rounds.sizes import contenders, table_sizes
from snug.tournament.seating import seat_stage
from snug.tournament.standings import standings
from snug.tournament.state import EventRefused
from tests.tournament.company import after, entered, finished, fixed, line, played, refused, stage, worth


@pytest.mark.parametrize(
    ("players", "seats", "sizes"),
    [
        (7, (2, 4, 6), (4, 3)),
        (5, (4, 4, 4), (4,)),
        (5, (2, 4, 6), (5,)),
        (6, (2, 4, 6), (3, 3)),
        (9, (2, 4, 6), (5, 4)),
        (11, (4, 4, 4), (4, 4)),
        (13, (5, 5, 6), (6, 6)),
        (3, (4, 4, 4), ()),
        (2, (2, 4, 6), (2,)),
        (255, (4, 4, 4), (4,) * 63),
        (255, (2, 4, 4), (4,) * 63 + (3,)),
        (256, (2, 2, 6), (2,) * 128),
    ],
)
def test_tables_come_near_the_size_wanted_and_few_sit_out(
    players: int, seats: tuple[int, int, int], sizes: tuple[int, ...]
) -> None:
    fewest, size, most = seats
    found = table_sizes(stage(size, "lucky_paw", fewest, most), players)
    assert found == sizes


def test_a_series_has_one_table() -> None:
    assert table_sizes(stage(4, "lucky_paw", 2, 6), 8, one=True) == (6,)


@pytest.mark.parametrize(
    ("tables", "out", "code"),
    [
        (((1, 2, 3, 4), (5, 6, 7, 7)), (8,), "TWICE"),
        (((1, 2, 3, 4), (5, 6, 7, 8)), (9, 9), "TWICE"),
        (((1, 2, 3, 4), (5, 6, 7, 8)), (), "WRONG_PLAYERS"),
        (((1, 2, 3, 4), (5, 6, 7, 10)), (9,), "WRONG_PLAYERS"),
        (((1, 2, 3), (5, 6, 7, 8, 4)), (9,), "WRONG_TABLES"),
        (((1, 2, 3, 4),), (5, 6, 7, 8, 9), "WRONG_TABLES"),
    ],
)
def test_a_seating_is_checked(tables: Any, out: tuple[int, ...], code: str) -> None:
    assert refused(entered(9, plan=fixed()), StageSeated(tables, out)).code == code


def test_who_has_sat_out_plays_until_all_others_have() -> None:
    tournament = played(entered(5, plan=fixed()), [(1, 1), (2, 2), (3, 3), (4, 4)], out=(5,))
    refusal = refused(tournament, StageSeated(((1, 2, 3, 4),), (5,)))
    assert (refusal.code, refusal.sentence) == (
        "UNFAIR_SIT_OUT",
        "Eve has sat out more often than somebody who would play.",
    )


def test_too_few_cannot_be_seated() -> None:
    assert refused(entered(3, plan=fixed()), StageSeated(((1, 2, 3),))).code == "TOO_FEW"
    with pytest.raises(EventRefused) as refusal:
        seat_stage(entered(3, plan=fixed()), "seed")
    assert refusal.value.sentence == "3 are too few for a table of 4."


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (TableFinished(2, (1, 2, 3, 4), (1, 2, 3, 4)), "NO_TABLE"),
        (TableFinished(1, (1, 2, 3), (1, 2, 3)), "BAD_RESULT"),
        (TableFinished(1, (1, 2, 3, 4), (1, 2, 3)), "BAD_RESULT"),
        (TableFinished(1, (1, 2, 3, 4), (1, 2, 2, 3)), "BAD_RESULT"),
        (TableFinished(1, (1, 2, 3, 4), (2, 3, 4, 5)), "BAD_RESULT"),
        (TableFinished(1, (1, 2, 3, float("nan")), (1, 2, 3, 4)), "BAD_RESULT"),
        (TableFinished(1, (1, 2, 3, float("inf")), (1, 2, 3, 4)), "BAD_RESULT"),
        (Corrected(1, (1, 2, 3, 4), (1, 2, 3, 4), "misread"), "NOT_FINISHED"),
        (StageClosed(), "STILL_PLAYING"),
        (StageSeated(((1, 2, 3, 4),)), "STAGE_OPEN"),
        (Ended("it is late"), "STAGE_OPEN"),
    ],
)
def test_what_a_playing_stage_refuses(event: Any, code: str) -> None:
    assert refused(after(entered(4), StageSeated(((1, 2, 3, 4),))), event).code == code


def test_a_result_is_corrected_with_a_reason_while_the_stage_lasts() -> None:
    tournament = after(entered(4), StageSeated(((1, 2, 3, 4),)), finished(1, 1, 2, 3, 4))
    assert refused(tournament, finished(1, 4, 3, 2, 1)).code == "FINISHED"
    correction = Corrected(1, (4, 3, 2, 1), (4, 3, 2, 1), "written down the wrong way round")
    tournament = after(tournament, correction, StageClosed())
    assert (worth(tournament, "Dan"), tournament.corrections) == (1, (correction,))
    assert refused(tournament, correction).code == "NO_STAGE"


def test_what_stood_after_a_stage_can_be_asked_for_later() -> None:
    first = played(entered(4), [(1, 1), (2, 2), (3, 3), (4, 4)])
    tournament = played(after(first, Withdrew(1)), [(2, 1), (3, 2), (4, 3)])
    assert fold.as_of(tournament, 1) == first
    with pytest.raises(EventRefused, match="no finished stage 3"):
        fold.as_of(tournament, 3)


# Knockouts


def names(tournament: Any) -> list[str]:
    return [entry.name for entry in tournament.active]


def test_the_best_of_each_table_go_on_to_a_final() -> None:
    tournament = played(
        entered(8, 1, format="knockout", ties=()),
        [(1, 1), (2, 2), (3, 3), (4, 4)],
        [(5, 4), (6, 3), (7, 2), (8, 1)],
    )
    assert (names(tournament), tournament.over) == (["Ann", "Ben", "Gus", "Hal"], False)
    tournament = played(tournament, [(1, 4), (2, 3), (7, 2), (8, 1)])
    assert tournament.over
    assert [line.name for line in standings(tournament)][:4] == ["Hal", "Gus", "Ben", "Ann"]
    assert [line.place for line in standings(tournament)] == [1, 2, 3, 4, 5, 5, 7, 7]


def test_a_tie_at_the_first_cut_goes_to_who_entered_first() -> None:
    tournament = entered(8, 1, format="knockout", advance=3)
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3), (4, 3)], [(5, 4), (6, 3), (7, 2), (8, 1)])
    (cut,) = tournament.stages[0].cuts
    assert (cut.table, cut.through, cut.out) == (1, 3, 4)
    assert cut.sentence == "Cat and Dan are level in every step; Cat goes on, having entered first."
    assert names(tournament) == ["Ann", "Ben", "Cat", "Fay", "Gus", "Hal"]


def test_a_tie_at_a_later_cut_is_broken_by_the_stages_before() -> None:
    tournament = entered(12, 1, fixed(3), format="knockout")
    rows = [(1, 1), (2, 2), (3, 3)], [(4, 1), (5, 2), (6, 3)], [(7, 1), (8, 2), (9, 3)], [(10, 1), (11, 2), (12, 3)]
    tournament = played(tournament, *rows)
    tournament = played(tournament, [(2, 5), (4, 1), (7, 5)], [(1, 1), (5, 2), (8, 3)], out=(10, 11))
    (cut,) = tournament.stages[1].cuts
    assert (cut.through, cut.out) == (7, 2)
    assert cut.sentence == "Gus goes on before Ben: ahead on points in stage 1 until this stage, 1 to ½."


def test_who_has_left_does_not_go_on() -> None:
    tournament = after(entered(8, 1, format="knockout"), StageSeated(((1, 2, 3, 4), (5, 6, 7, 8))))
    tournament = after(tournament, finished(1, 1, 2, 3, 4), Withdrew(1), finished(2, 1, 2, 3, 4), StageClosed())
    assert names(tournament) == ["Ben", "Cat", "Eve", "Fay"]


def test_a_whole_table_never_goes_on() -> None:
    tournament = entered(5, 1, stage(4, fewest=2, most=4), format="knockout", advance=3)
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3)], [(4, 1), (5, 2)])
    assert names(tournament) == ["Ann", "Ben", "Dan"]


def test_the_best_of_those_knocked_out_fill_a_table_that_is_short() -> None:
    tournament = entered(6, 1, fixed(3), format="knockout", advance=1)
    tournament = played(tournament, [(1, 1), (2, 2), (3, 3)], [(4, 1), (5, 5), (6, 5)])
    assert contenders(tournament) == (1, 2, 4)
    tournament = played(tournament, [(1, 1), (2, 2), (4, 3)])
    assert (tournament.over, line(tournament, "Ben").place) == (True, 2)
