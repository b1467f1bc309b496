"""A score sheet, or the curve of a match, as a small line chart: the geometry; the template draws it."""

from collections.abc import Mapping, Sequence
from math import ceil, floor

import msgspec

from app.services.play.score_sheet import Sheet
from snug.bots import review as reviews
from snug.engine.game import Scores
from snug.words import figures

_WIDTH = 340
_NAMES = 112  # kept free at the right for the names
_TOP = 18
_BOTTOM = 24
_LEAST_HEIGHT = 150
_NAME_HEIGHT = 15
_TEXT_HEIGHT = 13
_LONGEST_NAME = 12


class ChartLine(msgspec.Struct, frozen=True):
    """One competitor: the corners of the line, where it ends, where its name stands."""

    number: int
    name: str
    is_me: bool
    points: str
    end: tuple[float, float]
    name_y: float


class Mark(msgspec.Struct, frozen=True):
    """A number as it is read, with a minus instead of a hyphen."""

    at: float
    text: str


class Chart(msgspec.Struct, frozen=True):
    """Running totals, round by round, from the start at nothing; `high` is the highest level."""

    width: int
    height: int
    plot_width: int
    lines: tuple[ChartLine, ...]
    rounds: tuple[Mark, ...]
    levels: tuple[Mark, ...]
    high: float = 0.0


def chart_of(sheet: Sheet | None) -> Chart | None:
    """The chart of a score sheet; None while there is no more than one round to show."""
    if sheet is None or sheet.finished < 2:
        return None
    running: tuple[Scores, ...] = ((0.0,) * len(sheet.competitors), *sheet.running)
    names = [(one.name, one.is_me) for one in sheet.competitors]
    step = -(-len(sheet.running) // 10)
    marks = {number: str(number) for number in range(step, len(running), step)}
    low, high = (find(find(totals) for totals in running) for find in (min, max))
    return _drawn(running, names, marks, sorted({low, 0.0, high}))


def curve_of(names: Sequence[tuple[str, bool]], curve: Sequence[reviews.Mark]) -> Chart:
    """How far ahead everybody could expect to be, choice by choice; each round has its number where it ends. `names`
    are those of the sides, and whether one is the reader's."""
    running = [(0.0,) * len(names), *(mark.ahead for mark in curve)]
    marks = {at: str(mark.number) for at, mark in enumerate(curve, 1) if mark.step is None}
    every = [value for ahead in running for value in ahead]
    low, high = float(floor(min(every))), float(ceil(max(every)))
    return _drawn(running, names, marks, sorted({low, 0.0, high}))


def _drawn(
    running: Sequence[Scores], names: Sequence[tuple[str, bool]], marks: Mapping[int, str], levels: Sequence[float]
) -> Chart:
    """Lines from left to right through what everybody had at each place of `running`, of which some have marks."""
    height = max(_LEAST_HEIGHT, len(names) * _NAME_HEIGHT + _TOP + _BOTTOM)
    low, high = levels[0], levels[-1]
    left = 8 + 7 * max(len(in_figures(low)), len(in_figures(high)))
    wide, tall = _WIDTH - _NAMES - left, height - _TOP - _BOTTOM

    def across(number: int) -> float:
        return round(left + wide * number / (len(running) - 1), 1)

    def down(total: float) -> float:
        return round(_TOP + tall * ((high - total) / (high - low) if high > low else 1), 1)

    def has_room(level: float) -> bool:
        return level in (low, high) or min(abs(down(level) - down(end)) for end in (low, high)) > _TEXT_HEIGHT

    courses = [
        [(across(number), down(totals[index])) for number, totals in enumerate(running)] for index in range(len(names))
    ]
    return Chart(
        width=_WIDTH,
        height=height,
        plot_width=_WIDTH - _NAMES,
        lines=lines_through(courses, names, _LONGEST_NAME, height - _BOTTOM),
        rounds=tuple(Mark(across(number), text) for number, text in marks.items()),
        levels=tuple(Mark(down(level), in_figures(level) if has_room(level) else "") for level in levels),
        high=high,
    )


def lines_through(
    courses: Sequence[Sequence[tuple[float, float]]], names: Sequence[tuple[str, bool]], longest: int, bottom: float
) -> tuple[ChartLine, ...]:
    """A line through the corners of each course, with its name, cut to so many letters, beside its end."""
    heights = apart([course[-1][1] for course in courses], bottom)
    return tuple(
        ChartLine(
            number=index % 8 + 1,
            name=name if len(name) <= longest else name[: longest - 1] + "…",
            is_me=is_me,
            points=" ".join(f"{x},{y}" for x, y in courses[index]),
            end=courses[index][-1],
            name_y=heights[index],
        )
        for index, (name, is_me) in enumerate(names)
    )


def in_figures(number: float) -> str:
    """A number as it is read."""
    return figures(f"{number:g}")


def apart(heights: list[float], bottom: float) -> list[float]:
    """Where names stand that would like to stand at `heights`: in their order, none over another, none too low."""
    order = sorted(range(len(heights)), key=lambda index: (heights[index], index))
    placed = [0.0] * len(heights)
    lowest = 0.0
    for index in order:
        lowest = placed[index] = max(heights[index], lowest)
        lowest += _NAME_HEIGHT
    for place, index in enumerate(reversed(order)):
        placed[index] = min(placed[index], bottom - place * _NAME_HEIGHT)
    return placed
