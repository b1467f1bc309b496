"""Calendar files: what a calendar reads from their lines."""

from app.web.calendar import calendar_of

START = 1_795_806_000.0  # Friday 27 November 2026, 19:00 UTC


def unfolded(text: str) -> dict[str, str]:
    """The properties of the event by name, as RFC 5545 says that a file is read."""
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    lines = text.replace("\r\n ", "").split("\r\n")[:-1]
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    event = lines[lines.index("BEGIN:VEVENT") + 1 : lines.index("END:VEVENT")]
    properties = dict(line.split(":", 1) for line in event)
    assert len(properties) == len(event)
    return properties


def test_an_evening_is_an_event_in_universal_time() -> None:
    event = unfolded(calendar_of("Friday cup", START, 90, "https://snug.example/tournaments/x", "x@snug", START - 60))
    assert event == {
        "UID": "x@snug",
        "DTSTAMP": "20261127T185900Z",
        "LAST-MODIFIED": "20261127T185900Z",
        "DTSTART": "20261127T190000Z",
        "DTEND": "20261127T203000Z",
        "SUMMARY": "Friday cup",
        "LOCATION": "https://snug.example/tournaments/x",
        "URL": "https://snug.example/tournaments/x",
    }


def test_signs_of_the_format_in_a_title_are_only_signs() -> None:
    event = unfolded(calendar_of("a;b,c\\d\nEND:VEVENT", START, 1, "https://snug.example/", "x", START))
    assert event["SUMMARY"] == "a\\;b\\,c\\\\d\\nEND:VEVENT"


def test_long_lines_are_folded_between_characters() -> None:
    title = "Bär🂡" * 40
    assert unfolded(calendar_of(title, START, 1, "https://snug.example/", "x", START))["SUMMARY"] == title
