"""Entries without a device, games that Snug does not know, and the tables at which they are played."""

from typing import Any

import pytest
from msgspec.structs import replace

from snug.tournament.events import DeviceChanged, Entered, StageClosed, StageSeated
from snug.tournament.plan import PaperGame, StagePlan
from snug.tournament.seating import seat_stage
from snug.tournament.standings import standings
from tests.tournament.company import after, entered, finished, fixed, refused


def begun(**more: Any) -> Any:
    """Dan has no device; the first table plays on paper."""
    tournament = after(entered(3, 2, fixed(2), **more), Entered(4, "Dan", "", by_organiser=True))
    return after(tournament, StageSeated(((1, 4), (2, 3)), paper=(1,)))


def test_a_table_plays_on_paper_as_soon_as_somebody_has_no_device() -> None:
    tournament = after(entered(3, 2, fixed(2)), Entered(4, "Dan", "", by_organiser=True))
    for paper in ((), (2,), (1, 3)):
        assert refused(tournament, StageSeated(((1, 4), (2, 3)), paper=paper)).code == "NEEDS_PAPER"
    assert [table.on_paper for table in after(tournament, StageSeated(((1, 4), (2, 3)), paper=(1, 2))).stages[0].tables]


def test_of_a_game_that_snug_does_not_know_every_table_is_on_paper() -> None:
    tournament = entered(4, 2, StagePlan(PaperGame("Darts", lowest_wins=True), {}, 2))
    assert seat_stage(tournament, "seed").paper == (1, 2)
    assert refused(tournament, StageSeated(((1, 4), (2, 3)), paper=(2,))).code == "NEEDS_PAPER"
    seated = after(tournament, StageSeated(((1, 4), (2, 3)), paper=(1, 2)))
    assert refused(seated, finished(1, 1, 2)).code == "OTHERWISE"  # there is no screen
    done = [replace(finished(table, 1, 2), source="organiser") for table in (1, 2)]
    over = after(seated, *done, StageClosed())
    assert [line.name for line in standings(over)][:2] == ["Ann", "Ben"]
    assert after(over, seat_stage(over, "seed")).stage


@pytest.mark.parametrize(
    ("table", "source", "fits"), [(1, "screen", False), (1, "paper", True), (2, "organiser", False)]
)
def test_a_result_comes_from_where_the_table_plays(table: int, source: Any, fits: bool) -> None:
    done = finished(table, 1, 2)
    done = type(done)(done.table, done.scores, done.places, source)
    if fits:
        assert after(begun(), done).stages[0].tables[table - 1].result
    else:
        assert refused(begun(), done).code == "OTHERWISE"


def test_a_device_comes_at_any_time_and_goes_when_no_screen_waits_for_it() -> None:
    tournament = after(begun(), DeviceChanged(4, True))
    assert tournament.entry(4).has_device
    assert refused(tournament, DeviceChanged(4, True)).code == "ALREADY_SO"
    assert not after(tournament, DeviceChanged(4, False)).entry(4).has_device
    assert refused(tournament, DeviceChanged(2, False)).code == "NOT_NOW"
    assert not after(tournament, finished(2, 1, 2), DeviceChanged(2, False)).entry(2).has_device
