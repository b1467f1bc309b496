"""Entries without a device, and the tables at which they play."""

from typing import Any

import pytest

from snug.tournament.events import DeviceChanged, Entered, StageSeated
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
