"""The turn clock in forms and in words."""

from typing import Any

from starlette.datastructures import FormData

from app.services.table.clocks import AT_ZERO, CLOCKS, DAYS, OFF, ClockRules
from app.web.deps import text

CLOCK_WORDS = dict(
    zip(
        CLOCKS,
        ("No clock", "Relaxed: 2 minutes a move", "Brisk: 30 seconds a move", "Days: 2 days a move"),
        strict=True,
    )
)
AT_ZERO_WORDS = dict(
    zip(
        AT_ZERO,
        ("A bot plays until they are back", "The room makes a harmless move", "Everybody waits"),
        strict=True,
    )
)
FIELDS = ("clock", "at_zero", "opens", "closes", "zone")
DEFAULTS = {"clock": "relaxed", "at_zero": "bot", "opens": "", "closes": "", "zone": ""}


def clock_texts(form: FormData) -> dict[str, str]:
    """The clock's fields as they were sent; what is missing has its default."""
    return {name: text(form, name, DEFAULTS[name]) for name in FIELDS}


def texts_of(rules: ClockRules) -> dict[str, str]:
    """A table's clock as a form shows it."""
    hours = rules.hours
    times = {"opens": hours.opens_words, "closes": hours.closes_words, "zone": hours.zone} if hours else {}
    return {**DEFAULTS, "clock": rules.clock, "at_zero": rules.at_zero, **times}


def clock_words(rules: ClockRules) -> tuple[str, ...]:
    """A table's clock in sentences."""
    if rules.clock == OFF:
        return ("There is no turn clock.",)
    pace = CLOCK_WORDS[rules.clock]
    if rules.hours and rules.clock == DAYS:
        pace = "Days: 2 evenings a move"
    ends = {
        "bot": "When time is up, a bot plays on until the player is back.",
        "move": "When time is up, the room makes a harmless move.",
        "wait": "When time is up, everybody waits; a host may help on.",
    }
    sentences = (f"{pace}.", ends[rules.at_zero])
    return (*sentences, f"Clocks run from {rules.hours.words}.") if rules.hours else sentences


def duration(seconds: float) -> str:
    """A stretch of time in round words: 20 seconds, 1 minute, 3 hours, 1 day."""
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            count = round(seconds / size)
            return f"{count} {name}" if count == 1 else f"{count} {name}s"
    return f"{round(seconds)} seconds"


def time_left(seconds: int) -> str:
    """What a clock shows: `1:05`, hours from two on, days from two on."""
    if seconds >= 2 * 86400:
        return f"{seconds // 86400} days"
    return f"{seconds // 3600} h" if seconds >= 2 * 3600 else f"{seconds // 60}:{seconds % 60:02d}"


HELPERS: dict[str, Any] = {
    "clock_choices": list(CLOCK_WORDS.items()),
    "at_zero_choices": list(AT_ZERO_WORDS.items()),
    "clock_words": clock_words,
    "clock_texts": texts_of,
    "duration": duration,
    "time_left": time_left,
}
