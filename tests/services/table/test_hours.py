"""Table hours: when clocks run, across midnight and when clocks are put forward."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from app.services.errors import Refused
from app.services.table.hours import Hours, RoomMoment, is_open, read_hours

EVENING = Hours(20 * 60, 23 * 60, "UTC")
NIGHT = Hours(22 * 60, 2 * 60, "UTC")


def at(text: str, zone: str = "UTC") -> float:
    """A moment: 2026-11-21 20:00."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone) if zone != "UTC" else UTC).timestamp()


def from_(moment: float) -> RoomMoment:
    """The same in room time, which goes by the wall."""
    return RoomMoment(moment, moment)


def test_without_hours_clocks_always_run() -> None:
    assert is_open(None, 5.0)
    assert from_(5.0).run_out(None, 10.0) == 15.0
    assert from_(5.0).running(None, 15.0) == 10.0
    assert from_(15.0).running(None, 5.0) == 0.0


@pytest.mark.parametrize(
    ("now", "running_now"), [("19:59:59", False), ("20:00:00", True), ("22:59:59", True), ("23:00:00", False)]
)
def test_clocks_run_from_the_first_hour_to_the_second(now: str, running_now: bool) -> None:
    assert is_open(EVENING, at(f"2026-11-21 {now}")) is running_now


@pytest.mark.parametrize(
    ("start", "seconds", "end"),
    [
        ("2026-11-21 20:30", 60, "2026-11-21 20:31"),
        ("2026-11-21 12:00", 60, "2026-11-21 20:01"),
        ("2026-11-21 22:59", 120, "2026-11-22 20:01"),
        ("2026-11-21 23:30", 60, "2026-11-22 20:01"),
        ("2026-11-21 22:00", 3600, "2026-11-21 23:00"),
        ("2026-11-21 21:00", 6 * 3600, "2026-11-23 21:00"),
    ],
)
def test_time_is_counted_within_the_hours_only(start: str, seconds: int, end: str) -> None:
    assert from_(at(start)).run_out(EVENING, seconds) == at(end)
    assert from_(at(start)).running(EVENING, at(end)) == seconds


def test_hours_may_go_past_midnight() -> None:
    assert is_open(NIGHT, at("2026-11-21 23:30"))
    assert is_open(NIGHT, at("2026-11-22 01:30"))
    assert not is_open(NIGHT, at("2026-11-22 02:00"))
    assert from_(at("2026-11-21 23:59")).run_out(NIGHT, 120) == at("2026-11-22 00:01")
    assert NIGHT.minutes == 240


def test_the_next_change_is_the_end_or_the_beginning() -> None:
    assert from_(at("2026-11-21 20:00")).next_change(EVENING) == at("2026-11-21 23:00")
    assert from_(at("2026-11-21 23:00")).next_change(EVENING) == at("2026-11-22 20:00")


def test_hours_follow_the_zone_when_it_puts_its_clocks_forward() -> None:
    paris = Hours(20 * 60, 23 * 60, "Europe/Paris")
    saturday, sunday = at("2026-03-28 20:00", "Europe/Paris"), at("2026-03-29 20:00", "Europe/Paris")
    assert sunday - saturday == 23 * 3600
    assert from_(saturday).run_out(paris, 4 * 3600) == sunday + 3600
    assert from_(saturday).running(paris, sunday + 3600) == 4 * 3600


def test_an_evening_that_begins_in_the_hour_that_is_left_out_is_not_negative() -> None:
    odd = Hours(2 * 60 + 15, 2 * 60 + 45, "Europe/Paris")
    start = at("2026-03-28 12:00", "Europe/Paris")
    assert from_(start).running(odd, at("2026-03-30 12:00", "Europe/Paris")) == 2 * 1800


def test_hours_are_read_from_a_form() -> None:
    assert read_hours("", "", "Europe/Paris") is None
    assert read_hours("20:00", "23:30", "") == Hours(1200, 1410, "UTC")
    assert read_hours("20:00", "23:30", " Europe/Paris ") == Hours(1200, 1410, "Europe/Paris")


@pytest.mark.parametrize(
    ("opens", "closes", "zone"),
    [
        ("20:00", "", "UTC"),
        ("", "23:00", "UTC"),
        ("20:00", "20:00", "UTC"),
        ("24:00", "23:00", "UTC"),
        ("20:60", "23:00", "UTC"),
        ("8:00", "23:00", "UTC"),
        ("٢٠:00", "23:00", "UTC"),
        ("evening", "night", "UTC"),
        ("20:00", "23:00", "Mars/Olympus"),
        ("20:00", "23:00", "../../etc/passwd"),
        ("20:00", "23:00", "x" * 500),
    ],
)
def test_odd_hours_are_refused_in_words(opens: str, closes: str, zone: str) -> None:
    with pytest.raises(Refused) as caught:
        read_hours(opens, closes, zone)
    assert caught.value.sentence[0].isupper()
