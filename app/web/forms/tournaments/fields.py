"""The fields of the form for a tournament: what an organiser chooses of its plan is declared here, the rest with its
conditions and with the settings of every table."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from markupsafe import Markup
from msgspec import Meta

from app.services.table.settings import TableSetup
from app.services.tournaments.conditions import Conditions
from app.web.forms.clocks import HOURS
from app.web.pages.render import HOSTED
from snug.declared import Field, fields_of
from snug.tournament.order import TIE_NAMES
from snug.tournament.plan import Tie
from snug.words import gettext, gettext_noop

QUICK, SHORTEST = "1", "shortest"
QUICKEST: Final = sorted(HOSTED, key=lambda key: HOSTED[key].minutes)
STEPS: Final = (gettext("What is played"), gettext("Who plays"), gettext("How it goes"))
LAST: Final = len(STEPS)
_ALL_PLAY: Final = frozenset({"rotating", "swiss", "series"})  # formats that send nobody home
_KNOCKS_OUT: Final = frozenset({"knockout", "groups"})
_GROUPS: Final = frozenset({"groups"})
_SOME_TABLES: Final = frozenset({"rotating", "swiss", "knockout", "groups"})
_COMES_LATE: Final = frozenset({"rotating", "swiss", "series", "groups"})


class PlanFields(msgspec.Struct, frozen=True, kw_only=True):
    """What is chosen of a plan. `extra` says on which `step`, if not on the last one; which `formats` have it, if not
    all; and `of`, another field and the value of it that calls for this one."""

    format: Annotated[
        Literal["rotating", "swiss", "knockout", "groups", "series"],
        Meta(
            title=gettext_noop("Format"),
            extra={
                "words": {
                    "rotating": gettext("New company each stage"),
                    "swiss": gettext("Swiss: by standing"),
                    "knockout": gettext("Knockout by table"),
                    "groups": gettext("Groups, then knockout"),
                    "series": gettext("A series at one table"),
                },
                "sentences": {
                    "rotating": gettext_noop("People meet again as seldom as can be."),
                    "swiss": gettext_noop("You play those who stand beside you."),
                    "knockout": gettext_noop("The best of each table go on until the final."),
                    "groups": gettext_noop("The best of each group play a knockout."),
                    "series": gettext_noop("One table stays together for several matches."),
                },
                "step": 1,
            },
        ),
    ] = "rotating"
    players: Annotated[
        int,
        Meta(
            ge=2,
            le=256,
            title=gettext_noop("Places"),
            description=gettext_noop("For so many people at most; who comes later is on the reserve list."),
            extra={"typed": True, "step": 2},
        ),
    ] = 16
    size: Annotated[
        int,
        Meta(
            ge=2,
            le=8,
            title=gettext_noop("Players at a table"),
            description=gettext_noop("Tables come as near to it as the number of people and the game allow."),
            extra={"typed": True, "step": 2, "formats": _SOME_TABLES},
        ),
    ] = 4
    stages: Annotated[
        int,
        Meta(
            ge=1,
            le=20,
            title=gettext_noop("Stages"),
            description=gettext_noop("At every stage everybody plays a match."),
            extra={"typed": True, "step": 2, "formats": _ALL_PLAY},
        ),
    ] = 3
    group_count: Annotated[
        int,
        Meta(
            ge=2,
            le=64,
            title=gettext_noop("Groups"),
            description=gettext_noop("The lot puts everybody into a group."),
            extra={"typed": True, "step": 2, "formats": _GROUPS},
        ),
    ] = 4
    group_stages: Annotated[
        int,
        Meta(
            ge=1,
            le=10,
            title=gettext_noop("Stages in the groups"),
            description=gettext_noop("At each of them everybody plays a match inside the group."),
            extra={"typed": True, "step": 2, "formats": _GROUPS},
        ),
    ] = 2
    group_through: Annotated[
        int,
        Meta(
            ge=1,
            le=8,
            title=gettext_noop("How many of a group go on"),
            description=gettext_noop("The others are out when the groups have been played."),
            extra={"typed": True, "step": 2, "formats": _GROUPS},
        ),
    ] = 2
    advance: Annotated[
        int,
        Meta(
            ge=1,
            le=5,
            title=gettext_noop("How many of a table go on"),
            description=gettext_noop("Of each table in the knockout; never the whole table."),
            extra={"typed": True, "step": 2, "formats": _KNOCKS_OUT},
        ),
    ] = 2
    third_place: Annotated[
        bool,
        Meta(
            title=gettext_noop("A small final for third place"),
            description=gettext_noop("Played beside the final by those who just missed it."),
            extra={"step": 2, "formats": _KNOCKS_OUT},
        ),
    ] = False
    team_size: Annotated[
        int,
        Meta(
            ge=1,
            le=8,
            title=gettext_noop("Players in a team (1: no teams)"),
            description=gettext_noop("A team sits at different tables and shares its points."),
            extra={"typed": True, "step": 2, "formats": _ALL_PLAY},
        ),
    ] = 1
    team_score: Annotated[
        Literal["scramble", "weakest", "sum", "mean", "best"],
        Meta(
            title=gettext_noop("A team scores"),
            description=gettext_noop("Only where teams play."),
            extra={
                "words": {
                    "scramble": gettext("as its best"),
                    "weakest": gettext("as its weakest"),
                    "sum": gettext("the sum"),
                    "mean": gettext("the mean"),
                    "best": gettext("the sum of its best few"),
                },
                "step": 2,
                "formats": _ALL_PLAY,
            },
        ),
    ] = "scramble"
    team_best: Annotated[
        int,
        Meta(
            ge=1,
            le=8,
            title=gettext_noop("How many of a team count"),
            description=gettext_noop("Its best: the others score nothing for it."),
            extra={"typed": True, "step": 2, "formats": _ALL_PLAY, "of": ("team_score", "best")},
        ),
    ] = 2
    points: Annotated[
        Literal["beaten", "raw"],
        Meta(
            title=gettext_noop("Points"),
            extra={
                "words": {"beaten": gettext("Share of opponents beaten"), "raw": gettext("The games’ own points")},
                "sentences": {
                    "beaten": gettext_noop("From 0 to 1 at any table, whatever the game and however many sit there."),
                    "raw": gettext_noop("They are added up as they stand."),
                },
                "formats": _ALL_PLAY,
            },
        ),
    ] = "beaten"
    counts: Annotated[
        Literal["all", "last"],
        Meta(
            title=gettext_noop("What decides"),
            extra={
                "words": {"all": gettext("All stages together"), "last": gettext("The last stage alone")},
                "sentences": {
                    "all": gettext_noop("The points of every stage are added up."),
                    "last": gettext_noop("The stages before it seat it and break ties."),
                },
                "formats": _ALL_PLAY,
            },
        ),
    ] = "all"
    ties: Annotated[
        Tie,
        Meta(
            title=gettext_noop("Whoever is level is parted first by"),
            description=gettext_noop("The others of the list follow as they stand there."),
            extra={"words": TIE_NAMES},
        ),
    ] = "wins"
    sit_out: Annotated[
        Literal["field", "own", "fixed"],
        Meta(
            title=gettext_noop("A stage sat out is worth"),
            extra={
                "words": {
                    "field": gettext("everybody’s mean"),
                    "own": gettext("one’s own mean"),
                    "fixed": gettext("nothing"),
                },
                "sentences": {
                    "field": gettext_noop("What those who played it got on average."),
                    "own": gettext_noop("What one got on average in the stages before."),
                    "fixed": gettext_noop("0 points: only fair where all sit out as often."),
                },
                "formats": _ALL_PLAY,
            },
        ),
    ] = "field"
    missed: Annotated[
        Literal["worst", "field", "fixed"],
        Meta(
            title=gettext_noop("A stage missed is worth"),
            extra={
                "words": {
                    "worst": gettext("the worst of all"),
                    "field": gettext("everybody’s mean"),
                    "fixed": gettext("nothing"),
                },
                "sentences": {
                    "worst": gettext_noop("As much as whoever got least: who comes late wins nothing by it."),
                    "field": gettext_noop("What those who played it got on average."),
                    "fixed": gettext_noop("0 points."),
                },
                "formats": _ALL_PLAY,
            },
        ),
    ] = "worst"
    drop_out: Annotated[
        Literal["bot", "reserve", "frozen"],
        Meta(
            title=gettext_noop("When somebody leaves"),
            extra={
                "words": {
                    "bot": gettext("a bot plays on"),
                    "reserve": gettext("the reserve list"),
                    "frozen": gettext("the score is frozen"),
                },
                "sentences": {
                    "bot": gettext_noop("The points count, and who comes back goes on."),
                    "reserve": gettext_noop("The first of it takes the chair."),
                    "frozen": gettext_noop("What was won so far stays as it is."),
                },
            },
        ),
    ] = "bot"
    late_until: Annotated[
        int,
        Meta(
            ge=1,
            le=20,
            title=gettext_noop("People can enter until stage"),
            extra={"typed": True, "formats": _COMES_LATE},
        ),
    ] = 1
    same_deal: Annotated[
        bool,
        Meta(
            title=gettext_noop("The same deal at every table"),
            description=gettext_noop(
                "Seats are compared with the same seat elsewhere. Nobody can watch another table."
            ),
            extra={"formats": _SOME_TABLES},
        ),
    ] = False


FIELDS: Final[Mapping[str, Field]] = {
    field.name: field
    for kind in (PlanFields, Conditions)
    for field in fields_of(kind, {})
    if not field.extra.get("alone")
}
OF_TABLES: Final = tuple(name for name in TableSetup.__struct_fields__ if name in FIELDS)
ROUNDS: Final = gettext("Rounds or deals of a match, if not as chosen above")
MOST_ROUNDS: Final = 20


def _as_sent(field: Field) -> Any:
    return field.usual if field.kind == "switch" else str(field.usual or (0 if field.kind == "number" else ""))


# What the form holds before anybody has changed it. A field whose value is a truth is a switch.
USUAL: Final[dict[str, Any]] = {
    "title": gettext("Card evening"),
    "games": QUICKEST[:1],
    **{f"rules_{key}": QUICK for key in HOSTED},
    "rounds": "",
    **{name: _as_sent(field) for name, field in FIELDS.items() if field.kind != "hours"},
    **dict.fromkeys(HOURS, ""),
}
PRESETS: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    (gettext("New company"), gettext("Everybody meets everybody, as far as can be."), {}),
    (
        gettext("One table"),
        gettext("A series of short matches at one table."),
        {"format": "series", "players": "6", "stages": "4", "first_count": "4"},
    ),
    (gettext("Swiss"), gettext("You play those who stand beside you."), {"format": "swiss", "stages": "4"}),
    (
        gettext("Knockout"),
        gettext("The best two of each table go on."),
        {"format": "knockout", "stages": "1", "rounds": "1"},
    ),
    (gettext("Mixed"), gettext("Another game each stage."), {"games": QUICKEST[:3]}),
    (gettext("Teams of two"), gettext("Two share a score: the better one's."), {"team_size": "2"}),
    (
        gettext("Groups, then knockout"),
        gettext("First everybody plays in a group, then the best play for the win."),
        {"format": "groups"},
    ),
)
_FIRST_STEP: Final = ("title", "games", "rounds", *(f"rules_{key}" for key in HOSTED))


def step_of(name: str) -> int:
    """The step on which a field stands, from 1."""
    if name in FIELDS:
        return int(FIELDS[name].extra.get("step", LAST))
    return 1 if name in _FIRST_STEP else LAST


def is_needed(name: str, values: Mapping[str, Any]) -> bool:
    """Whether what was chosen has any use for this field."""
    other, value = FIELDS[name].extra.get("of", ("", ""))
    return is_of_format(name, values) and (not other or bool(values[other] == value))


def is_of_format(name: str, values: Mapping[str, Any]) -> bool:
    """Whether the chosen format has this field."""
    formats = FIELDS[name].extra.get("formats") if name in FIELDS else None
    return formats is None or values["format"] in formats


class Filled(msgspec.Struct, frozen=True):
    """The form as templates show it: what it holds, and which field is `wrong` and why."""

    values: dict[str, Any]
    wrong: str = ""
    error: str | None = None

    @property
    def of_tables(self) -> tuple[Field, ...]:
        """The settings of every table, as far as organisers choose them."""
        return tuple(FIELDS[name] for name in OF_TABLES)

    def of_step(self, step: int) -> tuple[str, ...]:
        """The names of the declared fields of a step."""
        return tuple(name for name in FIELDS if step_of(name) == step)

    def field(self, name: str) -> Field:
        """What is declared of a field."""
        return FIELDS[name]

    def has(self, field: str) -> bool:
        """Whether the chosen format has this field."""
        return is_of_format(field, self.values)

    def marks(self, field: str) -> Markup:
        """The attributes of a field's element: where it is wrong, that it is, and where it is said why."""
        if field != self.wrong:
            return Markup()
        return Markup(' aria-invalid="true" aria-describedby="wrong-{}" autofocus').format(field)
