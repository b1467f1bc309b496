"""Calendar files (RFC 5545): one event, for whatever people keep their dates in."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

MIME: Final = "text/calendar; charset=utf-8"
_LONGEST: Final = 75  # octets of a line, after which it is folded
_ESCAPED: Final = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


def calendar_of(title: str, start: float, minutes: int, url: str, uid: str, changed_at: float) -> str:
    """An event that begins at `start` (seconds since the epoch) and was last changed at `changed_at`. The same `uid`
    is the same event: a newer file of it takes the older one's place."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Snug//Snug//EN",
        "CALSCALE:GREGORIAN",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{_stamp(changed_at)}",
        f"LAST-MODIFIED:{_stamp(changed_at)}",
        f"DTSTART:{_stamp(start)}",
        f"DTEND:{_stamp(start + 60 * minutes)}",
        f"SUMMARY:{title.translate(_ESCAPED)}",
        f"LOCATION:{url.translate(_ESCAPED)}",
        f"URL:{url}",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _stamp(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y%m%dT%H%M%SZ")


def _folded(line: str) -> Iterator[str]:
    """The line in parts that are short enough, each but the first after a space; no character is cut."""
    part, octets = "", 0
    for character in line:
        size = len(character.encode())
        if octets + size > _LONGEST:
            yield part
            part, octets = " ", 1
        part += character
        octets += size
    yield part
