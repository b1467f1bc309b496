"""Places in a match, and what decides them."""

import msgspec

from snug.words import Plural

Scores = tuple[float, ...]


class TieBreak(msgspec.Struct, frozen=True):
    """Tells equal totals apart: each competitor's number and what it counts; higher is ahead unless `lowest_wins`."""

    numbers: Scores
    counts: Plural
    lowest_wins: bool = False


class Standing(msgspec.Struct, frozen=True):
    """Where a competitor stands: its seats, its total, its place, and in words what put it before or behind others
    with the same total; nothing where no total decides otherwise."""

    seats: tuple[int, ...]
    total: float
    place: int
    decided_by: str = ""


def added_up(totals: Scores, entries: Scores) -> Scores:
    """The totals after one more round where rounds are added up; there are none before the first."""
    return tuple(map(sum, zip(totals, entries, strict=True))) if totals else entries


def places_of(totals: Scores, lowest_wins: bool, tie_break: TieBreak | None = None) -> tuple[int, ...]:
    """Each competitor's place; who is equal in everything shares it (1-2-2-4)."""
    marks = [(_mark(total, lowest_wins), 0.0) for total in totals]
    if tie_break:
        numbers = (_mark(number, tie_break.lowest_wins) for number in tie_break.numbers)
        marks = [(mark, number) for (mark, _), number in zip(marks, numbers, strict=True)]
    return tuple(1 + sum(other < mine for other in marks) for mine in marks)


def _mark(number: float, lowest_wins: bool) -> float:
    """The number as one that is the better the lower it is."""
    return number if lowest_wins else -number


def deciders_of(totals: Scores, places: tuple[int, ...], tie_break: TieBreak | None) -> tuple[str, ...]:
    """What gave each competitor its place among those with the same total; nothing where all of them share it."""
    if tie_break is None:
        return ("",) * len(totals)
    shared = [{place for total, place in zip(totals, places, strict=True) if total == mine} for mine in totals]
    return tuple(
        tie_break.counts(number) if len(level) > 1 else ""
        for number, level in zip(tie_break.numbers, shared, strict=True)
    )
