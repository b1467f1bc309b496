"""What the room promises, the tests that hold it to that, and what was measured last: `promises.json`, which
`make soak` brings up to date."""

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from snug.words import Message, gettext

FILE: Final = "promises.json"
_SUITE: Final = "suite"


def _written(number: float) -> str:
    return f"{int(number) if number == int(number) else number:,}"


class Figure(msgspec.Struct):
    """A sentence about what was measured, its numbers by their names in it, and the day; no numbers and an empty day
    before the first time."""

    sentence: str
    numbers: dict[str, float]
    measured_at: str

    def __str__(self) -> str:
        return str(self.text())

    def text(self) -> Message:
        """What was measured, in words."""
        return gettext(self.sentence, **{name: _written(number) for name, number in self.numbers.items()})


class Promise(msgspec.Struct):
    """A promise, the tests behind it, and the names of its figures."""

    promise: str
    tests: tuple[str, ...]
    figures: tuple[str, ...]

    def text(self) -> Message:
        """The promise, for whoever reads."""
        return gettext(self.promise)


class Book(msgspec.Struct):
    """All of it."""

    promises: tuple[Promise, ...]
    figures: dict[str, Figure]

    def measured(self, promise: Promise) -> list[Figure]:
        """What was measured of a promise so far, and how many of its tests passed."""
        measured = [figure for name in promise.figures if (figure := self.figures[name]).measured_at]
        suite = self.figures[_SUITE]
        if passed := sum(suite.numbers.get(test, 0) for test in promise.tests):
            measured.append(Figure(suite.sentence, {"passed": passed}, suite.measured_at))
        return measured


def read(text: bytes) -> Book:
    """The file's content. Raises msgspec.ValidationError."""
    return msgspec.json.decode(text, type=Book)


@cache
def book() -> Book:
    """As it was when the room opened."""
    return read((files(__package__) / FILE).read_bytes())
