"""What the reader of forms and records finds wrong, in words for people."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import inspect

from snug.words import Message, gettext, gettext_noop, listed

_AT: Final = re.compile(r" - at `\$?\.?([^`]*)`$")
_KINDS: Final = {
    "int": gettext("a whole number"),
    "float": gettext("a number"),
    "str": gettext("a text"),
    "bool": gettext("true or false"),
    "array": gettext("a list"),
    "object": gettext("an object with named values"),
}
_FINDINGS: Final = (
    (
        re.compile(r"Object contains unknown field `(?P<value>.*)`", re.DOTALL),
        gettext_noop("“%(value)s” does not belong there"),
    ),
    (re.compile(r"Object missing required field `(?P<value>.*)`", re.DOTALL), gettext_noop("“%(value)s” is missing")),
    (
        re.compile(r"Invalid (?:enum )?value (?P<value>.*)", re.DOTALL),
        gettext_noop("%(value)s is not one of the choices"),
    ),
    (re.compile(r"Expected `int` >= (?P<value>.*)", re.DOTALL), gettext_noop("at least %(value)s")),
    (re.compile(r"Expected `int` <= (?P<value>.*)", re.DOTALL), gettext_noop("at most %(value)s")),
    (re.compile(r"Integer value out of range", re.DOTALL), gettext_noop("that number is too large")),
    (
        re.compile(r"JSON is malformed.*|Input data was truncated|.*codec can't decode.*", re.DOTALL),
        gettext_noop("this is not the text of a record"),
    ),
    (re.compile(r".*recursion.*", re.DOTALL), gettext_noop("this is too deeply nested for a record")),
)
_EXPECTED: Final = re.compile(r"Expected `([a-z |]*)`.*", re.DOTALL)


def in_words(error: Exception) -> str:
    """What an error of `msgspec` says, naming the key at fault; what we wrote ourselves stays as it is."""
    text = str(error)
    at = _AT.search(text)
    said = _plainly(text[: at.start()] if at else text)
    return gettext("“%(key)s”: %(said)s", key=at[1], said=said) if at and at[1] else said


def _plainly(text: str) -> str:
    for finding, words in _FINDINGS:
        if found := finding.fullmatch(text):
            return gettext(words, **found.groupdict())
    if expected := _EXPECTED.fullmatch(text):
        kinds = listed([_KINDS.get(kind, kind) for kind in expected[1].split(" | ")], either=True)
        return gettext("%(kinds)s is expected", kinds=kinds)
    return text


def as_sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".?!" else ".")


def allowed(field: inspect.Field, seats: int) -> Message:
    """An option's title and the values that it may have at a table of so many, as forms and records write them:
    "Rounds: 1 to 9."."""
    kind = field.type
    assert isinstance(kind, inspect.Metadata)
    title, is_seat = (kind.extra_json_schema or {})["title"], bool((kind.extra or {}).get("seat"))
    values = listed(list(_values(kind, seats if is_seat else None)), either=True)
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
            yield _KINDS["int"]
        case inspect.BoolType():
            yield from (gettext("on (true)"), gettext("off (false)"))
