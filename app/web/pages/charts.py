"""A score sheet as a small line chart: the geometry; the template draws it."""

import msgspec

from app.engine.game import Scores
from app.services.queries.score_sheet import Sheet

_WIDTH = 340
_NAMES = 104  # kept free at the right for the names
_TOP = 12
_BOTTOM = 24
_LEAST_HEIGHT = 150
_NAME_HEIGHT = 15
_LONGEST_NAME = 13


class Line(msgspec.Struct, frozen=True):
    """One competitor: the corners of the line, where it ends, where its name stands."""

    number: int
    name: str
    is_me: bool
    points: str
    end: tuple[float, float]
    name_y: float


class Mark(msgspec.Struct, frozen=True):
    """A number beside an axis."""

    at: float
    text: str


class Chart(msgspec.Struct, frozen=True):
    """Running totals, round by round, from the start at nothing."""

    width: int
    height: int
    plot_width: int
    plot_bottom: float
    lines: tuple[Line, ...]
    rounds: tuple[Mark, ...]
    levels: tuple[Mark, ...]


def chart_of(sheet: Sheet | None) -> Chart | None:
    """The chart of a score sheet; None while there is no more than one round to show."""
    if sheet is None or sheet.finished < 2:
        return None
    running: tuple[Scores, ...] = ((0.0,) * len(sheet.competitors), *sheet.running)
    height = max(_LEAST_HEIGHT, len(sheet.competitors) * _NAME_HEIGHT + _TOP + _BOTTOM)
    low = min(min(totals) for totals in running)
    high = max(max(totals) for totals in running)
    left = 8 + 7 * max(len(f"{low:g}"), len(f"{high:g}"))
    wide, tall = _WIDTH - _NAMES - left, height - _TOP - _BOTTOM

    def across(number: int) -> float:
        return round(left + wide * number / (len(running) - 1), 1)

    def down(total: float) -> float:
        return round(_TOP + tall * ((high - total) / (high - low) if high > low else 1), 1)

    ends = [down(total) for total in running[-1]]
    names = apart(ends, height - _BOTTOM)
    step = -(-len(sheet.running) // 10)
    return Chart(
        width=_WIDTH,
        height=height,
        plot_width=_WIDTH - _NAMES,
        plot_bottom=height - _BOTTOM,
        lines=tuple(
            Line(
                number=index % 8 + 1,
                name=one.name if len(one.name) <= _LONGEST_NAME else one.name[: _LONGEST_NAME - 1] + "…",
                is_me=one.is_me,
                points=" ".join(f"{across(number)},{down(totals[index])}" for number, totals in enumerate(running)),
                end=(across(len(running) - 1), ends[index]),
                name_y=names[index],
            )
            for index, one in enumerate(sheet.competitors)
        ),
        rounds=tuple(Mark(across(number), str(number)) for number in range(step, len(running), step)),
        levels=tuple(Mark(down(level), f"{level:g}") for level in sorted({low, 0.0, high})),
    )


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
