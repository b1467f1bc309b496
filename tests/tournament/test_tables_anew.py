"""People moved between the tables of a stage, and tables that play again."""

from typing import Any

import pytest

from snug.tournament import fold
from snug.tournament.events import (
    Annulled,
    Corrected,
    DeviceChanged,
    Entered,
    Moved,
    Reinstated,
    Returned,
    StageClosed,
    StageSeated,
    Withdrew,
)
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from tests.tournament.company import after, entered, finished, fixed, refused, stage


def seated(*tables: tuple[int, ...], out: tuple[int, ...] = (), **more: Any) -> Tournament:
    people = sum(map(len, tables)) + len(out)
    return after(entered(people, plan=stage(3, fewest=2, most=4), **more), StageSeated(tables, out))


def seats(tournament: Tournament) -> list[tuple[int, ...]]:
    return [table.seats for table in tournament.stages[-1].tables]


def test_somebody_moves_and_moves_back() -> None:
    before = seated((1, 2, 3), (4, 5, 6))
    moved = after(before, Moved(2, table=2))
    assert seats(moved) == [(1, 3), (4, 5, 6, 2)]
    assert seats(after(moved, Moved(2, table=1))) == [(1, 3, 2), (4, 5, 6)]


def test_two_change_places() -> None:
    before = seated((1, 2, 3), (4, 5, 6))
    changed = after(before, Moved(2, swap=6))
    assert seats(changed) == [(1, 6, 3), (4, 5, 2)]
    assert after(changed, Moved(2, swap=6)).stages == before.stages


def test_whoever_comes_while_a_stage_is_played_gets_a_chair_and_plays_it() -> None:
    tournament = seated((1, 2, 3), (4, 5), late_until=3)
    tournament = after(tournament, Entered(6, "Fay"), Moved(6, table=2))
    assert seats(tournament) == [(1, 2, 3), (4, 5, 6)]
    done = after(tournament, finished(1, 1, 2, 3), finished(2, 2, 2, 1), StageClosed())
    assert (done.stages[0].scores or {})[6].kind == "played"


def test_whoever_sits_out_gets_a_chair() -> None:
    tournament = after(entered(5, plan=stage(2, fewest=2, most=2)), StageSeated(((1, 2), (3, 4)), (5,)))
    assert refused(tournament, Moved(5, table=1)).code == "TABLE_FULL"
    tournament = seated((1, 2, 3), (4, 5, 6))
    tournament = after(tournament, Withdrew(6), Moved(3, swap=5))
    assert seats(tournament) == [(1, 2, 5), (4, 3, 6)]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Moved(1, table=1), "ALREADY_SO"),
        (Moved(1, table=3), "NO_TABLE"),
        (Moved(1), "NO_TABLE"),
        (Moved(9, table=1), "NO_ENTRY"),
        (Moved(1, swap=9), "NO_ENTRY"),
        (Moved(1, swap=2), "ALREADY_SO"),
        (Moved(6, table=1), "FINISHED"),
        (Moved(1, table=2), "FINISHED"),
    ],
)
def test_who_cannot_be_moved_stays(event: Moved, code: str) -> None:
    tournament = after(seated((1, 2, 3), (4, 5, 6)), finished(2, 1, 2, 3))
    assert refused(tournament, event).code == code
    assert fold.fold(tournament.plan, tournament.log) == tournament


def test_nobody_moves_where_no_stage_is_played_or_a_final_or_out_of_a_group() -> None:
    assert refused(entered(4), Moved(1, table=1)).code == "NO_STAGE"
    final = after(entered(4, 1, fixed(4), format="knockout"), StageSeated(((1, 2, 3, 4),)))
    assert refused(final, Moved(1, table=1)).code == "FINAL"
    small = after(entered(5, plan=stage(3, fewest=2, most=4)), StageSeated(((1, 2, 3), (4, 5))))
    assert refused(small, Moved(4, table=1)).code == "TABLE_SHORT"
    gone = after(seated((1, 2, 3), (4, 5, 6)), Withdrew(1))
    assert refused(gone, Moved(1, table=2)).code == "NOT_IN"
    late = after(entered(5, plan=stage(3, fewest=2, most=4), late_until=3), StageSeated(((1, 2, 3), (4, 5))))
    late = after(late, Entered(6, "Fay"), Entered(7, "Gus"))
    assert {refused(late, Moved(one, swap=other)).code for one, other in ((6, 1), (1, 6), (6, 7))} == {"NO_SEAT"}


def test_a_table_that_all_have_the_deal_of_is_not_dealt_anew() -> None:
    tournament = entered(6, plan=stage(3), same_deal=True)
    tournament = after(tournament, StageSeated(((1, 2, 3), (4, 5, 6)), deal="secret", paper=(2,)))
    assert refused(tournament, Annulled(1, "torn")).code == "SAME_DEAL"
    assert refused(tournament, Moved(4, swap=1)).code == "SAME_DEAL"
    assert refused(tournament, Annulled(2, "torn")).code == "NOT_FINISHED"


def test_a_table_with_somebody_without_a_device_is_on_paper_from_then_on() -> None:
    tournament = after(entered(5, plan=stage(3, fewest=2, most=4)), Entered(6, "Fay", "", by_organiser=True))
    tournament = after(tournament, StageSeated(((1, 2, 3), (4, 5, 6)), paper=(2,)))
    tournament = after(tournament, Moved(6, swap=3))
    assert [table.on_paper for table in tournament.stages[0].tables] == [True, True]


def test_a_table_plays_again_and_its_new_result_counts() -> None:
    done = after(seated((1, 2, 3), (4, 5, 6)), finished(1, 1, 2, 3), finished(2, 1, 2, 3))
    again = after(done, Annulled(1, "a card was missing"))
    assert not again.stages[0].finished
    assert refused(again, StageClosed()).code == "STILL_PLAYING"
    assert refused(again, Corrected(1, (1, 2, 3), (1, 2, 3), "misread")).code == "NOT_FINISHED"
    played = after(again, finished(1, 3, 2, 1))
    assert refused(played, Reinstated(1)).code == "NOTHING_ANNULLED"
    right = after(done, Corrected(1, (3, 2, 1), (3, 2, 1), "misread"))
    assert after(played, StageClosed()).stages == after(right, StageClosed()).stages


def test_an_annulled_result_can_count_after_all_while_the_same_people_play_again() -> None:
    done = after(seated((1, 2, 3), (4, 5, 6)), finished(1, 1, 2, 3))
    again = after(done, Annulled(1, "a card was missing"))
    assert after(again, Reinstated(1)).stages == done.stages
    twice = after(again, Annulled(1, "and once more"))
    assert after(twice, Reinstated(1)).stages == done.stages
    assert refused(after(again, Moved(1, swap=4)), Reinstated(1)).code == "NOTHING_ANNULLED"


def test_whoever_left_after_the_end_is_not_waited_for_when_the_table_plays_again() -> None:
    done = after(seated((1, 2, 3), (4, 5, 6)), finished(1, 1, 2, 3), Withdrew(2))
    assert 2 not in done.stages[0].absent
    again = after(done, Annulled(1, "a card was missing"))
    assert 2 in again.stages[0].absent
    assert after(again, Reinstated(1)).stages == done.stages
    rest = after(again, finished(1, 1, 2, 3), finished(2, 1, 2, 3), StageClosed())
    assert (rest.stages[0].scores or {})[2].kind == "left"
    assert 2 not in after(again, Returned(2)).stages[0].absent


def test_whoever_has_no_device_since_plays_again_on_paper() -> None:
    done = after(seated((1, 2, 3), (4, 5, 6)), finished(1, 1, 2, 3), DeviceChanged(2, False))
    assert after(done, Annulled(1, "torn")).stages[0].tables[0].on_paper


def test_a_closed_stage_is_corrected_after_a_table_of_it_played_again() -> None:
    done = after(seated((1, 2, 3), (4, 5, 6)), finished(1, 1, 2, 3), finished(2, 1, 2, 3))
    done = after(done, Annulled(1, "torn"), finished(1, 2, 1, 3), StageClosed())
    right = after(done, Corrected(1, (3, 2, 1), (3, 2, 1), "misread", 1))
    assert standings(right)[0].name in ("Cat", "Dan")
    assert fold.fold(right.plan, right.log) == right
