"""Writes figures down, and the table of `SECURITY.md` from them: `python -m tests.soak.promises`."""

import datetime
from pathlib import Path
from typing import Final

import msgspec

from app.web.pages.promises import FILE, Book, Figure, Promise, read
from tests.soak.numbers import Numbers

ROOT: Final = Path(__file__).parents[2]
PATH: Final = ROOT / "app/web/pages" / FILE
SECURITY: Final = ROOT / "SECURITY.md"
UNMEASURED: Final = "not measured yet"
_BEGIN, _END = "<!-- promises: written by `python -m tests.soak.promises` -->\n", "<!-- promises end -->\n"


def figure(name: str, numbers: Numbers) -> Figure:
    """The figure with these numbers, measured today."""
    known = read(PATH.read_bytes()).figures[name]
    return Figure(known.sentence, numbers, datetime.datetime.now(datetime.UTC).date().isoformat())


def note(name: str, found: Figure | None) -> None:
    """Writes a figure down everywhere; without one what was measured before counts no longer."""
    book = read(PATH.read_bytes())
    book.figures[name] = found or Figure(book.figures[name].sentence, {}, "")
    text = msgspec.json.format(msgspec.json.encode(book), indent=2)
    PATH.write_bytes(text + b"\n")
    write()


def write() -> None:
    """Renews the table."""
    SECURITY.write_text(renewed(SECURITY.read_text(encoding="utf-8"), read(PATH.read_bytes())), encoding="utf-8")


def renewed(page: str, book: Book) -> str:
    """The page with the table as it is to be. Raises ValueError, if the page has no place for it."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError("the page has no place for the promises")
    lines = ["| promise | tests | measured |", "|---|---|---|"]
    lines += [_line(book, promise) for promise in book.promises]
    return before + begin + "\n" + "\n".join(lines) + "\n\n" + end + after


def _line(book: Book, promise: Promise) -> str:
    tests = ", ".join(f"`{test}`" for test in promise.tests)
    figures = [f"{figure} ({figure.measured_at})" for figure in book.measured(promise)]
    return f"| {promise.promise} | {tests} | {'; '.join(figures) or UNMEASURED} |"


if __name__ == "__main__":
    write()
