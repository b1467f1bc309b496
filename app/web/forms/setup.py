"""A table's set-up as a form, as a form sends it, and what was changed of it in words."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from starlette.datastructures import FormData

from app.services.seats.setup import Setup
from app.services.table.hours import Hours
from app.services.table.settings import TableSetup, read_setup
from app.web.deps import number, text
from app.web.forms.clocks import HOURS, hours_texts
from app.web.forms.options import fields_of
from snug import declared
from snug.declared import Field, switched
from snug.engine.game import Game
from snug.words import Message, gettext

_OF_THE_PAGE: Final = ("game", "seen", "name", "match", "seats")
_SEATS: Final = 3


def settings_of(values: Mapping[str, Any], game: Game[Any] | None = None) -> tuple[Field, ...]:
    """The settings of a table with `values` filled in, as far as they are of use for the game."""
    fields = declared.fields_of(TableSetup, values, round=game.round_word if game else gettext("round"))
    return tuple(field for field in fields if getattr(game, field.extra.get("trait", ""), True))


def settings_in(setup: TableSetup, game: Game[Any]) -> tuple[Field, ...]:
    """The same of a table."""
    return settings_of(msgspec.structs.asdict(setup), game)


def setting(name: str, value: Any = None) -> Field:
    """One setting with a value."""
    return declared.field_of(TableSetup, name, value)


def values_of(kept: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a form shows: the seats and settings of a table, as far as they are known, and its options."""
    usual = {"seats": _SEATS, **{field.name: field.usual for field in settings_of({})}}
    hours = kept.get("hours")
    return {**usual, **kept, **hours_texts(Hours(**hours) if hours else None), **options}


def settings_sent(form: FormData) -> dict[str, Any]:
    """The settings as a form sends them; what it leaves out is as usual, but a switch is off."""
    sent: dict[str, Any] = {name: text(form, name) for name in HOURS}
    for field in settings_of({}):
        if field.kind == "switch":
            sent[field.name] = field.name in form
        elif field.kind != "hours":
            sent[field.name] = text(form, field.name, str(field.usual))
    return sent


def sent(game: Game[Any], form: FormData) -> dict[str, Any]:
    """What a form shows as it was sent; what it never offered is the game's default."""
    shown: dict[str, Any] = {"seats": number(form, "seats"), **settings_sent(form), **_options(form)}
    for field in fields_of(game, {}):
        given = shown.get(field.name)
        if field.kind == "switch":
            shown[field.name] = given == "true"
        elif field.kind == "choice" and given not in dict(field.choices):
            shown[field.name] = field.default
    return shown


def read_form(form: FormData) -> Setup:
    """What a form asks for. Raises Refused for settings that there are not; the rest is still to be checked."""
    return Setup(number(form, "seats"), _options(form), read_setup(settings_sent(form), TableSetup))


def _options(form: FormData) -> dict[str, Any]:
    others = (*TableSetup.__struct_fields__, *HOURS, *_OF_THE_PAGE)
    return {name: value for name, value in form.multi_items() if isinstance(value, str) and name not in others}


def form_parts(game: Game[Any], values: Mapping[str, Any], *, is_host: bool = True) -> dict[str, Any]:
    """What the fields of the form are drawn from; the host's alone is left out for others."""
    return {
        "game": game,
        "values": values,
        "fields": [field for field in fields_of(game, values) if not field.is_fixed],
        "settings": [field for field in settings_of(values, game) if is_host or not field.extra.get("host")],
    }


def changes_in_words(game: Game[Any], changes: Mapping[str, list[Any]]) -> list[Message]:
    """What was changed: each by its name, what it was and what it is."""
    before, after = ({name: pair[at] for name, pair in changes.items()} for at in (0, 1))
    was, now = (
        {field.name: field for field in (*fields_of(game, values), *settings_of(values))} for values in (before, after)
    )
    said = []
    for name, pair in changes.items():
        if name == "seats":
            said.append(gettext("%(after)s seats instead of %(before)s", before=pair[0], after=pair[1]))
        elif name in now:
            said.append(now[name].instead_of(was[name]))
        else:  # an older release may have had more options
            said.append(switched(name, pair[1]))
    return said
