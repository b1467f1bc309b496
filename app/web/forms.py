"""A game's declared options as form fields, and a table's rules in words. No game is named here."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from app.rules.game import Game, Options

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


class Field(msgspec.Struct, frozen=True):
    """One option as a form shows it. `kind` is "bool", "number", "choice" or "seat"."""

    name: str
    title: str
    meaning: str
    section: str
    kind: str
    value: Any
    low: int | None = None
    high: int | None = None
    choices: tuple[tuple[str, str], ...] = ()


class RuleLine(msgspec.Struct, frozen=True):
    """One rule of a table in words."""

    name: str
    title: str
    words: str
    meaning: str
    section: str
    is_default: bool


def fields_of(game: Game[Any], values: Mapping[str, Any], seats: int | None = None) -> tuple[Field, ...]:
    """The form of a game's options with `values` filled in; a seat option offers the seats of the table."""
    kinds = inspect.type_info(game.OPTIONS)
    assert isinstance(kinds, inspect.StructType)
    return tuple(
        field
        for declared in kinds.fields
        if (field := _field(declared, values.get(declared.name, declared.default), seats or game.SEATS[1]))
    )


def _field(declared: inspect.Field, value: Any, seats: int) -> Field | None:
    kind = declared.type
    assert isinstance(kind, inspect.Metadata)
    schema, extra = kind.extra_json_schema or {}, kind.extra or {}
    if extra.get("hidden"):
        return None
    common = {
        "name": declared.name,
        "title": schema["title"],
        "meaning": schema["description"],
        "section": extra["section"],
        "value": value,
    }
    match kind.type:
        case inspect.BoolType():
            return Field(kind="bool", **common)
        case inspect.IntType(ge=low, le=high) if extra.get("seat"):
            choices = tuple((str(seat), f"Seat {seat}") for seat in range(1, seats + 1))
            return Field(kind="seat", low=low, high=min(high or seats, seats), choices=choices, **common)
        case inspect.IntType(ge=low, le=high):
            return Field(kind="number", low=low, high=high, **common)
        case inspect.LiteralType(values=choices):
            words = extra.get("words", {})
            return Field(kind="choice", choices=tuple((str(c), words.get(c, str(c))) for c in choices), **common)
    raise TypeError(f"no form field for the option {declared.name}")


def rule_lines(game: Game[Any], options: Options) -> tuple[RuleLine, ...]:
    """A table's rules in words, in the order in which the game declares them."""
    values = msgspec.structs.asdict(options)
    defaults = {field.name: field.value for field in fields_of(game, {})}
    return tuple(
        RuleLine(
            field.name, field.title, _words(field), field.meaning, field.section, field.value == defaults[field.name]
        )
        for field in fields_of(game, values)
    )


def _words(field: Field) -> str:
    if field.kind == "bool":
        return "On" if field.value else "Off"
    if field.kind == "number":
        return _NUMBERS[field.value] if 0 <= field.value < len(_NUMBERS) else str(field.value)
    return dict(field.choices).get(str(field.value), str(field.value))
