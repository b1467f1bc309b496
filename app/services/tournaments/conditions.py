"""How a tournament's tables are set, and when its stages start: what its row keeps beside the plan."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.table.clocks import BOT, CLOCKS, OFF, PACES, ClockRules
from app.services.table.hours import Hours
from app.storage import models
from snug.tournament.state import Tournament

STARTS = ("hand", "done", "time")
FIRST = ("hand", "time", "full")
WATCH = ("all", "players", "none")
PAUSE = 20.0  # seconds between two stages, to look at the standings
SOON = 10.0  # seconds from the last one who was waited for to the first stage
MOST_WAIT = 7 * 24 * 60
MOST_GRACE = 60


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """`starts`: how each stage after the first starts, with "time" `wait` minutes after the one before. `first`: when
    the first one does: by hand, at `first_at` (by the wall clock, told in `zone`), or when `first_count` are in.
    `grace`: minutes after which a bot plays for who has not come to the table. `hours`: those of every table. `watch`:
    who may look on."""

    starts: str = "hand"
    wait: int = 5
    bot_pace: str = "brisk"
    clock: str = OFF
    first: str = "hand"
    first_at: float | None = None
    first_count: int | None = None
    zone: str = "UTC"
    grace: int = 0
    hours: Hours | None = None
    watch: str = "all"
    bot_names: bool = False

    @property
    def table_clock(self) -> ClockRules:
        """The clock of every table."""
        return ClockRules(self.clock, BOT, self.hours)

    @property
    def pause(self) -> float | None:
        """Seconds between two stages; None where the organiser starts them."""
        return {"hand": None, "done": PAUSE, "time": 60.0 * self.wait}[self.starts]

    def waits_for(self, tournament: Tournament) -> int | None:
        """How many more have to enter before it begins by itself; None where it does not."""
        if self.first != "full" or self.first_count is None or tournament.stages or tournament.over:
            return None
        return max(0, self.first_count - len(tournament.active))


def read_moment(words: str, zone: str) -> float:
    """Seconds since the epoch of a day and time as browsers send it, by the clocks of a time zone. Raises Refused."""
    if zone != "UTC" and zone not in available_timezones():
        raise Refused("BAD_ZONE", "There is no such time zone: write it like Europe/London, or UTC.")
    try:
        moment = datetime.strptime(words[:16], "%Y-%m-%dT%H:%M").replace(tzinfo=_zone(zone))
    except ValueError:
        raise Refused("BAD_FIRST_AT", "Choose a day and time to begin that is still to come.") from None
    return moment.timestamp()


def moment_words(at: float, zone: str) -> str:
    """The same moment as browsers send it."""
    return datetime.fromtimestamp(at, _zone(zone)).strftime("%Y-%m-%dT%H:%M")


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def conditions_of(row: models.Tournament) -> Conditions:
    """Those that are stored."""
    return msgspec.convert(row.conditions, Conditions)


def read_conditions(given: Mapping[str, Any], places: int, now: float) -> Conditions:
    """Checked conditions of a tournament for so many. Raises Refused."""
    conditions = Conditions(**given)
    if conditions.starts not in STARTS or conditions.bot_pace not in PACES or conditions.clock not in CLOCKS:
        raise Refused("BAD_CONDITIONS", "Choose how stages start, how fast bots play and the clock from the lists.")
    if conditions.first not in FIRST or conditions.watch not in WATCH:
        raise Refused("BAD_CONDITIONS", "Choose what begins the tournament and who may watch from the lists.")
    if not 1 <= conditions.wait <= MOST_WAIT:
        raise Refused("BAD_WAIT", "A stage can be awaited from 1 to %(most)s minutes.", most=MOST_WAIT)
    if not 0 <= conditions.grace <= MOST_GRACE:
        raise Refused("BAD_GRACE", "Somebody missing can be waited for up to %(most)s minutes.", most=MOST_GRACE)
    if conditions.first == "time" and (conditions.first_at is None or conditions.first_at <= now):
        raise Refused("BAD_FIRST_AT", "Choose a day and time to begin that is still to come.")
    if conditions.first == "full" and not 2 <= (conditions.first_count or 0) <= places:
        raise Refused(
            "BAD_FIRST_COUNT", "It can begin by itself with 2 to %(places)s people, as many as places.", places=places
        )
    return conditions


def first_due(context: AppContext, conditions: Conditions) -> float | None:
    """When, in room time, the first stage starts by the wall clock; None where it does not."""
    if conditions.first != "time" or conditions.first_at is None:
        return None
    return context.room_time() + max(0.0, conditions.first_at - context.now())


def due_when_full(context: AppContext, conditions: Conditions, tournament: Tournament) -> dict[str, float]:
    """The change of a tournament's row after somebody has entered: it begins soon if that was the last one who was
    waited for."""
    return {"due_at": context.room_time() + SOON} if conditions.waits_for(tournament) == 0 else {}
