"""The fields of the form for a tournament: what an organiser chooses of its plan is declared here, the rest with its
conditions and with the settings of every table."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from markupsafe import Markup

from app.services.table.settings import TableSetup
from app.services.tournaments.conditions import Conditions
from app.web.deps import whole
from app.web.forms.clocks import HOURS
from app.web.pages.render import HOSTED
from snug.declared import Field, Words, fields_of, worded
from snug.tournament.order import TIE_NAMES
from snug.tournament.plan import PaperGame
from snug.words import Message, gettext, gettext_noop

QUICK, SHORTEST = "1", "shortest"
ANOTHER: Final = "another-game"  # as no game's key is written
QUICKEST: Final = sorted(HOSTED, key=lambda key: HOSTED[key].minutes)
STEPS: Final = (gettext("What is played"), gettext("Who plays"), gettext("How it goes"))
LAST: Final = len(STEPS)
Formats = frozenset[str] | None
_SO_LONG: Final = frozenset({"rotating", "swiss", "series"})  # formats of so many stages as is said
_ALL_PLAY: Final = _SO_LONG | {"round_robin"}  # formats that send nobody home
_BEST_GO_ON: Final = frozenset({"knockout", "groups"})
_KNOCKS_OUT: Final = _BEST_GO_ON | {"double_elimination"}
_GROUPS: Final = frozenset({"groups"})
_SOME_TABLES: Final = frozenset({"rotating", "swiss", "round_robin", "knockout", "groups"})
_COMES_LATE: Final = frozenset({"rotating", "swiss", "series", "groups"})


def _number(
    name: str, title: str, low: int, high: int, usual: int, formats: Formats = None, step: int = 2, **of: str
) -> Field:
    """`of`: another field, and the value of it that calls for this one."""
    extra = {"step": step, "formats": formats, "of": next(iter(of.items()), None)}
    return Field(name, title, _ABOUT.get(name, ""), "number", usual, usual, usual, low, high, extra=extra)


def _switch(name: str, title: str, formats: Formats, step: int) -> Field:
    extra = {"step": step, "formats": formats}
    return Field(name, title, _ABOUT.get(name, ""), "switch", False, False, False, extra=extra)


def _choice(name: str, title: str, words: Words, formats: Formats = None, step: int = LAST) -> Field:
    """The first of them is the usual one."""
    usual, extra = next(iter(words)), {"step": step, "formats": formats, "words": words}
    about = _ABOUT.get(name, "")
    return Field(name, title, about, "choice", usual, usual, usual, choices=tuple(worded(words)), extra=extra)


_ABOUT: Final = {
    "players": gettext_noop("For so many people at most; who comes later is on the reserve list."),
    "size": gettext_noop("Tables come as near to it as the number of people and the game allow."),
    "stages": gettext_noop("At every stage everybody plays a match."),
    "group_count": gettext_noop("The lot puts everybody into a group."),
    "group_stages": gettext_noop("At each of them everybody plays a match inside the group."),
    "group_through": gettext_noop("The others are out when the groups have been played."),
    "advance": gettext_noop("Of each table in the knockout; never the whole table."),
    "third_place": gettext_noop(
        "For those who just missed it: for third place, or for fifth where the final seats four."
    ),
    "team_size": gettext_noop("A team sits at different tables and shares its points."),
    "team_score": gettext_noop("Only where teams play."),
    "team_best": gettext_noop("Its best: the others score nothing for it."),
    "ties": gettext_noop("The others of the list follow as they stand there."),
    "same_deal": gettext_noop("Seats are compared with the same seat elsewhere. Nobody can watch another table."),
}
_FORMATS: Final = {
    "rotating": (gettext("Meet everybody: other people each stage"), gettext("People meet again as seldom as can be.")),
    "swiss": (gettext("Swiss: by standing"), gettext("You play those who stand beside you.")),
    "round_robin": (gettext("Everybody meets everybody"), gettext("As many stages as it takes.")),
    "knockout": (gettext("Knockout by table"), gettext("The best of each table go on until the final.")),
    "double_elimination": (gettext("Double elimination"), gettext("At tables of two: who has lost twice is out.")),
    "groups": (gettext("Groups, then knockout"), gettext("The best of each group play a knockout.")),
    "series": (gettext("A series at one table"), gettext("One table stays together for several matches.")),
}
_TEAM_SCORES: Final = {
    "scramble": gettext("as its best"),
    "weakest": gettext("as its weakest"),
    "sum": gettext("the sum"),
    "mean": gettext("the mean"),
    "best": gettext("the sum of its best few"),
}
_POINTS: Final = {
    "beaten": (
        gettext("Share of opponents beaten"),
        gettext("From 0 to 1 at any table, whatever the game and however many sit there."),
    ),
    "raw": (gettext("The games’ own points"), gettext("They are added up as they stand.")),
}
_COUNTS: Final = {
    "all": (gettext("All stages together"), gettext("The points of every stage are added up.")),
    "last": (gettext("The last stage alone"), gettext("The stages before it seat it and break ties.")),
}
_FIELD: Final = gettext("everybody’s mean")
_SIT_OUT: Final = {
    "field": (_FIELD, gettext("What those who played it got on average.")),
    "own": (gettext("one’s own mean"), gettext("What one got on average in the stages before.")),
    "fixed": (gettext("nothing"), gettext("0 points: only fair where all sit out as often.")),
}
_MISSED: Final = {
    "worst": (gettext("the worst of all"), gettext("As much as whoever got least: who comes late wins nothing by it.")),
    "field": (_FIELD, gettext("What those who played it got on average.")),
    "fixed": (gettext("nothing"), gettext("0 points.")),
}
_CUT: Final = {
    "standings": (gettext("by the stages before"), gettext("Then by a lot that is sealed before and told after.")),
    "play_off": (
        gettext("one deal more"),
        gettext("Also for the first place of the final; you write down how it ended."),
    ),
    "lot": (gettext("the lot"), gettext("Sealed before the stage, told after it.")),
    "shared": (gettext("all of them go on"), gettext("The next stage is as much bigger.")),
}
_DROP_OUT: Final = {
    "bot": (gettext("a bot plays on"), gettext("The points count, and who comes back goes on.")),
    "reserve": (gettext("the reserve list"), gettext("The first of it takes the chair.")),
    "frozen": (gettext("the score is frozen"), gettext("What was won so far stays as it is.")),
}
# What is chosen of a plan, and for which formats, if not for all.
PLAN_FIELDS: Final = (
    _choice("format", gettext("Format"), _FORMATS, step=1),
    _number("players", gettext("Places"), 2, 256, 16),
    _number("size", gettext("Players at a table"), 2, 8, 4, _SOME_TABLES),
    _number("stages", gettext("Stages"), 1, 20, 3, _SO_LONG),
    _number("group_count", gettext("Groups"), 2, 64, 4, _GROUPS),
    _number("group_stages", gettext("Stages in the groups"), 1, 10, 2, _GROUPS),
    _number("group_through", gettext("How many of a group go on"), 1, 8, 2, _GROUPS),
    _number("advance", gettext("How many of a table go on"), 1, 5, 2, _BEST_GO_ON),
    _switch("third_place", gettext("A small final beside the final"), _BEST_GO_ON, step=2),
    _number("team_size", gettext("Players in a team (1: no teams)"), 1, 8, 1, _SO_LONG),
    _choice("team_score", gettext("A team scores"), _TEAM_SCORES, _SO_LONG, step=2),
    _number("team_best", gettext("How many of a team count"), 1, 8, 2, _SO_LONG, team_score="best"),
    _choice("points", gettext("Points"), _POINTS, _ALL_PLAY),
    _choice("counts", gettext("What decides"), _COUNTS, _SO_LONG),
    _choice("ties", gettext("Whoever is level is parted first by"), TIE_NAMES),
    _choice("cut", gettext("Level for the last place that goes on"), _CUT, _KNOCKS_OUT),
    _choice("sit_out", gettext("A stage sat out is worth"), _SIT_OUT, _ALL_PLAY),
    _choice("missed", gettext("A stage missed is worth"), _MISSED, _ALL_PLAY),
    _choice("drop_out", gettext("When somebody leaves"), _DROP_OUT),
    _number("late_until", gettext("People can enter until stage"), 1, 20, 2, _COMES_LATE, step=LAST),
    _switch("same_deal", gettext("The same deal at every table"), _SOME_TABLES | _KNOCKS_OUT, step=LAST),
)
_OF_ANOTHER: Final = tuple(
    msgspec.structs.replace(field, name=f"another_{field.name}", extra={"step": 1, "of": ("games", ANOTHER)})
    for field in fields_of(PaperGame, {})
)
FIELDS: Final[Mapping[str, Field]] = {
    field.name: field
    for field in (*_OF_ANOTHER, *PLAN_FIELDS, *fields_of(Conditions, {}))
    if not field.extra.get("alone")
}
OF_TABLES: Final = tuple(name for name in TableSetup.__struct_fields__ if name in FIELDS)
_OF_SCREENS: Final = frozenset({*OF_TABLES, "paper", "grace", "watch", "bot_names"})  # no use for these on paper
ROUNDS: Final = gettext("Rounds of a match")
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
    (gettext("Meet everybody"), gettext("Each stage seats you with new people, if possible."), {}),
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
    (gettext("Groups, then knockout"), gettext("The best of each group play a knockout."), {"format": "groups"}),
    (gettext("Same cards"), gettext("Every table gets the same deal."), {"same_deal": True}),
    (
        gettext("Round robin"),
        gettext("Everybody meets everybody else."),
        {"format": "round_robin", "players": "8", "size": "2"},
    ),
    (
        gettext("Double elimination"),
        gettext("Who loses once can still win."),
        {"format": "double_elimination", "players": "8"},
    ),
)


def preset_of(values: Mapping[str, Any]) -> int:
    """The preset that is nearest to what the form holds, among those of its format."""

    def alike(number: int) -> tuple[bool, int]:
        usual = {**USUAL, **PRESETS[number][2]}
        return usual["format"] == values["format"], sum(values[name] == value for name, value in usual.items())

    return max(range(len(PRESETS)), key=alike)


PEOPLE: Final = (4, 8, 16, 32)  # as many as is offered at a tap, beside any other number that was chosen
SHORT: Final = ("players", "stages", "name")  # what the first step asks already, so that it can be the only one
_FIRST_STEP: Final = ("title", "games", "rounds", *(f"rules_{key}" for key in HOSTED))


def step_of(name: str) -> int:
    """The step on which a field stands, from 1."""
    if name in FIELDS:
        return int(FIELDS[name].extra.get("step", LAST))
    return 1 if name in _FIRST_STEP else LAST


def is_on_step(name: str, step: int, values: Mapping[str, Any]) -> bool:
    """Whether a step of the form has this field: those that the first one asks already stand on two."""
    return step_of(name) == step or (step == 1 and name in SHORT and is_asked(name, values))


def is_needed(name: str, values: Mapping[str, Any]) -> bool:
    """Whether what was chosen has any use for this field."""
    other, value = FIELDS[name].extra.get("of") or ("", "")
    chosen = values[other] if other else value
    return is_asked(name, values) and (value in chosen if isinstance(chosen, list) else value == chosen)


def is_asked(name: str, values: Mapping[str, Any]) -> bool:
    """Whether the form has this field for the chosen format and games."""
    if (name == "same_deal" and ANOTHER in values["games"]) or (name in _OF_SCREENS and values["games"] == [ANOTHER]):
        return False
    formats = FIELDS[name].extra.get("formats") if name in FIELDS else None
    return formats is None or values["format"] in formats


def is_offered(name: str, choice: str, values: Mapping[str, Any]) -> bool:
    """Whether what was chosen leaves this choice of a field: no bot plays on paper."""
    return (name, choice) != ("drop_out", "bot") or not (ANOTHER in values["games"] or values["paper"])


class Filled(msgspec.Struct, frozen=True):
    """The form as templates show it: what it holds, which fields are `wrong`, and an `error` of none of them."""

    values: dict[str, Any]
    wrong: dict[str, Message] = {}
    error: Message | None = None

    @property
    def people(self) -> tuple[int, ...]:
        """How many people are offered at a tap, in order."""
        chosen = whole(self.values["players"])
        return tuple(sorted({*PEOPLE, chosen} if chosen > 0 else PEOPLE))

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
        """Whether the form has this field for what was chosen."""
        return is_asked(field, self.values)

    def offers(self, field: str, choice: str) -> bool:
        """Whether what was chosen leaves this choice."""
        return is_offered(field, choice, self.values)

    def is_wrong(self, *names: str) -> bool:
        """Whether one of these fields is."""
        return not self.wrong.keys().isdisjoint(names)

    def marks(self, field: str) -> Markup:
        """The attributes of a field's element: where it is wrong, that it is, and where it is said why."""
        if field not in self.wrong:
            return Markup()
        first = " autofocus" if field == next(iter(self.wrong)) else ""
        return Markup(' aria-invalid="true" aria-describedby="wrong-{}"{}').format(field, first)
