"""The table that `make bench` prints, line by line."""

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

WIDTHS = (47, 22, 58)


class Row(NamedTuple):
    """What was measured, Snug's figure, those of what stood beside it in the same run, and the ratios."""

    what: str
    snug: str
    beside: str = ""
    ratio: str = ""


def show(row: Row) -> None:
    """Prints a line."""
    cells = (cell.ljust(width) for cell, width in zip(row, (*WIDTHS, 0), strict=True))
    print(" ".join(cells).rstrip(), flush=True)


def times(ours: Iterable[float], theirs: Iterable[float]) -> float:
    """How many times more ours is, taken together round by round: the median."""
    return median(our / their for our, their in zip(ours, theirs, strict=True))
