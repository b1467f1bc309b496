"""What a bug does to a line."""

from typing import NamedTuple


class Change(NamedTuple):
    """In the line of this index, from one column to another, this text."""

    kind: str
    line: int
    start: int
    end: int
    text: str
