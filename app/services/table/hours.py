"""Table hours: clocks that run in the evening only. All times are seconds since the epoch."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from app.services.errors import Refused

DAY = 24 * 60


class Hours(msgspec.Struct, frozen=True):
    """When clocks run every day, in minutes after midnight of a time zone; `closes` may be after midnight."""

    opens: int
    closes: int
    zone: str

    @property
    def minutes(self) -> int:
        """How long clocks run a day."""
        return (self.closes - self.opens) % DAY

    @property
    def opens_words(self) -> str:
        """20:00."""
        return _clock_face(self.opens)

    @property
    def closes_words(self) -> str:
        """23:00."""
        return _clock_face(self.closes)

    def __str__(self) -> str:
        """20:00–23:00 Europe/London."""
        return f"{self.opens_words}–{self.closes_words} {self.zone}"


def read_hours(opens: str, closes: str, zone: str) -> Hours | None:
    """Table hours from form texts, None where both times are empty. Raises Refused."""
    if not opens and not closes:
        return None
    hours = Hours(_minutes(opens), _minutes(closes), zone_named(zone))
    if hours.opens == hours.closes:
        raise Refused("BAD_HOURS", "Table hours begin and end at different times. Leave both empty for all day.")
    return hours


def zone_named(text: str) -> str:
    """The time zone that is meant, UTC where none is named. Raises Refused."""
    zone = text.strip() or "UTC"
    if zone != "UTC" and zone not in available_timezones():
        raise Refused("BAD_ZONE", "There is no such time zone: write it like Europe/London, or UTC.")
    return zone


def zone_of(name: str) -> tzinfo:
    """The clocks of a time zone."""
    return UTC if name == "UTC" else ZoneInfo(name)


def _clock_face(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _minutes(text: str) -> int:
    hour, _, minute = text.strip().partition(":")
    is_written = all(part.isascii() and part.isdecimal() and len(part) == 2 for part in (hour, minute))
    if not is_written or int(hour) > 23 or int(minute) > 59:
        raise Refused("BAD_HOURS", "Table hours are two times like 20:00 and 23:00.")
    return 60 * int(hour) + int(minute)


def _evenings(hours: Hours, since: float) -> Iterator[tuple[float, float]]:
    """Every stretch in which clocks run that ends after `since`, for ever."""
    zone = zone_of(hours.zone)
    day = datetime.fromtimestamp(since, zone).date() - timedelta(days=1)
    while True:
        opens = _moment(day, hours.opens, zone)
        closes = _moment(day + timedelta(days=hours.closes <= hours.opens), hours.closes, zone)
        if closes > max(opens, since):
            yield opens, closes
        day += timedelta(days=1)


def _moment(day: date, minutes: int, zone: tzinfo) -> float:
    return datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=zone).timestamp()


def is_open(hours: Hours | None, now: float) -> bool:
    """Whether clocks run now."""
    return hours is None or next(_evenings(hours, now))[0] <= now


class RoomMoment(NamedTuple):
    """A moment in room time, and as the wall clock has it."""

    room: float
    wall: float

    def later(self, seconds: float) -> "RoomMoment":
        """So many seconds later."""
        return RoomMoment(self.room + seconds, self.wall + seconds)

    def run_out(self, hours: Hours | None, seconds: float) -> float:
        """When a clock that runs from now on, in these hours of the day, has run for so long; in room time."""
        if hours is None:
            return self.room + seconds
        for opens, closes in _evenings(hours, self.wall):
            begin = max(opens, self.wall)
            if closes - begin >= seconds:
                return self.room + (begin + seconds) - self.wall
            seconds -= closes - begin
        raise AssertionError("evenings never end")

    def running(self, hours: Hours | None, end: float) -> float:
        """For how many seconds a clock runs in these hours until `end`, in room time; 0 when that is over."""
        until, total = self.wall + end - self.room, 0.0
        if hours is None:
            return max(0.0, until - self.wall)
        for opens, closes in _evenings(hours, self.wall):
            if opens >= until:
                return total
            total += min(closes, until) - max(opens, self.wall)
        raise AssertionError("evenings never end")

    def next_change(self, hours: Hours) -> float:
        """When such clocks next stop or start, in room time."""
        opens, closes = next(_evenings(hours, self.wall))
        return self.room + (opens if opens > self.wall else closes) - self.wall
