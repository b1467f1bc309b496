"""How a tournament's tables are set, and when its stages start: what its row keeps beside the plan."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.table.hours import zone_named, zone_of
from app.services.table.settings import Pace, TableSetup, described, read_setup
from app.storage import models
from snug.tournament.state import Tournament
from snug.words import gettext, gettext_noop

PAUSE = 20.0  # seconds between two stages, to look at the standings
SOON = 10.0  # seconds from the last one who was waited for to the first stage

_STARTS: Final = {
    "done": (gettext("by themselves"), gettext("A little after the last table is done: you need not touch anything.")),
    "time": (gettext("by themselves, after a break"), gettext("So many minutes after the last table is done.")),
    "hand": (gettext("when I say so"), gettext("You close each stage and start the next one.")),
}
_FIRST: Final = {
    "hand": (gettext("when I say so"), gettext("You press a button when everybody is here.")),
    "time": (gettext("at a time"), gettext("People can come in before and see who is there.")),
    "full": (gettext("when enough are in"), gettext("It begins a few seconds after the last of them.")),
}
_WATCH: Final = {
    "all": (gettext("everybody"), gettext("Whoever has the link can look on at every table.")),
    "players": (gettext("those who play here"), gettext("Who has entered can look on at the other tables.")),
    "none": (gettext("nobody"), gettext("Each table is seen by those who sit there.")),
}


class Conditions(TableSetup, frozen=True, kw_only=True):
    """Beside how every table is kept: how each stage `starts` after the first, with "time" `wait` minutes after the one
    before; what begins the `first` one: a hand, the moment `first_at` (by the wall clock, told in `zone`), or that
    `first_count` are in; `grace`: minutes after which a bot plays for who has not come to the table."""

    bot_pace: Pace = "brisk"
    starts: Annotated[
        Literal["done", "time", "hand"], described("Stages start", words=_STARTS, usual="done", code="BAD_CONDITIONS")
    ] = "hand"
    wait: Annotated[
        int, described("Minutes of a break", low=1, high=7 * 24 * 60, usual=10, code="BAD_WAIT", of=("starts", "time"))
    ] = 5
    first: Annotated[
        Literal["hand", "time", "full"],
        described("It begins", words=_FIRST, code="BAD_CONDITIONS"),
    ] = "hand"
    first_at: Annotated[float | None, described("Day and time", kind="moment", of=("first", "time"))] = None
    first_count: Annotated[
        Annotated[int, Meta(ge=2, le=256)] | None,
        described("It begins when so many are in", usual=8, code="BAD_FIRST_COUNT", of=("first", "full")),
    ] = None
    zone: Annotated[
        str, described("Time zone", gettext_noop("That of all times here, as in Europe/London."), kind="zone")
    ] = "UTC"
    grace: Annotated[
        int,
        described(
            "Minutes that somebody missing is waited for",
            gettext_noop("Then a bot plays until they come; 0: nobody is waited for so."),
            low=0,
            high=60,
            usual=2,
            code="BAD_GRACE",
        ),
    ] = 0
    watch: Annotated[
        Literal["all", "players", "none"], described("Who may watch", words=_WATCH, code="BAD_CONDITIONS")
    ] = "all"
    bot_names: Annotated[
        bool,
        described(
            "Bots have names",
            gettext_noop("Ada or Milo, instead of Bot 7. You can add bots once it is open."),
            usual=True,
            step=2,
        ),
    ] = False

    paper: Annotated[
        bool,
        described(
            "Every table plays on paper",
            gettext_noop(
                "With real cards: the seating, the sheets and the standings are here, and results are written down."
            ),
        ),
    ] = False

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
    clocks = zone_of(zone_named(zone))
    try:
        moment = datetime.strptime(words[:16], "%Y-%m-%dT%H:%M").replace(tzinfo=clocks)
    except ValueError:
        raise Refused("BAD_FIRST_AT", "Choose a day and time to begin that is still to come.") from None
    return moment.timestamp()


def moment_words(at: float, zone: str) -> str:
    """The same moment as browsers send it."""
    return datetime.fromtimestamp(at, zone_of(zone)).strftime("%Y-%m-%dT%H:%M")


def conditions_of(row: models.Tournament) -> Conditions:
    """Those that are stored."""
    return msgspec.convert(row.conditions, Conditions)


def read_conditions(given: Mapping[str, Any], places: int, now: float) -> Conditions:
    """Checked conditions of a tournament for so many. Raises Refused."""
    conditions = read_setup(given, Conditions)
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
    """The change of a tournament's row after an entry: it begins soon if nobody else is waited for."""
    return {"due_at": context.room_time() + SOON} if conditions.waits_for(tournament) == 0 else {}
