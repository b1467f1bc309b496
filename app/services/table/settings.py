"""Every setting of a table, each declared once: its title, its choices and their words, its default, who may change it.

Forms, what a change says, house rules, tournaments and what is stored all follow from `TableSetup`. Beside what
`snug.declared` knows, `extra` says here: `host`, that only the host changes it, no co-host; `alone`, that tournaments
do not offer it; `trait`, what a game must have for it; `clock`, that it matters only where a turn clock runs.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from app.services.errors import Refused
from app.services.table.hours import Hours, read_hours
from app.storage import models
from snug.declared import Unreadable, read
from snug.words import gettext, gettext_noop

MOVES_STAND: Final = "off"
OFF: Final = "off"
FREE: Final = "free"


def described(title: str, meaning: str = "", *, low: int | None = None, high: int | None = None, **extra: Any) -> Meta:
    """A setting, beside its type: its name, its meaning, a number's bounds, and what `snug.declared` knows besides."""
    return Meta(ge=low, le=high, title=title, description=meaning or None, extra=extra)


Pace = Annotated[
    Literal["instant", "brisk", "relaxed"],
    described(
        "Bots play",
        words={"instant": gettext("At once"), "brisk": gettext("Brisk"), "relaxed": gettext("Like a person")},
        code="BAD_PACE",
    ),
]


class TableSetup(msgspec.Struct, frozen=True, kw_only=True):
    """How a table is kept. What is left out is as in rooms that did not know of it."""

    bot_pace: Pace = "relaxed"
    clock: Annotated[
        Literal["off", "relaxed", "brisk", "days"],
        described(
            "Turn clock",
            words={
                "off": gettext("No clock"),
                "relaxed": gettext("Relaxed: 2 minutes a move"),
                "brisk": gettext("Brisk: 30 seconds a move"),
                "days": gettext("Days: 2 days a move"),
            },
            usual="relaxed",
            code="BAD_CLOCK",
        ),
    ] = "off"
    at_zero: Annotated[
        Literal["bot", "move", "wait"],
        described(
            "When time is up",
            gettext_noop(
                "A harmless move is the game’s own: passing, drawing, laying nothing. Whoever needs more time can ask "
                "for it three times between two deals."
            ),
            words={
                "bot": gettext("A bot plays until they are back"),
                "move": gettext("The room makes a harmless move"),
                "wait": gettext("Everybody waits"),
            },
            code="BAD_CLOCK",
            alone=True,
            clock=True,
        ),
    ] = "bot"
    hours: Annotated[
        Hours | None,
        described(
            "Table hours",
            gettext_noop("Outside these hours all clocks stand. Leave both times empty for all day."),
            kind="hours",
            none=gettext_noop("all day"),
            code="BAD_HOURS",
            clock=True,
        ),
    ] = None
    undo: Annotated[
        Literal["off", "free", "vote"],
        described(
            "Taking moves back",
            gettext_noop("Everybody reads in the log what was taken back. Bots always agree."),
            words={
                "off": gettext("Moves stand"),
                "free": gettext("Once, until the next move or a card is shown"),
                "vote": gettext("If everybody agrees"),
            },
            code="BAD_UNDO",
            alone=True,
        ),
    ] = "off"
    way_back: Annotated[
        bool,
        described(
            "A moment to take back a discard",
            gettext_noop(
                "A card that one tap throws away lies for a second before anybody sees it, and a tap takes it back. "
                "Not where a clock is nearly out, or moves can be taken back freely."
            ),
            trait="has_way_back",
            alone=True,
        ),
    ] = True
    hints: Annotated[
        bool,
        described(
            "Hints",
            gettext_noop("Whoever is to play may ask what a sharp player would do. Nobody else learns of it."),
            trait="has_imagination",
            alone=True,
        ),
    ] = False
    watchers: Annotated[
        Literal["none", "open", "after", "delayed"],
        described(
            "Onlookers see",
            gettext_noop(
                "Whoever has the link but no seat may watch. They never see hidden cards while a %(round)s is played."
            ),
            words={
                "none": gettext("Nothing"),
                "open": gettext("What lies face up"),
                "after": gettext("All cards, afterwards"),
                "delayed": gettext("What lies face up, one deal late"),
            },
            code="BAD_WATCHERS",
            alone=True,
        ),
    ] = "open"
    talk: Annotated[
        Literal["off", "phrases", "free"],
        described(
            "Talk at the table",
            gettext_noop("You can change this while you play."),
            words={"off": gettext("No talk"), "phrases": gettext("Quick phrases"), "free": gettext("Free talk")},
            code="BAD_TALK",
            alone=True,
            host=True,
        ),
    ] = "free"
    watchers_talk: Annotated[
        bool, described("Onlookers may talk", gettext_noop("What they say is marked as theirs."), alone=True, host=True)
    ] = False


SILENT: Final = TableSetup(talk=OFF)  # of what is shown and not played
Kind = TypeVar("Kind", bound=TableSetup)


def read_setup(given: Mapping[str, Any], kind: type[Kind]) -> Kind:
    """Settings from form texts, the hours as `opens`, `closes` and `zone`, or from plain data; what is left out has its
    default. Raises Refused."""
    if "opens" in given:
        hours = read_hours(given["opens"], given["closes"], given["zone"])
        given = {**given, "hours": msgspec.to_builtins(hours)}
    try:
        return read(kind, given, strict=False)
    except Unreadable as error:
        raise Refused(error.code or "BAD_SETTING", error.sentence) from error


def setup_of(table: models.Table) -> TableSetup:
    """The settings of a stored table."""
    return msgspec.convert(table.settings, TableSetup)


def stored(setup: TableSetup) -> dict[str, Any]:
    """The same as a table keeps them, whoever's they were."""
    kept = {name: getattr(setup, name) for name in TableSetup.__struct_fields__}
    plain: dict[str, Any] = msgspec.to_builtins(kept)
    return plain


def changed(table: models.Table, **values: Any) -> dict[str, Any]:
    """What changes in a table's row when these settings do. Raises Refused for what cannot be."""
    return {"settings": stored(read_setup({**table.settings, **values}, TableSetup))}
