"""Small bugs in templates and scripts, found by their looks, line by line."""

import re
from collections.abc import Iterator
from typing import Final

from tests.mutants.change import Change

_TAG: Final = re.compile(r"{%.*?%}|{{.*?}}")
_ATTRIBUTE: Final = re.compile(
    r""" (?!class\b|style\b|d\b|viewBox\b)[a-z][a-z-]*="(?:{{.*?}}|{%.*?%}|[^"{])*"(?=[ >/{])"""
)
_CLASS: Final = re.compile(r"""\bclass="([^"{]*)""")
_WORD: Final = re.compile(r"[a-z][a-z-]*")
_STRING: Final = re.compile(r""""[^"]*"|'[^']*'""")

_IN_TAGS: Final = (
    ("comparison", re.compile(r"=="), "!="),
    ("comparison", re.compile(r"!="), "=="),
    ("comparison", re.compile(r" > "), " >= "),
    ("comparison", re.compile(r" < "), " <= "),
    ("comparison", re.compile(r" >= "), " > "),
    ("comparison", re.compile(r" <= "), " < "),
    ("comparison", re.compile(r" not in "), " in "),
    ("and-or", re.compile(r" and "), " or "),
    ("and-or", re.compile(r" or "), " and "),
    ("condition", re.compile(r"(?<= if )(?!not )(?=[^ ])"), "not "),
    ("condition", re.compile(r"(?<={% if )(?!not )|(?<={% elif )(?!not )"), "not "),
    ("condition", re.compile(r"\bnot (?!in\b)"), ""),
)
_IN_SCRIPTS: Final = (
    ("comparison", re.compile(r"==="), "!=="),
    ("comparison", re.compile(r"!=="), "==="),
    # Turned round, not moved by one: what scripts compare are pixels and milliseconds.
    ("comparison", re.compile(r" >=? "), " < "),
    ("comparison", re.compile(r" <=? "), " > "),
    ("and-or", re.compile(r"&&"), "||"),
    ("and-or", re.compile(r"\|\|"), "&&"),
    ("condition", re.compile(r"(?<=\bif \()(?=[^()!]+\) )"), "!"),
    ("condition", re.compile(r"!(?=[a-z(])"), ""),
    ("flag", re.compile(r"\btrue\b"), "false"),
    ("flag", re.compile(r"\bfalse\b"), "true"),
    ("sign", re.compile(r" \+ (?!\")"), " - "),
    ("sign", re.compile(r" - "), " + "),
    ("await", re.compile(r"\bawait "), ""),
    ("word", re.compile(r"Math\.min\b"), "Math.max"),
    ("word", re.compile(r"Math\.max\b"), "Math.min"),
)
# `… if me else 0`: the nought stands for nobody, and another number would, too.
_NUMBER: Final = re.compile(r"(?<!else )(?<![\w.\"#-])\d[\d_]*(?:\.\d+)?(?![\w.\"%])")
_MEASURE: Final = re.compile(r"(?:export )?const [A-Z_]+ = \d")  # of pixels and milliseconds one more is nothing
_CALL_LINE: Final = re.compile(r"^ +(?:await )?[\w.?]+\(.*\);$")
_GUARD: Final = re.compile(r"(?<=\bif \().+(?=\) (?:return|continue)\b)")
_CLASS_CALL: Final = re.compile(r"""classList\.\w+\("([a-z-]+)\"""")


def in_template(source: str) -> Iterator[Change]:
    """Every small bug of a template."""
    for line, text in enumerate(_blanked(source, r"{#.*?#}").split("\n")):
        for tag in _TAG.finditer(text):
            inside = _STRING.sub(lambda match: "_" * len(match[0]), text[: tag.end()])
            for kind, old, new in _IN_TAGS:
                for match in old.finditer(inside, tag.start(), tag.end()):
                    yield Change(kind, line, *match.span(), new)
            for match in _NUMBER.finditer(inside, tag.start(), tag.end()):
                yield Change("number", line, *match.span(), str(int(match[0]) + 1) if match[0].isdigit() else "2")
        for found in _CLASS.finditer(text):
            for word in _WORD.finditer(text, found.start(1), found.end(1)):
                yield Change("class", line, *word.span(), _misspelt(word[0]))
        for found in _ATTRIBUTE.finditer(text):
            yield Change("attribute", line, *found.span(), "")
        if re.fullmatch(r" *{% include .* %}|  *{{ [\w.]+\(.*\) }}", text):
            yield Change("call", line, 0, len(text), "")


def in_script(source: str) -> Iterator[Change]:
    """Every small bug of a script."""
    for line, text in enumerate(_blanked(source, r"/\*.*?\*/|(?<![:\"])//[^\n]*").split("\n")):
        code = _STRING.sub(lambda match: "_" * len(match[0]), text).rstrip()
        for kind, old, new in _IN_SCRIPTS:
            for match in old.finditer(code):
                yield Change(kind, line, *match.span(), new)
        for match in _NUMBER.finditer(code):
            yield Change("number", line, *match.span(), _other_number(match[0], is_measure=bool(_MEASURE.match(code))))
        for match in _GUARD.finditer(code):
            yield Change("guard", line, *match.span(), "false")
        if _CALL_LINE.match(code):
            indent = len(code) - len(code.lstrip())
            yield Change("call", line, indent, len(code), ";")
        for match in _CLASS_CALL.finditer(text):
            yield Change("class", line, *match.span(1), _misspelt(match[1]))


def _other_number(digits: str, *, is_measure: bool) -> str:
    plain = digits.replace("_", "")
    return (
        str(int(plain) + 1)
        if plain.isdigit() and int(plain) < 100 and not is_measure
        else str(float(plain) * 2).removesuffix(".0")
    )


def _misspelt(word: str) -> str:
    return word + word[-1]


def _blanked(source: str, pattern: str) -> str:
    """With blanks for what the pattern finds, so that nothing is found there and everything keeps its place."""
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), source, flags=re.DOTALL)
