"""A score sheet, the curve of a match, or a guest's matches as small line charts: the geometry; templates draw it."""

from collections.abc import Mapping, Sequence
from math import ceil, floor

import msgspec

from app.services.accounts.history import GameStats
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
_PLOT_TOP = 12
_PLOT_TEXT_HEIGHT = 14
_MARGIN = 8


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
    left = _MARGIN + 7 * max(len(in_figures(low)), len(in_figures(high)))
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


# A guest's matches, one point a match


class Plot(msgspec.Struct, frozen=True):
    """One line from the oldest match to the newest; `start` is where the axis of the levels ends."""

    width: int
    height: int
    start: float
    line: str
    dots: tuple[tuple[float, float], ...]
    matches: tuple[Mark, ...]
    levels: tuple[Mark, ...]


def places_plot(stats: GameStats) -> Plot:
    """The places, the first at the top."""
    places = [float(past.place) for past in stats.history]
    last = max(2, max(past.sides for past in stats.history))
    return _plot(places, sorted({1.0, (1.0 + last) // 2, float(last)}), top_is_low=True)


def points_plot(stats: GameStats) -> Plot:
    """The points, the most at the top."""
    points = [past.points for past in stats.history]
    return _plot(points, sorted({min(points), 0.0, max(points)}), top_is_low=False)


def _plot(values: Sequence[float], levels: Sequence[float], *, top_is_low: bool) -> Plot:
    low, high = min(levels), max(levels)
    start = _MARGIN + 7.0 * max(len(in_figures(level)) for level in levels)
    wide, tall = _WIDTH - _MARGIN - start, _LEAST_HEIGHT - _PLOT_TOP - _BOTTOM

    def across(index: int) -> float:
        return round(start + wide * (index / (len(values) - 1) if len(values) > 1 else 0.5), 1)

    def down(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 1.0
        return round(_PLOT_TOP + tall * (share if top_is_low else 1 - share), 1)

    def has_room(level: float) -> bool:
        return level in (low, high) or min(abs(down(level) - down(end)) for end in (low, high)) > _PLOT_TEXT_HEIGHT

    dots = tuple((across(index), down(value)) for index, value in enumerate(values))
    step = -(-len(values) // 10)
    return Plot(
        width=_WIDTH,
        height=_LEAST_HEIGHT,
        start=start,
        line=" ".join(f"{x},{y}" for x, y in dots),
        dots=dots,
        matches=tuple(Mark(across(number - 1), str(number)) for number in range(step, len(values) + 1, step)),
        levels=tuple(Mark(down(level), in_figures(level)) for level in levels if has_room(level)),
    )
