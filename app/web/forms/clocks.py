"""The turn clock in forms and in words."""

from typing import Any, Final

from app.services.table.clocks import DAYS, OFF, ClockRules
from app.services.table.hours import Hours
from app.services.table.settings import TableSetup
from snug.declared import field_of
from snug.words import Message, Plural, gettext

HOURS: Final = ("opens", "closes", "zone")
_DAYS = Plural("%(count)s day", "%(count)s days")
_UNITS = (
    (_DAYS, 86400),
    (Plural("%(count)s hour", "%(count)s hours"), 3600),
    (Plural("%(count)s minute", "%(count)s minutes"), 60),
    (Plural("%(count)s second", "%(count)s seconds"), 1),
)


def hours_texts(hours: Hours | None) -> dict[str, str]:
    """Table hours as a form shows them."""
    if hours is None:
        return dict.fromkeys(HOURS, "")
    return {"opens": hours.opens_words, "closes": hours.closes_words, "zone": hours.zone}


def clock_words(rules: ClockRules) -> tuple[str, ...]:
    """A table's clock in sentences."""
    if rules.clock == OFF:
        return (gettext("There is no turn clock."),)
    pace = field_of(TableSetup, "clock", rules.clock).words
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
    return (*sentences, gettext("Clocks run from %(opens)s to %(closes)s (%(zone)s).", **hours_texts(hours)))


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
    "clock_words": clock_words,
    "hours_texts": hours_texts,
    "duration": duration,
    "time_left": time_left,
}
