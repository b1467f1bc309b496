"""What happens to a tournament, in the order it happened: its log. The only truth; everything else follows from it."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from snug.tournament.plan import Plan

Name = Annotated[str, Meta(min_length=1, max_length=64)]
Reason = Annotated[str, Meta(min_length=1, max_length=500)]
LONGEST_NEWS = 280
MOST_MINUTES = 240


class LogEvent(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """One line of the log."""


class Entered(LogEvent, frozen=True, tag="entered"):
    """Somebody signed up, as entry `entry`: the next free number, from 1; or was put on the list by the organiser, and
    has no device then. Whoever finds it full is on the reserve list, without a team."""

    entry: int
    name: Name
    team: Annotated[str, Meta(max_length=64)] = ""
    by_organiser: bool = False


class DeviceChanged(LogEvent, frozen=True, tag="device_changed"):
    """An entry that had no device is played with one from now on, or the other way round."""

    entry: int
    has_one: bool


class Withdrew(LogEvent, frozen=True, tag="withdrew"):
    """Somebody left, or was taken off the list: what becomes of the seat is the plan's drop-out policy."""

    entry: int
    by_organiser: bool = False


class Returned(LogEvent, frozen=True, tag="returned"):
    """Somebody who had left is back, from the next stage on."""

    entry: int


class Replaced(LogEvent, frozen=True, tag="replaced"):
    """The organiser gave an entry's place, and the seat at a table still playing, to somebody of the reserve list."""

    entry: int
    by: int


class Seeded(LogEvent, frozen=True, tag="seeded"):
    """The organiser put the field in this order, the best first; whoever is not in it follows by lot. Nobody: all is
    left to the lot again."""

    entries: tuple[int, ...]


class Wished(LogEvent, frozen=True, tag="wished"):
    """The organiser wants each two of these at different tables, or at one, from the next stage on, as far as can be;
    or wants nothing of them any more."""

    entries: tuple[int, ...]
    wish: Literal["apart", "together", "none"]


class StageSeated(LogEvent, frozen=True, tag="stage_seated"):
    """The next stage begins: the entries at each table in the order of their seats, and who sits out. `deal` is the
    text that all chance of the stage comes from, where the plan has the same deal at every table: keep it secret. With
    the first stage of a tournament in `groups` it is told who is in which; tables come group by group. A small final
    is the table behind the final. Those tables whose numbers are in `paper` are played with real cards: so is each at
    which somebody has no device."""

    tables: tuple[tuple[int, ...], ...]
    sitting_out: tuple[int, ...] = ()
    deal: str = ""
    groups: tuple[tuple[int, ...], ...] = ()
    paper: tuple[int, ...] = ()


class TableFinished(LogEvent, frozen=True, tag="table_finished"):
    """The match at table `table` (from 1) is over: each seat's final score and place. `source`: the room saw it played,
    one of a table on paper wrote it down, or the organiser did."""

    table: int
    scores: tuple[float, ...]
    places: tuple[int, ...]
    source: Literal["screen", "paper", "organiser"] = "screen"


class Corrected(LogEvent, frozen=True, tag="corrected"):
    """The organiser put a result right: of the current stage, or of `stage`, which is closed. What follows from that is
    computed anew, but for stages that have been seated and who went on to them."""

    table: int
    scores: tuple[float, ...]
    places: tuple[int, ...]
    reason: Reason
    stage: Annotated[int, Meta(ge=0)] = 0


class Moved(LogEvent, frozen=True, tag="moved", omit_defaults=True):
    """The organiser moved an entry to another `table` of the stage being played, or had it change places with another,
    `swap`. Whoever comes from no table gets a chair."""

    entry: int
    table: int = 0
    swap: int = 0


class Annulled(LogEvent, frozen=True, tag="annulled"):
    """What was played at a table of the stage counts for nothing, and it plays again: so the organiser decided."""

    table: int
    reason: Reason


class Reinstated(LogEvent, frozen=True, tag="reinstated"):
    """The result of a table that was annulled counts after all: it plays no more."""

    table: int


class PlayedOff(LogEvent, frozen=True, tag="played_off"):
    """Those who were level at table or group `place`, for the last place that goes on or for the first of a final,
    played one deal more: their scores and places. The same people once more: it was put down wrong."""

    place: int
    entries: tuple[int, ...]
    scores: tuple[float, ...]
    places: tuple[int, ...]


class Adjusted(LogEvent, frozen=True, tag="adjusted"):
    """The organiser gave an entry points, or took some, beside those of the stages, which stay as they are."""

    entry: int
    points: float
    reason: Reason


class LotSealed(LogEvent, frozen=True, tag="lot_sealed"):
    """Who goes on from the stage that has just begun is decided by lot among those who are level in every step; this is
    its `seal` (`engine.fairness.lot_seal`)."""

    seal: Annotated[str, Meta(min_length=64, max_length=64)]


class StageClosed(LogEvent, frozen=True, tag="stage_closed", omit_defaults=True):
    """Every table is finished: the stage is scored, for good. `lot` is the one that was sealed, if one was."""

    lot: Annotated[str, Meta(max_length=64)] = ""


class Ended(LogEvent, frozen=True, tag="ended"):
    """The organiser ended the tournament before its last stage."""

    reason: Reason


class Entrusted(LogEvent, frozen=True, tag="entrusted"):
    """The organiser handed that role to an entry, or let it help, or no longer."""

    entry: int
    role: Literal["organiser", "helper", "none"]


class SetUpChanged(LogEvent, frozen=True, tag="set_up_changed"):
    """The organiser changed what was stated, before the first stage: the plan as it is from now on, None where that
    stays; the name; which of the conditions."""

    plan: Plan | None = None
    title: Annotated[str, Meta(max_length=64)] = ""
    conditions: tuple[str, ...] = ()


class Announced(LogEvent, frozen=True, tag="announced"):
    """The organiser told everybody something, at any time: it changes nothing."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_NEWS)]


class Called(LogEvent, frozen=True, tag="called", omit_defaults=True):
    """The organiser called something out in the hall: the last deal of the stage being played, or a break of so many
    `minutes` between stages; or took back what was called last. It changes nothing."""

    what: Literal["last_deal", "break", "nothing"]
    minutes: Annotated[int, Meta(ge=1, le=MOST_MINUTES)] = 0


AnyLogEvent = (
    Entered
    | DeviceChanged
    | Withdrew
    | Returned
    | Replaced
    | Seeded
    | Wished
    | StageSeated
    | LotSealed
    | TableFinished
    | Corrected
    | Moved
    | Annulled
    | Reinstated
    | PlayedOff
    | Adjusted
    | StageClosed
    | Ended
    | Entrusted
    | SetUpChanged
    | Announced
    | Called
)
