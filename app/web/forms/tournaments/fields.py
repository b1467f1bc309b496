"""The fields of the form for a tournament: their words, their bounds, their steps, and which format needs them."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from markupsafe import Markup

from app.services.tournaments.conditions import MOST_GRACE, MOST_WAIT
from app.web.pages.render import HOSTED
from snug.words import gettext

QUICK, SHORTEST = "1", "shortest"
QUICKEST: Final = sorted(HOSTED, key=lambda key: HOSTED[key].minutes)
STEPS: Final = (gettext("What is played"), gettext("Who plays"), gettext("How it goes"))
LAST: Final = len(STEPS)

# What the form holds before anybody has changed it. A field whose value is a truth is a switch.
USUAL: Final[dict[str, Any]] = {
    "title": gettext("Card evening"),
    "format": "rotating",
    "games": QUICKEST[:1],
    **{f"rules_{key}": QUICK for key in HOSTED},
    "rounds": "",
    "players": "16",
    "size": "4",
    "stages": "3",
    "group_count": "4",
    "group_stages": "2",
    "group_through": "2",
    "advance": "2",
    "third_place": False,
    "team_size": "1",
    "team_score": "scramble",
    "bot_names": True,
    "first": "hand",
    "first_at": "",
    "first_count": "8",
    "zone": "",
    "starts": "done",
    "wait": "10",
    "grace": "2",
    "clock": "relaxed",
    "opens": "",
    "closes": "",
    "bot_pace": "brisk",
    "watch": "all",
    "points": "beaten",
    "counts": "all",
    "same_deal": False,
    "sit_out": "field",
    "late_until": "1",
    "drop_out": "bot",
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
# A choice is its value, what it is called, and a sentence about it, if it needs one.
CHOICES: Final[dict[str, tuple[str, tuple[tuple[str, str, str], ...]]]] = {
    "format": (
        gettext("Format"),
        (
            ("rotating", gettext("New company each stage"), gettext("People meet again as seldom as can be.")),
            ("swiss", gettext("Swiss: by standing"), gettext("You play those who stand beside you.")),
            ("knockout", gettext("Knockout by table"), gettext("The best of each table go on until the final.")),
            ("groups", gettext("Groups, then knockout"), gettext("The best of each group play a knockout.")),
            ("series", gettext("A series at one table"), gettext("One table stays together for several matches.")),
        ),
    ),
    "team_score": (
        gettext("A team scores"),
        (
            ("scramble", gettext("as its best"), ""),
            ("weakest", gettext("as its weakest"), ""),
            ("sum", gettext("the sum"), ""),
            ("mean", gettext("the mean"), ""),
        ),
    ),
    "first": (
        gettext("It begins"),
        (
            ("hand", gettext("when I say so"), gettext("You press a button when everybody is here.")),
            ("time", gettext("at a time"), gettext("People can come in before and see who is there.")),
            ("full", gettext("when enough are in"), gettext("It begins a few seconds after the last of them.")),
        ),
    ),
    "starts": (
        gettext("Stages start"),
        (
            (
                "done",
                gettext("by themselves"),
                gettext("A little after the last table is done: you need not touch anything."),
            ),
            ("time", gettext("by themselves, after a break"), gettext("So many minutes after the last table is done.")),
            ("hand", gettext("when I say so"), gettext("You close each stage and start the next one.")),
        ),
    ),
    "clock": (
        gettext("Turn clock"),
        (
            ("off", gettext("off"), ""),
            ("relaxed", gettext("relaxed, 2 minutes"), ""),
            ("brisk", gettext("brisk, 30 seconds"), ""),
            ("days", gettext("days, 2 days"), ""),
        ),
    ),
    "bot_pace": (
        gettext("Bots play"),
        (
            ("instant", gettext("at once"), ""),
            ("brisk", gettext("briskly"), ""),
            ("relaxed", gettext("like a person"), ""),
        ),
    ),
    "watch": (
        gettext("Who may watch"),
        (
            ("all", gettext("everybody"), gettext("Whoever has the link can look on at every table.")),
            ("players", gettext("those who play here"), gettext("Who has entered can look on at the other tables.")),
            ("none", gettext("nobody"), gettext("Each table is seen by those who sit there.")),
        ),
    ),
    "points": (
        gettext("Points"),
        (
            (
                "beaten",
                gettext("Share of opponents beaten"),
                gettext("From 0 to 1 at any table, whatever the game and however many sit there."),
            ),
            ("raw", gettext("The games' own points"), gettext("They are added up as they stand.")),
        ),
    ),
    "counts": (
        gettext("What decides"),
        (
            ("all", gettext("All stages together"), gettext("The points of every stage are added up.")),
            ("last", gettext("The last stage alone"), gettext("The stages before it seat it and break ties.")),
        ),
    ),
    "sit_out": (
        gettext("A stage sat out is worth"),
        (
            ("field", gettext("everybody's mean"), gettext("What those who played it got on average.")),
            ("own", gettext("one's own mean"), gettext("What one got on average in the stages before.")),
            ("fixed", gettext("nothing"), gettext("0 points: only fair where all sit out as often.")),
        ),
    ),
    "drop_out": (
        gettext("When somebody leaves"),
        (
            ("bot", gettext("a bot plays on"), gettext("The points count, and who comes back goes on.")),
            ("reserve", gettext("the reserve list"), gettext("The first of it takes the chair.")),
            ("frozen", gettext("the score is frozen"), gettext("What was won so far stays as it is.")),
        ),
    ),
}
NUMBERS: Final[dict[str, tuple[str, int, int]]] = {
    "rounds": (gettext("Rounds or deals of a match, if not as chosen above"), 1, 20),
    "players": (gettext("Places"), 2, 256),
    "size": (gettext("Players at a table"), 2, 8),
    "stages": (gettext("Stages"), 1, 20),
    "group_count": (gettext("Groups"), 2, 64),
    "group_stages": (gettext("Stages in the groups"), 1, 10),
    "group_through": (gettext("How many of a group go on"), 1, 8),
    "advance": (gettext("How many of a table go on"), 1, 5),
    "team_size": (gettext("Players in a team (1: no teams)"), 1, 8),
    "first_count": (gettext("It begins when so many are in"), 2, 256),
    "wait": (gettext("Minutes of a break"), 1, MOST_WAIT),
    "grace": (gettext("Minutes that somebody missing is waited for"), 0, MOST_GRACE),
    "late_until": (gettext("People can enter until stage"), 1, 20),
}
_STEP: Final = {
    **dict.fromkeys(("title", "format", "games", "rounds", *(f"rules_{key}" for key in HOSTED)), 1),
    **dict.fromkeys(("players", "size", "stages", "group_count", "group_stages", "group_through"), 2),
    **dict.fromkeys(("advance", "third_place", "team_size", "team_score", "bot_names"), 2),
}
_ALL_PLAY: Final = frozenset({"rotating", "swiss", "series"})  # formats that send nobody home
# Fields that some formats only have, or that only another field's value calls for.
_FORMATS: Final[dict[str, frozenset[str]]] = {
    "size": frozenset({"rotating", "swiss", "knockout", "groups"}),
    "stages": _ALL_PLAY,
    "group_count": frozenset({"groups"}),
    "group_stages": frozenset({"groups"}),
    "group_through": frozenset({"groups"}),
    "advance": frozenset({"knockout", "groups"}),
    "third_place": frozenset({"knockout", "groups"}),
    "team_size": _ALL_PLAY,
    "team_score": _ALL_PLAY,
    "points": _ALL_PLAY,
    "counts": _ALL_PLAY,
    "sit_out": _ALL_PLAY,
    "same_deal": frozenset({"rotating", "swiss", "knockout", "groups"}),
    "late_until": frozenset({"rotating", "swiss", "series", "groups"}),
}
_CALLED_FOR: Final = {"first_at": ("first", "time"), "first_count": ("first", "full"), "wait": ("starts", "time")}


def step_of(field: str) -> int:
    """The step on which a field stands, from 1."""
    return _STEP.get(field, LAST)


def is_needed(field: str, values: Mapping[str, Any]) -> bool:
    """Whether what was chosen has any use for this field."""
    if field in _CALLED_FOR:
        other, value = _CALLED_FOR[field]
        return bool(values[other] == value)
    return field not in _FORMATS or values["format"] in _FORMATS[field]


def is_of_format(field: str, values: Mapping[str, Any]) -> bool:
    """Whether the chosen format has this field."""
    return field not in _FORMATS or values["format"] in _FORMATS[field]


class Filled(msgspec.Struct, frozen=True):
    """The form as templates show it: what it holds, and which field is `wrong` and why."""

    values: dict[str, Any]
    wrong: str = ""
    error: str | None = None
    choices: ClassVar[dict[str, Any]] = CHOICES
    numbers: ClassVar[dict[str, Any]] = NUMBERS

    def has(self, field: str) -> bool:
        """Whether the chosen format has this field."""
        return is_of_format(field, self.values)

    def marks(self, field: str) -> Markup:
        """The attributes of a field's element: where it is wrong, that it is, and where it is said why."""
        if field != self.wrong:
            return Markup()
        return Markup(' aria-invalid="true" aria-describedby="wrong-{}" autofocus').format(field)
