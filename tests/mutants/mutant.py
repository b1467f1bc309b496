"""A small bug: which lines of a file become what. It knows the lines by their text, so that it still fits when they
have moved within their file.

A list of them is plain text: `kind path` in a line of its own, then lines as in a patch, then an empty one."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

TREE: Final = Path(__file__).parents[2]
KEPT: Final = Path(__file__).with_name("kept.txt")


class DoesNotFit(Exception):
    """The lines are not there, or more than once."""


class Mutant(NamedTuple):
    """`before` are lines that only say where, between them and the end of the file `line` becomes `bug`."""

    kind: str
    path: str
    before: tuple[str, ...]
    line: str
    bug: str

    def __str__(self) -> str:
        patch = [*(f" {line}" for line in self.before), f"-{self.line}", f"+{self.bug}"]
        return "\n".join([f"{self.kind} {self.path}", *patch, ""])

    def plant(self, source: str) -> str:
        """The file with the bug in it. Raises DoesNotFit."""
        old, new = ("\n".join(["", *self.before, line, ""]) for line in (self.line, self.bug))
        if count_of(old, source) != 1:
            raise DoesNotFit(str(self))
        return f"\n{source}\n".replace(old, new, 1)[1:-1]


def count_of(lines: str, source: str) -> int:
    """How often the lines, which begin and end with a line's end, are in a file; also where two share that end."""
    source, found, at = f"\n{source}\n", 0, -1
    while (at := source.find(lines, at + 1)) >= 0:
        found += 1
    return found


def placed(kind: str, path: str, lines: list[str], at: int, bug: str) -> Mutant:
    """The mutant whose line is that of this index, with as many lines before it as make it the only one."""
    source, first = "\n".join(lines), at
    while first and count_of("\n".join(["", *lines[first : at + 1], ""]), source) != 1:
        first -= 1
    return Mutant(kind, path, tuple(lines[first:at]), lines[at], bug)


def read(text: str) -> Iterator[Mutant]:
    """The mutants of a list."""
    heading, before, line = "", list[str](), ""
    for row in text.splitlines():
        if row.startswith("+"):
            kind, path = heading.split()
            yield Mutant(kind, path, tuple(before), line, row[1:])
        elif row.startswith("-"):
            line = row[1:]
        elif row.startswith(" "):
            before.append(row[1:])
        else:
            heading, before = row, []


def written(mutants: Iterable[Mutant]) -> str:
    """The list of these."""
    return "\n".join(map(str, sorted(mutants, key=lambda mutant: (mutant.path, mutant.kind, mutant.line))))
