"""A table's set-up as a form, as a form sends it, and what was changed of it in words."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.datastructures import FormData

from app.services.play.takeback import RULES
from app.services.seats.setup import Setup
from app.services.seats.spectators import OPEN, POLICIES
from app.services.table.clocks import clock_of_columns, read_clock
from app.services.table.settings import MODES
from app.web.deps import number, text
from app.web.forms import clocks
from app.web.forms.options import fields_of
from snug.engine.game import Game
from snug.words import Message, gettext

PACE_WORDS: Final = {"instant": gettext("At once"), "brisk": gettext("Brisk"), "relaxed": gettext("Like a person")}
_KEPT: Final = ("seats", "bot_pace", "watchers", "talk", "watchers_talk", "undo", "hints", *clocks.FIELDS)
_OF_THE_PAGE: Final = ("game", "seen", "name", "match")
_DEFAULTS: Final = {
    "seats": 3,
    "bot_pace": "relaxed",
    "watchers": OPEN,
    "talk": "free",
    "watchers_talk": False,
    "undo": "off",
    "hints": False,
}
_CHOICES: Final[dict[str, tuple[Message, Mapping[str, Message]]]] = {
    "bot_pace": (gettext("Bots play"), PACE_WORDS),
    "clock": (gettext("Turn clock"), clocks.CLOCK_WORDS),
    "at_zero": (gettext("When time is up"), clocks.AT_ZERO_WORDS),
    "undo": (gettext("Taking moves back"), RULES),
    "watchers": (gettext("Onlookers see"), POLICIES),
    "talk": (gettext("Talk at the table"), MODES),
}
_SWITCHES: Final = {"watchers_talk": gettext("Onlookers may talk"), "hints": gettext("Hints")}


def values_of(kept: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a form shows: the columns of a table, as far as they are known, and its options."""
    clock = clocks.texts_of(clock_of_columns(kept)) if "clock" in kept else clocks.DEFAULTS
    return {**_DEFAULTS, **kept, **clock, **options}


def sent(game: Game[Any], form: FormData) -> dict[str, Any]:
    """The same as it was sent; what the form never offered is the game's default."""
    shown: dict[str, Any] = {**_kept(form), **_options(form)}
    for field in fields_of(game, {}):
        given = shown.get(field.name)
        if field.kind == "switch":
            shown[field.name] = given == "true"
        elif field.kind == "choice" and given not in dict(field.choices):
            shown[field.name] = field.default
    return shown


def read_setup(form: FormData) -> Setup:
    """What a form asks for. Raises Refused for a clock that there is not; the rest is still to be checked."""
    kept = _kept(form)
    clock = read_clock({name: kept.pop(name) for name in clocks.FIELDS})
    return Setup(options=_options(form), clock=clock, **kept)


def _kept(form: FormData) -> dict[str, Any]:
    return {
        "seats": number(form, "seats"),
        "bot_pace": text(form, "bot_pace", "relaxed"),
        "watchers": text(form, "watchers", OPEN),
        "talk": text(form, "talk", "free"),
        "watchers_talk": "watchers_talk" in form,
        "undo": text(form, "undo", "off"),
        "hints": "hints" in form,
        **clocks.clock_texts(form),
    }


def _options(form: FormData) -> dict[str, Any]:
    others = (*_KEPT, *_OF_THE_PAGE)
    return {name: value for name, value in form.multi_items() if isinstance(value, str) and name not in others}


def form_parts(game: Game[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields of the form are drawn from."""
    return {
        "game": game,
        "values": values,
        "fields": [field for field in fields_of(game, values) if not field.is_fixed],
        "bot_paces": list(PACE_WORDS.items()),
    }


def changes_in_words(game: Game[Any], changes: Mapping[str, list[Any]]) -> list[Message]:
    """What was changed: each by its name, what it was and what it is."""
    return [_change(game, name, *pair) for name, pair in changes.items()]


def _change(game: Game[Any], name: str, before: Any, after: Any) -> Message:
    if name == "seats":
        return gettext("%(after)s seats instead of %(before)s", before=before, after=after)
    if name in _CHOICES:
        title, words = _CHOICES[name]
        return _instead(title, words.get(before, str(before)), words.get(after, str(after)))
    if name == "hours":
        return _instead(gettext("Table hours"), before or gettext("all day"), after or gettext("all day"))
    was = next((field for field in fields_of(game, {name: before}) if field.name == name), None)
    now = next((field for field in fields_of(game, {name: after}) if field.name == name), None)
    if was and now and now.kind != "switch":
        return _instead(now.title, was.words, now.words)
    switch: str = now.title if now else _SWITCHES.get(name, name)  # an older release may have had more options
    return gettext("%(switch)s on", switch=switch) if after else gettext("%(switch)s off", switch=switch)


def _instead(title: str, before: str, after: str) -> Message:
    return gettext("%(title)s “%(after)s” instead of “%(before)s”", title=title, before=before, after=after)
