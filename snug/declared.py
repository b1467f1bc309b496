"""What a struct declares of its fields, said once where they are written, and all that follows from it: the fields of
forms, reading what was sent or stored, what differs, and every sentence about it.

A field is `Annotated[type, Meta(title=…, description=…, extra={…})]`. Of `extra` this module knows `words`, those of
each choice by its value, or they and a sentence about it; `seat`, for a number of a seat; `hidden`, for what no form
has; `fixed`, for what is the same everywhere; `usual`, what a form proposes where that is not the default; `kind`, for
what is neither a switch, a number nor a choice, with `none`, the word for having none; and `code`, that of a refusal.
The rest is for those who ask: `Field.extra`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from snug.words import Message, gettext, listed

Kind = TypeVar("Kind", bound=msgspec.Struct)
Hook = Callable[[type, Any], Any]
Words = Mapping[Any, str | tuple[str, str]]

KINDS: Final = {
    "int": gettext("a whole number"),
    "float": gettext("a number"),
    "str": gettext("a text"),
    "bool": gettext("true or false"),
    "array": gettext("a list"),
    "object": gettext("an object with named values"),
}
_NUMBERS: Final = (
    gettext("None"),
    gettext("One"),
    gettext("Two"),
    gettext("Three"),
    gettext("Four"),
    gettext("Five"),
    gettext("Six"),
    gettext("Seven"),
    gettext("Eight"),
    gettext("Nine"),
)
_MOST_TO_LIST: Final = 20
_type_info = cache(inspect.type_info)


class Unreadable(ValueError):
    """A `field` holds what cannot be, and the `sentence` says what can be; or there `is_no_such` field."""

    def __init__(
        self, finding: str, field: str, sentence: Message, code: str = "", *, is_no_such: bool = False
    ) -> None:
        super().__init__(finding)
        self.field, self.sentence, self.code, self.is_no_such = field, sentence, code, is_no_such


class Field(msgspec.Struct, frozen=True):
    """One field as a form shows it. `kind` is "switch", "number" (from `low` to `high`), "choice" or the field's own;
    `is_fixed` when it is the same everywhere. `usual` is what a form proposes."""

    name: str
    title: str
    about: str
    kind: str
    value: Any
    default: Any
    usual: Any = None
    low: int = 0
    high: int = 0
    choices: tuple[tuple[str, str], ...] = ()
    extra: Mapping[str, Any] = {}
    said: Mapping[str, Any] = {}

    @property
    def meaning(self) -> str:
        """What it means, in a sentence or two; empty where that needs no saying."""
        return gettext(self.about, **self.said) if self.about else ""

    @property
    def section(self) -> str:
        """The section of the rules that it belongs to."""
        return str(self.extra.get("section", ""))

    @property
    def is_fixed(self) -> bool:
        """Whether it is the same everywhere."""
        return bool(self.extra.get("fixed"))

    @property
    def words(self) -> str:
        """The value as a person reads it."""
        if self.kind == "switch":
            return gettext("On") if self.value else gettext("Off")
        if not self.choices and self.value in (None, "") and "none" in self.extra:
            return gettext(self.extra["none"])
        return dict(self.choices).get(str(self.value), _in_words(self.value))

    @property
    def told(self) -> tuple[tuple[str, str, str], ...]:
        """Every choice with its words and the sentence about it; nothing where there are no such sentences."""
        words: Words = self.extra.get("words", {})
        return tuple((value, *told) for value, told in words.items() if isinstance(told, tuple))

    @property
    def is_default(self) -> bool:
        """Whether the value is the declared one."""
        return bool(self.value == self.default)

    def instead_of(self, before: "Field") -> Message:
        """That the value is this one and was the other."""
        if self.kind == "switch":
            return switched(self.title, self.value)
        was, now = before.words, self.words
        return gettext("%(title)s “%(after)s” instead of “%(before)s”", title=self.title, before=was, after=now)


def switched(title: str, is_on: object) -> Message:
    """That something is on or off now."""
    return gettext("%(switch)s on", switch=title) if is_on else gettext("%(switch)s off", switch=title)


def fields_of(kind: type[msgspec.Struct], values: Mapping[str, Any], seats: int = 0, **said: Any) -> tuple[Field, ...]:
    """The declared fields with `values` filled in; a seat offers the seats of the table, and `said` is what the
    meanings have as parameters. Raises TypeError for a field that no form can show."""
    return tuple(_fields(kind, values, seats, said))


def field_of(kind: type[msgspec.Struct], name: str, value: Any = None, seats: int = 0) -> Field:
    """One declared field with a value."""
    return next(field for field in fields_of(kind, {name: value}, seats) if field.name == name)


def marked(kind: type[msgspec.Struct], mark: str) -> dict[str, Any]:
    """The names of the fields whose declaration has this mark, and what it says."""
    extras = {field.name: meta.extra or {} for field, meta in _declared(kind)}
    return {name: extra[mark] for name, extra in extras.items() if extra.get(mark)}


def _declared(kind: type[msgspec.Struct]) -> Iterator[tuple[inspect.Field, inspect.Metadata]]:
    declared = _type_info(kind)
    assert isinstance(declared, inspect.StructType)
    for field in declared.fields:
        if isinstance(field.type, inspect.Metadata):
            yield field, field.type


def _fields(
    kind: type[msgspec.Struct], values: Mapping[str, Any], seats: int, said: Mapping[str, Any]
) -> Iterator[Field]:
    for declared, meta in _declared(kind):
        schema, extra = meta.extra_json_schema or {}, meta.extra or {}
        if extra.get("hidden"):
            continue
        field = Field(
            name=declared.name,
            title=gettext(schema["title"]),
            about=schema.get("description", ""),
            kind=extra.get("kind", "choice"),
            value=values.get(declared.name, declared.default),
            default=declared.default,
            usual=extra.get("usual", declared.default),
            extra=extra,
            said=said,
        )
        match meta.type:
            case _ if "kind" in extra:
                yield field
            case inspect.BoolType():
                yield msgspec.structs.replace(field, kind="switch")
            case inspect.IntType(ge=int(low), le=int(high)) if high - low > _MOST_TO_LIST or extra.get("typed"):
                yield msgspec.structs.replace(field, kind="number", low=low, high=high)
            case inspect.UnionType(types=(inspect.IntType(ge=int(low), le=int(high)), inspect.NoneType())):
                yield msgspec.structs.replace(field, kind="number", low=low, high=high)
            case inner:
                choices = tuple(_choices(inner, extra, seats))
                if not choices:
                    raise TypeError(f"no form field for {declared.name}")
                yield msgspec.structs.replace(field, choices=choices)


def _choices(kind: inspect.Type, extra: Mapping[str, Any], seats: int) -> Iterator[tuple[str, str]]:
    words: Words = extra.get("words", {})
    match kind:
        case inspect.Metadata():
            yield from _choices(kind.type, extra, seats)
        case inspect.UnionType(types=kinds):
            for each in sorted(kinds, key=lambda each: not isinstance(each, inspect.LiteralType)):
                yield from _choices(each, extra, seats)
        case inspect.LiteralType(values=values):
            yield from worded(words) if words else ((str(value), str(value)) for value in values)
        case inspect.IntType(ge=int(low), le=int(high)):
            is_seat = bool(extra.get("seat"))
            for number in range(low, (min(high, seats) if is_seat else high) + 1):
                yield str(number), gettext("Seat %(number)s", number=number) if is_seat else _in_words(number)


def worded(words: Words) -> Iterator[tuple[str, str]]:
    """The choices with their words alone."""
    return ((str(value), told[0] if isinstance(told, tuple) else told) for value, told in words.items())


def _in_words(value: Any) -> str:
    return _NUMBERS[value] if isinstance(value, int) and 0 <= value < len(_NUMBERS) else str(value)


def read(
    kind: type[Kind], raw: Mapping[str, Any], seats: int = 0, *, strict: bool = True, hook: Hook | None = None
) -> Kind:
    """The struct from plain data, or with `strict=False` from form texts, with defaults. Raises Unreadable."""
    try:
        return _converted(raw, kind, strict, hook)
    except ValueError as error:
        raise _fault(kind, raw, seats, strict, hook, str(error)) from error


def _converted(raw: Mapping[str, Any], kind: type[Kind], strict: bool, hook: Hook | None) -> Kind:
    return msgspec.convert(raw if strict else with_lists(raw, kind), kind, strict=strict, dec_hook=hook)


def _fault(
    kind: type[msgspec.Struct], raw: Mapping[str, Any], seats: int, strict: bool, hook: Hook | None, finding: str
) -> Unreadable:
    declared = {field.name: (field, meta) for field, meta in _declared(kind)}
    for name, value in raw.items():
        if name not in declared:
            if kind.__struct_config__.forbid_unknown_fields:
                return Unreadable(finding, name, gettext("There is no “%(name)s”.", name=name), is_no_such=True)
            continue
        field, meta = declared[name]
        try:
            _converted({name: value}, kind, strict, hook)
        except ValueError:
            return Unreadable(finding, name, allowed(field, seats), (meta.extra or {}).get("code", ""))
    return Unreadable(finding, "", gettext("These rules do not go together."))


def allowed(field: inspect.Field, seats: int) -> Message:
    """A field's title and what it may hold at a table of so many, as forms and records write it: "Rounds: 1 to 9."."""
    kind = field.type
    assert isinstance(kind, inspect.Metadata)
    title, extra = (kind.extra_json_schema or {})["title"], kind.extra or {}
    values = listed(list(_values(kind, seats if extra.get("seat") else None)), either=True)
    return gettext("%(option)s: %(values)s.", option=gettext(title), values=values)


def _values(kind: inspect.Type, seats: int | None) -> Iterator[str]:
    match kind:
        case inspect.Metadata():
            yield from _values(kind.type, seats)
        case inspect.UnionType(types=kinds):
            for each in sorted(kinds, key=lambda each: not isinstance(each, inspect.LiteralType)):
                yield from _values(each, seats)
        case inspect.LiteralType(values=values):
            yield from map(str, values)
        case inspect.IntType(ge=int(low), le=int(high)):
            if seats:
                yield gettext("seat %(low)s to %(high)s", low=low, high=min(high, seats))
            else:
                yield gettext("%(low)s to %(high)s", low=low, high=high)
        case inspect.IntType():
            yield KINDS["int"]
        case inspect.BoolType():
            yield from (gettext("on (true)"), gettext("off (false)"))


def facts(value: msgspec.Struct) -> dict[str, Any]:
    """Every field by its name as plain data; what is a struct itself by its text, and empty where there is none."""
    return {
        name: str(one or "") if isinstance(one, msgspec.Struct) or one is None else one
        for name, one in msgspec.structs.asdict(value).items()
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What is not the same: by its name, what it was and what it is."""
    pairs = {name: [before.get(name), after.get(name)] for name in {**before, **after}}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def with_lists(raw: object, kind: type) -> Any:
    """Plain data as browsers send it, where one ticked box of several is a single value, with lists as `kind` has."""
    return _fitted(raw, _type_info(kind))


def _fitted(raw: object, kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _fitted(raw, kind.type)
        case inspect.UnionType():
            return _fitted(raw, _branch(raw, kind.types))
        case inspect.VarTupleType() | inspect.ListType():
            items = raw if isinstance(raw, list) else [raw]
            return [_fitted(item, kind.item_type) for item in items]
        case inspect.StructType() if isinstance(raw, dict):
            kinds = {field.encode_name: field.type for field in kind.fields}
            return {name: _fitted(value, kinds[name]) if name in kinds else value for name, value in raw.items()}
    return raw


def _branch(raw: object, kinds: tuple[inspect.Type, ...]) -> inspect.Type:
    """The kind of a union that the data means to be: the struct of its tag, else a list."""
    for kind in kinds:
        if isinstance(kind, inspect.StructType) and isinstance(raw, dict):
            if kind.tag_field and raw.get(kind.tag_field) == kind.tag:
                return kind
        elif isinstance(kind, inspect.VarTupleType | inspect.ListType):
            return kind
    return inspect.AnyType()
