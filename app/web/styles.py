"""Styles as older browsers know them: nothing nested, no selector that costs another its rule, units by detours."""

import re
from collections.abc import Iterator
from typing import Final

Block = tuple[str, list["str | Block"]]
"""What stands before the brace, and what stands in it: declarations and more blocks."""

_OF_THE_SCREEN: Final = re.compile(r"(?<![\w.])(\d*\.?\d+)(svh|dvh|cqw|cqh)\b")
_ARRANGES: Final = ("@media", "@supports", "@layer", "@container")
UNITS: Final = """:root { --svh: 1vh; --dvh: 1vh; --cqw: 0.9vw; --cqh: 0.3vh; }
@supports (height: 1svh) { :root { --svh: 1svh; --dvh: 1dvh; } }
@supports (width: 1cqw) { :root { --cqw: 1cqw; --cqh: 1cqh; } }
"""


def blocks_of(text: str) -> list[str | Block]:
    """A sheet without remarks, read."""
    top: list[str | Block] = []
    around, start = [top], 0
    for mark in re.finditer(r"[{};]", text):
        piece, start = text[start : mark.start()].strip(), mark.end()
        if mark[0] == "{":
            inside: list[str | Block] = []
            around[-1].append((piece, inside))
            around.append(inside)
            continue
        if piece:
            around[-1].append(piece)
        if mark[0] == "}":
            around.pop()
    return top


def for_older(text: str) -> str:
    """The same sheet for browsers that know no nesting (before 2023), drop a whole rule for one selector with `:has`
    (before December 2023), and know neither the units of containers nor those of a phone's screen."""
    lines = "".join(f"{line}\n" for line in _lines(blocks_of(text), ()))
    told = _OF_THE_SCREEN.sub(r"calc(\1 * var(--\2))", lines)
    return told if told == lines else UNITS + told


def _lines(items: list[str | Block], around: tuple[str, ...]) -> Iterator[str]:
    own = [item for item in items if isinstance(item, str)]
    if around and own:
        for selectors in _apart(around):
            yield f"{', '.join(selectors)} {{ {' '.join(f'{one};' for one in own)} }}"
    elif own:
        yield from (f"{one};" for one in own)
    for item in items:
        if isinstance(item, str):
            continue
        head, inside = item
        if head.startswith(_ARRANGES):
            yield f"{head} {{"
            yield from _lines(inside, around)
            yield "}"
        elif head.startswith("@"):
            yield f"{head} {{ {' '.join(_raw(inside))} }}"
        else:
            selectors = selectors_of(head)
            yield from _lines(inside, tuple(f"{a} {b}" for a in around for b in selectors) if around else selectors)


def _raw(items: list[str | Block]) -> Iterator[str]:
    for item in items:
        yield f"{item};" if isinstance(item, str) else f"{item[0]} {{ {' '.join(_raw(item[1]))} }}"


def _apart(selectors: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Those that every browser knows, and those that not every one does."""
    known = tuple(one for one in selectors if ":has(" not in one)
    return [part for part in (known, tuple(one for one in selectors if one not in known)) if part]


def selectors_of(head: str) -> tuple[str, ...]:
    """The selectors of a list."""
    depth, found, start = 0, [], 0
    for at, mark in enumerate(head):
        depth += (mark in "([") - (mark in ")]")
        if mark == "," and not depth:
            found.append(head[start:at].strip())
            start = at + 1
    return (*found, head[start:].strip())
