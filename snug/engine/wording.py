"""What the reader of forms and records finds wrong, in words for people."""

import re
from typing import Final

from snug.declared import KINDS
from snug.words import gettext, gettext_noop, listed

_AT: Final = re.compile(r" - at `\$?\.?([^`]*)`$")
_FINDINGS: Final = {
    re.compile(r"(?s)Object contains unknown field `(?P<value>.*)`"): gettext_noop("“%(value)s” does not belong there"),
    re.compile(r"(?s)Object missing required field `(?P<value>.*)`"): gettext_noop("“%(value)s” is missing"),
    re.compile(r"(?s)Invalid (?:enum )?value (?P<value>.*)"): gettext_noop("%(value)s is not one of the choices"),
    re.compile(r"(?s)Expected `int` >= (?P<value>.*)"): gettext_noop("at least %(value)s"),
    re.compile(r"(?s)Expected `int` <= (?P<value>.*)"): gettext_noop("at most %(value)s"),
    re.compile(r"(?s)Integer value out of range"): gettext_noop("that number is too large"),
    re.compile(r"(?s)JSON is malformed.*|Input data was truncated|.*codec can't decode.*"): gettext_noop(
        "this is not the text of a record"
    ),
    re.compile(r"(?s).*recursion.*"): gettext_noop("this is too deeply nested for a record"),
}
_EXPECTED: Final = re.compile(r"Expected `([a-z |]*)`.*", re.DOTALL)


def in_words(error: Exception) -> str:
    """What an error of `msgspec` says, naming the key at fault; what we wrote ourselves stays as it is."""
    text = str(error)
    at = _AT.search(text)
    said = _plainly(text[: at.start()] if at else text)
    return gettext("“%(key)s”: %(said)s", key=at[1], said=said) if at and at[1] else said


def _plainly(text: str) -> str:
    for finding, words in _FINDINGS.items():
        if found := finding.fullmatch(text):
            return gettext(words, **found.groupdict())
    if expected := _EXPECTED.fullmatch(text):
        kinds = listed([KINDS.get(kind, kind) for kind in expected[1].split(" | ")], either=True)
        return gettext("%(kinds)s is expected", kinds=kinds)
    return text


def as_sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".?!" else ".")
