"""Designs: rounds in which everybody has a table and, all rounds together, nobody meets anybody twice, as many as there
can be.

Rotations end where the columns are used up; these go on until everybody has met everybody, or nearly. Where there are
as many people as a space over a field has points, the parallel lines of a direction make a round. Elsewhere people sit
on rings of one length, a few stand still, and a round is turned around place by place: as no two of its pairs are
equally far apart on the same rings, no pair comes twice.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from snug.tournament.rounds.rotation import Groups, moved, regular

_ENOUGH: Final = 50  # tables, for rotations to last longer than any tournament


class _Rings(NamedTuple):
    """Places on rings of this length, ring after ring, the last ones still. Each of `rounds` (a semicolon between them)
    is turned around and makes `length` rounds; each table of `alone`, turned around, makes one."""

    length: int
    rounds: str
    alone: str = ""


_RINGS: Final = {  # by tables and their size
    (5, 3): _Rings(7, "6 12 14, 1 2 10, 3 5 8, 7 9 13, 0 4 11"),
    (6, 3): _Rings(
        4, "4 15 17, 5 6 9, 1 10 14, 8 13 16, 0 3 11, 2 7 12; 2 8 17, 5 10 11, 9 12 15, 1 7 13, 3 6 14, 0 4 16"
    ),
    (7, 3): _Rings(7, "2 3 5, 1 13 16, 6 7 19, 9 11 12, 4 8 15, 0 10 14, 17 18 20", "0 7 16, 0 9 17, 0 13 19"),
    (8, 3): _Rings(11, "5 13 22, 8 20 23, 2 9 11, 6 12 17, 1 7 10, 3 4 19, 15 16 18, 0 14 21"),
    (10, 3): _Rings(14, "4 15 29, 1 27 28, 9 11 19, 7 13 26, 3 12 18, 2 5 6, 10 14 24, 8 17 25, 0 16 21, 20 22 23"),
    (11, 3): _Rings(
        11,
        "4 7 8, 1 10 17, 0 5 15, 3 16 27, 2 11 29, 9 23 31, 6 25 26, 14 18 30, 13 19 32, 22 24 28, 12 20 21",
        "0 17 32, 0 12 26, 0 11 28, 0 14 23, 0 19 29",
    ),
    (12, 3): _Rings(
        17,
        "2 22 34, 14 18 35, 8 13 21, 12 17 27, 11 25 28, 4 5 23, 0 9 15, 1 29 30, 19 24 32, 10 20 26, 7 31 33, 3 6 16",
    ),
    (13, 3): _Rings(
        19,
        "18 20 38, 3 4 27, 0 7 34, 11 13 33, 9 17 26, 2 5 15, 1 6 32, 10 14 28, 16 22 29, 12 23 31, 8 24 37, "
        "21 25 30, 19 35 36",
    ),
    (14, 3): _Rings(
        20,
        "14 32 41, 7 23 40, 6 12 31, 0 4 27, 2 3 35, 5 13 16, 10 15 36, 11 18 33, 1 19 30, 17 21 34, 8 22 28, "
        "9 37 39, 26 29 38, 20 24 25",
    ),
    (6, 4): _Rings(7, "0 4 6 15, 1 7 11 13, 8 14 18 20, 5 9 17 21, 3 12 16 22, 2 10 19 23"),
    (7, 4): _Rings(9, "3 4 18 24, 12 15 20 22, 0 7 25 26, 10 17 19 23, 8 9 21 27, 2 5 11 16, 1 6 13 14"),
    (8, 4): _Rings(
        5,
        "1 9 25 31, 12 18 20 30, 2 8 21 24, 14 16 27 28, 0 3 17 26, 4 10 11 22, 5 7 13 29, 6 15 19 23; "
        "3 7 25 30, 11 19 20 31, 22 23 26 29, 4 6 13 17, 0 1 16 21, 2 10 12 27, 5 9 14 24, 8 15 18 28",
    ),
    (9, 4): _Rings(
        11, "3 5 13 21, 14 16 24 32, 2 10 25 27, 4 8 9 28, 6 15 19 20, 17 26 30 31, 7 11 23 33, 1 18 22 34, 0 12 29 35"
    ),
    (10, 4): _Rings(
        13,
        "0 13 26 39, 2 11 29 36, 3 10 15 24, 16 23 28 37, 4 9 32 33, 6 7 17 22, 19 20 30 35, 14 25 31 34, "
        "5 8 27 38, 1 12 18 21",
    ),
    (12, 4): _Rings(
        15,
        "13 29 41 45, 11 28 44 46, 14 26 43 47, 6 15 19 24, 21 30 34 39, 0 4 9 36, 1 8 22 42, 12 16 23 37, "
        "7 27 31 38, 25 32 33 35, 2 3 5 40, 10 17 18 20",
    ),
    (13, 4): _Rings(
        17,
        "0 17 34 51, 22 27 40 41, 6 7 39 44, 5 10 23 24, 21 25 47 49, 13 15 38 42, 4 8 30 32, 33 37 45 48, "
        "3 11 14 50, 16 20 28 31, 1 26 36 46, 2 12 18 43, 9 19 29 35",
    ),
    (15, 4): _Rings(
        19,
        "2 45 51 53, 7 13 15 21, 26 32 34 40, 10 17 28 33, 29 36 47 52, 9 14 48 55, 6 35 50 57, 12 25 54 58, "
        "16 31 44 59, 11 20 46 56, 8 18 30 39, 1 27 37 49, 19 22 23 43, 5 38 41 42, 0 3 4 24",
    ),
}


@cache
def design(tables: int, size: int) -> tuple[Groups, ...]:
    """The rounds of the design for so many tables of this size; none if none is known. The highest places meet in the
    last round or never, so that without a few of them it is one for fewer people at uneven tables."""
    places = tables * size
    if rings := _RINGS.get((tables, size)):
        rounds = [*_turned(rings, places)]
        return tuple(rounds if places % rings.length > 1 else _renumbered(rounds, places))
    power = next((power for power in (3, 4) if size**power == places), 0)
    return tuple(_parallels(size, power)) if power and size in (3, 4, 5) and tables < _ENOUGH else ()


def designs(places: int, tables: int) -> Iterator[Groups]:
    """Ways to spread the places 0, 1, … over so many tables; compare them by the repeats they make. Where the numbers
    are odd: a design for more people without the highest places, or one for fewer, and the others each by himself."""
    size, more = divmod(places, tables)
    if 2 * more > tables or (more and regular(tables)):
        size += 1
    for groups in design(tables, size):
        alone = ([place] for place in range(tables * size, places))
        yield [*([place for place in table if place < places] for table in groups), *alone]


def _turned(rings: _Rings, places: int) -> Iterator[Groups]:
    turns = range(rings.length)
    for text in rings.rounds.split(";"):
        yield from ([_turn(table, by, rings.length, places) for table in _read(text)] for by in turns)
    for table in _read(rings.alone):
        yield [_turn(table, by, rings.length, places) for by in turns]


def _read(text: str) -> Groups:
    return [[int(place) for place in table.split()] for table in text.split(",") if table]


def _turn(table: list[int], by: int, length: int, places: int) -> list[int]:
    still = places - places % length
    return [place if place >= still else place - place % length + (place + by) % length for place in table]


def _renumbered(rounds: list[Groups], places: int) -> list[Groups]:
    """The rounds with other numbers: the last one's table of the last place has the highest."""
    last = next(table for table in rounds[-1] if places - 1 in table)
    order = sorted(range(places), key=lambda place: place in last)
    number = {place: at for at, place in enumerate(order)}
    return [[[number[place] for place in table] for table in groups] for groups in rounds]


def _parallels(size: int, power: int) -> Iterator[Groups]:
    """The lines of each direction in a space of this power over the field of so many elements; a point's coordinates
    are the digits of its number."""
    points = [*product(range(size), repeat=power)]
    number = {point: at for at, point in enumerate(points)}
    for direction in reversed(points):
        if next(filter(None, direction), 0) != 1:
            continue
        lines = {}
        for point in points:
            steps = ([moved(x, turn, d, size) for x, d in zip(point, direction, strict=True)] for turn in range(size))
            line = sorted(number[tuple(step)] for step in steps)
            lines[line[0]] = line
        yield [*lines.values()]
