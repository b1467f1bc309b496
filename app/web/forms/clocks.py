"""The turn clock in forms and in words."""

from typing import Any

from starlette.datastructures import FormData

from app.services.table.clocks import AT_ZERO, CLOCKS, DAYS, OFF, ClockRules
from app.web.deps import text
from snug.words import Message, Plural, gettext

CLOCK_WORDS = dict(
    zip(
        CLOCKS,
        (
            gettext("No clock"),
            gettext("Relaxed: 2 minutes a move"),
            gettext("Brisk: 30 seconds a move"),
            gettext("Days: 2 days a move"),
        ),
        strict=True,
    )
)
AT_ZERO_WORDS = dict(
    zip(
        AT_ZERO,
        (
            gettext("A bot plays until they are back"),
            gettext("The room makes a harmless move"),
            gettext("Everybody waits"),
        ),
        strict=True,
    )
)
_DAYS = Plural("%(count)s day", "%(count)s days")
_UNITS = (
    (_DAYS, 86400),
    (Plural("%(count)s hour", "%(count)s hours"), 3600),
    (Plural("%(count)s minute", "%(count)s minutes"), 60),
    (Plural("%(count)s second", "%(count)s seconds"), 1),
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
        return (gettext("There is no turn clock."),)
    pace = CLOCK_WORDS[rules.clock]
    if rules.hours and rules.clock == DAYS:
        pace = gettext("Days: 2 evenings a move")
    ends = {
        "bot": gettext("When time is up, a bot plays on until the player is back."),
        "move": gettext("When time is up, the room makes a harmless move."),
        "wait": gettext("When time is up, everybody waits; a host may help on."),
    }
    sentences = (gettext("%(pace)s.", pace=pace), ends[rules.at_zero])
    hours = rules.hours
    if hours is None:
        return sentences
    times = {"opens": hours.opens_words, "closes": hours.closes_words, "zone": hours.zone}
    return (*sentences, gettext("Clocks run from %(opens)s to %(closes)s (%(zone)s).", **times))


def duration(seconds: float) -> Message:
    """A stretch of time in round words: 20 seconds, 1 minute, 3 hours, 1 day."""
    words, size = next(((words, size) for words, size in _UNITS if seconds >= size), _UNITS[-1])
    return words(round(seconds / size))


def time_left(seconds: int) -> str:
    """What a clock shows: `1:05`, hours from two on, days from two on."""
    if seconds >= 2 * 86400:
        return _DAYS(seconds // 86400)
    if seconds >= 2 * 3600:
        return gettext("%(hours)s h", hours=seconds // 3600)
    return f"{seconds // 60}:{seconds % 60:02d}"


HELPERS: dict[str, Any] = {
    "clock_choices": list(CLOCK_WORDS.items()),
    "at_zero_choices": list(AT_ZERO_WORDS.items()),
    "clock_words": clock_words,
    "clock_texts": texts_of,
    "duration": duration,
    "time_left": time_left,
}
