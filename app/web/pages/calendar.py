"""Dates for people's calendars (RFC 5545)."""

from datetime import UTC, datetime

_LONGEST = 73  # bytes of a line, which goes on in the next


def calendar_of(title: str, start: float, minutes: int, url: str, uid: str, changed_at: float) -> str:
    """A calendar file with one event, from `start` (seconds since the epoch) on; one with the same `uid` that was
    `changed_at` later takes its place. It reminds an hour before."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Snug//EN",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{_moment(changed_at)}",
        f"SEQUENCE:{max(0, int(changed_at) - 1_600_000_000)}",
        f"DTSTART:{_moment(start)}",
        f"DTEND:{_moment(start + 60 * minutes)}",
        f"SUMMARY:{_escaped(title)}",
        f"URL:{url}",
        f"DESCRIPTION:{_escaped(url)}",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_escaped(title)}",
        "TRIGGER:-PT1H",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(words: str) -> str:
    for sign in "\\;,":
        words = words.replace(sign, f"\\{sign}")
    return words.replace("\n", "\\n")


def _folded(line: str) -> str:
    parts = [""]
    for character in line:
        if len((parts[-1] + character).encode()) > _LONGEST:
            parts.append("")
        parts[-1] += character
    return "\r\n ".join(parts)
