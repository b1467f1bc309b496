"""What decides among those who are level for the last place that goes on, as hosts chose."""

from itertools import pairwise
from typing import Any

from snug.engine.fairness import lot_drawn, lot_seal
from snug.tournament import fold
from snug.tournament.acts.play_offs import Owed, owed
from snug.tournament.events import (
    Adjusted,
    Annulled,
    Corrected,
    LotSealed,
    PlayedOff,
    StageClosed,
    StageSeated,
    Withdrew,
)
from snug.tournament.plan import Groups
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from snug.words import as_read
from tests.tournament.company import after, entered, finished, refused
from tests.tournament.test_groups import in_groups

_TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))


def level(cut: str, **more: Any) -> Tournament:
    """Two of each table go on: at the first Ben, Cat and Dan share the second place; a lot is sealed."""
    seated = after(entered(8, 1, format="knockout", cut=cut, **more), StageSeated(_TABLES))
    return after(seated, LotSealed(lot_seal(1, "lot")), finished(1, 1, 5, 5, 5), finished(2, 1, 2, 3, 4))


def told(tournament: Tournament) -> list[str]:
    return [as_read(cut.sentence) for cut in tournament.stages[-1].cuts]


def test_all_who_are_level_go_on() -> None:
    closed = after(level("shared"), StageClosed("lot"))
    assert closed.stages[0].through == {1, 2, 3, 4, 5, 6}
    assert told(closed) == ["Ben, Cat and Dan are level for the last place that goes on: all of them do."]


def test_the_lot_alone_decides_whatever_the_standings_say() -> None:
    first = min((2, 3, 4), key=lambda entry: lot_drawn("lot", entry))
    closed = after(level("lot"), StageClosed("lot"))
    assert closed.stages[0].through == {1, first, 5, 6}
    assert told(closed)[0].endswith(f"are level at their table; the lot sends {closed.name(first)} on.")


def test_one_deal_more_decides_and_is_waited_for() -> None:
    waiting = level("play_off")
    assert owed(waiting) == (Owed(1, (2, 3, 4)),)
    refusal = refused(waiting, StageClosed("lot"))
    assert (refusal.code, refusal.sentence) == (
        "PLAY_OFF",
        "Ben, Cat and Dan are level: one deal more among them decides.",
    )
    done = after(waiting, PlayedOff(1, (2, 3, 4), (9, 2, 9), (2, 1, 2)))
    assert owed(done) == ()
    closed = after(done, StageClosed("lot"))
    assert closed.stages[0].through == {1, 3, 5, 6}
    assert told(closed)[0].startswith("Cat goes on before ")
    assert told(closed)[0].endswith(" by the play-off.")
    assert fold.fold(closed.plan, closed.log) == closed


def test_who_are_level_again_play_again_and_a_play_off_is_put_right() -> None:
    once = after(level("play_off"), PlayedOff(1, (2, 3, 4), (1, 1, 2), (1, 1, 3)))
    assert owed(once) == (Owed(1, (2, 3)),)
    twice = after(once, PlayedOff(1, (2, 3), (2, 1), (2, 1)))
    assert after(twice, StageClosed("lot")).stages[0].through == {1, 3, 5, 6}
    right = after(twice, PlayedOff(1, (2, 3, 4), (3, 2, 1), (3, 2, 1)))
    assert after(right, StageClosed("lot")).stages[0].through == {1, 4, 5, 6}


def test_whoever_leaves_is_not_waited_for() -> None:
    assert owed(after(level("play_off"), Withdrew(3))) == (Owed(1, (2, 4)),)
    assert owed(after(level("play_off"), Withdrew(3), Withdrew(4))) == ()


def test_no_play_off_is_written_down_that_is_not_owed() -> None:
    waiting = level("play_off")
    assert refused(waiting, PlayedOff(1, (2, 3), (1, 2), (1, 2))).code == "NO_PLAY_OFF"
    assert refused(waiting, PlayedOff(1, (2, 3, 4), (1, 2), (1, 2))).code == "BAD_RESULT"
    assert refused(waiting, PlayedOff(1, (2, 3, 4), (1, 2, 3), (1, 3, 3))).code == "BAD_RESULT"
    assert refused(level("lot"), PlayedOff(1, (2, 3, 4), (1, 2, 3), (1, 2, 3))).code == "NO_PLAY_OFF"


def test_a_table_that_plays_again_forgets_its_play_off() -> None:
    done = after(level("play_off"), PlayedOff(1, (2, 3, 4), (1, 2, 3), (1, 2, 3)), Annulled(1, "torn"))
    again = after(done, finished(1, 1, 5, 5, 5))
    assert owed(again) == (Owed(1, (2, 3, 4)),)


def test_a_late_correction_asks_for_no_play_off_any_more() -> None:
    closed = after(level("play_off"), PlayedOff(1, (2, 3, 4), (1, 2, 3), (1, 2, 3)), StageClosed("lot"))
    right = after(closed, Corrected(1, (5, 5, 1, 2), (3, 3, 1, 2), "misread", 1))
    assert right.stages[0].through == {3, 4, 5, 6}
    other = after(closed, Corrected(2, (5, 5, 5, 5), (1, 1, 1, 1), "misread", 1))
    assert len(other.stages[0].through) == 4


def test_the_first_of_a_final_is_found_by_one_deal_more() -> None:
    final = after(entered(4, 1, format="knockout", cut="play_off", advance=1), StageSeated(((1, 2, 3, 4),)))
    final = after(final, finished(1, 3, 3, 9, 3))
    assert owed(final) == (Owed(1, (1, 2, 4)),)
    done = after(final, PlayedOff(1, (1, 2, 4), (5, 4, 5), (2, 1, 2)), StageClosed())
    assert done.over
    assert [(line.name, line.place) for line in standings(done)] == [("Ben", 1), ("Ann", 2), ("Dan", 2), ("Cat", 4)]


def test_groups_play_off_among_those_who_are_level_in_every_step() -> None:
    tournament = in_groups(8, Groups(2), ties=("countback",), cut="play_off")
    tournament = after(tournament, StageSeated(_TABLES, groups=_TABLES), LotSealed(lot_seal(1, "lot")))
    tournament = after(tournament, finished(1, 1, 5, 5, 5), finished(2, 1, 2, 3, 4))
    assert owed(tournament) == (Owed(1, (2, 3, 4)),)
    tournament = after(tournament, PlayedOff(1, (2, 3, 4), (3, 2, 1), (3, 2, 1)), StageClosed("lot"))
    assert tournament.stages[0].through == {1, 4, 5, 6}


def test_groups_send_on_all_who_share_the_last_place() -> None:
    tournament = in_groups(8, Groups(2), ties=("countback",), cut="shared")
    tournament = after(tournament, StageSeated(_TABLES, groups=_TABLES))
    tournament = after(tournament, finished(1, 1, 5, 5, 5), finished(2, 1, 2, 3, 4), StageClosed())
    assert tournament.stages[0].through == {1, 2, 3, 4, 5, 6}


def test_the_standings_say_nothing_of_level_points_where_there_are_none_and_why_one_of_as_many_went_out() -> None:
    closed = after(level("lot"), StageClosed("lot"))
    rows = standings(closed)
    for ahead, behind in pairwise(rows):
        for sentence in map(as_read, ahead.why):
            if sentence.startswith(f"Level with {behind.name} on"):
                assert ahead.points == behind.points
    first_out = next(row for row in rows if row.entries[0] not in closed.stages[0].through)
    place = max(row.place for row in rows if row.place < first_out.place)
    last_through = next(row for row in rows if row.place == place)
    assert as_read(last_through.why[-1]) == told(closed)[0]


def test_who_went_further_with_fewer_points_is_said_to_have_gone_further() -> None:
    closed = after(level("shared"), StageClosed("lot"), Adjusted(7, 1, "a song"))
    goes_on = [row for row in standings(closed) if row.entries[0] in closed.stages[0].through]
    assert any("Went further than Gus." in map(as_read, row.why) for row in goes_on)
