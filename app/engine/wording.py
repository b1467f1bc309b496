"""What the reader of forms and records finds wrong, in words for people."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import inspect

_AT: Final = re.compile(r" - at `\$?\.?([^`]*)`$")
_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object with named values",
}
_FINDINGS: Final = tuple(
    (re.compile(finding, re.DOTALL), words)
    for finding, words in (
        (r"Object contains unknown field `(.*)`", r"“\1” does not belong there"),
        (r"Object missing required field `(.*)`", r"“\1” is missing"),
        (r"Invalid (?:enum )?value (.*)", r"\1 is not one of the choices"),
        (r"Expected `int` >= (.*)", r"at least \1"),
        (r"Expected `int` <= (.*)", r"at most \1"),
        (r"Integer value out of range", r"that number is too large"),
        (r"JSON is malformed.*|Input data was truncated|.*codec can't decode.*", r"this is not the text of a record"),
        (r".*recursion.*", r"this is too deeply nested for a record"),
    )
)
_EXPECTED: Final = re.compile(r"Expected `([a-z |]*)`.*", re.DOTALL)


def in_words(error: Exception) -> str:
    """What an error of `msgspec` says, naming the key at fault; what we wrote ourselves stays as it is."""
    text = str(error)
    at = _AT.search(text)
    said = _plainly(text[: at.start()] if at else text)
    return f"“{at[1]}”: {said}" if at and at[1] else said


def _plainly(text: str) -> str:
    for finding, words in _FINDINGS:
        if found := finding.fullmatch(text):
            return found.expand(words)
    if expected := _EXPECTED.fullmatch(text):
        return _either([_KINDS.get(kind, kind) for kind in expected[1].split(" | ")]) + " is expected"
    return text


def as_sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".?!" else ".")


def allowed(field: inspect.Field, seats: int) -> str:
    """An option's title and the values that it may have at a table of so many, as forms and records write them:
    "Rounds: 1 to 9"."""
    kind = field.type
    assert isinstance(kind, inspect.Metadata)
    schema, is_seat = kind.extra_json_schema or {}, bool((kind.extra or {}).get("seat"))
    return f"{schema['title']}: {_either(list(_values(kind, seats if is_seat else None)))}"


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
            yield f"seat {low} to {min(high, seats)}" if seats else f"{low} to {high}"
        case inspect.IntType():
            yield _KINDS["int"]
        case inspect.BoolType():
            yield from ("on (true)", "off (false)")


def _either(choices: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
