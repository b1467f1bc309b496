"""A guest's matches as small charts, one point a match: the geometry; the template draws it."""

from collections.abc import Sequence

import msgspec

from app.services.accounts.history import GameStats
from app.web.pages.charts import Mark, in_figures

_WIDTH = 340
_HEIGHT = 150
_TOP = 12
_BOTTOM = 24
_MARGIN = 8
_TEXT_HEIGHT = 14


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
    wide, tall = _WIDTH - _MARGIN - start, _HEIGHT - _TOP - _BOTTOM

    def across(index: int) -> float:
        return round(start + wide * (index / (len(values) - 1) if len(values) > 1 else 0.5), 1)

    def down(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 1.0
        return round(_TOP + tall * (share if top_is_low else 1 - share), 1)

    def has_room(level: float) -> bool:
        return level in (low, high) or min(abs(down(level) - down(end)) for end in (low, high)) > _TEXT_HEIGHT

    dots = tuple((across(index), down(value)) for index, value in enumerate(values))
    step = -(-len(values) // 10)
    return Plot(
        width=_WIDTH,
        height=_HEIGHT,
        start=start,
        line=" ".join(f"{x},{y}" for x, y in dots),
        dots=dots,
        matches=tuple(Mark(across(number - 1), str(number)) for number in range(step, len(values) + 1, step)),
        levels=tuple(Mark(down(level), in_figures(level)) for level in levels if has_room(level)),
    )
