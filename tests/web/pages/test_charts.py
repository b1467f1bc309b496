"""The score sheet as a chart: every total at its height, names apart."""

import re
from itertools import pairwise
from typing import Any

import pytest

from app.services.play.score_sheet import Competitor, Sheet
from app.web.pages.charts import Chart, chart_of
from app.web.pages.render import template
from snug.engine.game import Scores


def sheet(*running: Scores) -> Sheet:
    """A sheet with these totals after each round."""
    competitors = tuple(
        Competitor(f"Player number {index}", (index,), (), total, 1, is_me=index == 1)
        for index, total in enumerate(running[-1], 1)
    )
    return Sheet(competitors, running, running, len(running), len(running))


def corners(chart: Chart, line: int) -> list[tuple[float, float]]:
    """The corners of a line."""
    pairs = (point.split(",") for point in chart.lines[line].points.split(" "))
    return [(float(x), float(y)) for x, y in pairs]


def test_one_round_is_no_chart() -> None:
    assert chart_of(None) is None
    assert chart_of(sheet((3.0, 4.0))) is None


def test_lines_go_from_nothing_through_every_total() -> None:
    chart = chart_of(sheet((2.0, 0.0), (2.0, 8.0)))
    assert chart is not None
    (start, after_one, after_two), second = corners(chart, 0), corners(chart, 1)
    assert start == second[0]
    assert after_one[1] == after_two[1] < start[1]
    assert second[1][1] == start[1]
    assert second[2][1] < after_two[1]
    quarter = (start[1] - second[2][1]) / 4
    assert start[1] - after_one[1] == pytest.approx(quarter, abs=0.2)
    assert [mark.text for mark in chart.rounds] == ["1", "2"]
    assert [mark.text for mark in chart.levels] == ["0", "8"]


def test_totals_below_nothing_have_their_place() -> None:
    chart = chart_of(sheet((-5.0, 5.0), (-10.0, 10.5)))
    assert chart is not None
    assert [mark.text for mark in chart.levels] == ["−10", "0", "10.5"]
    heights = [mark.at for mark in chart.levels]
    assert heights == sorted(heights, reverse=True)


def test_nothing_is_not_written_over_another_number() -> None:
    chart = chart_of(sheet((-1.0, 40.0), (-2.0, 80.0)))
    assert chart is not None
    assert [mark.text for mark in chart.levels] == ["−2", "", "80"]


@pytest.mark.parametrize("seats", [2, 8, 14])
def test_names_stand_apart_and_on_the_chart(seats: int) -> None:
    level = (0.0,) * seats
    for totals in (level, tuple(float(seat) for seat in range(seats)), (*level[1:], 30.0)):
        chart = chart_of(sheet(level, totals))
        assert chart is not None
        heights = sorted(line.name_y for line in chart.lines)
        assert all(below - above >= 14.9 for above, below in pairwise(heights))
        assert heights[0] >= 0
        assert heights[-1] <= chart.height
        assert all(len(line.name) <= 12 for line in chart.lines)


def test_many_rounds_are_marked_here_and_there() -> None:
    chart = chart_of(sheet(*((float(number), 0.0) for number in range(60))))
    assert chart is not None
    assert [mark.text for mark in chart.rounds] == ["6", "12", "18", "24", "30", "36", "42", "48", "54", "60"]


def drawn() -> str:
    templates: Any = template("_lines.html").module
    return str(templates.lines_chart(chart_of(sheet((2.0, 0.0), (2.0, 8.0))), "Totals", "chart"))


def test_a_level_s_number_stands_at_its_line() -> None:
    lines = re.findall(r'<path class="level" d="M\S+ ([\d.]+)H', html := drawn())
    numbers = re.findall(r'<text class="mark" x="0" y="([\d.]+)">', html)
    assert (
        [float(number) - float(line) for number, line in zip(numbers, lines, strict=True)] == [4.0] * len(lines) != []
    )


def test_a_line_s_name_is_led_to_from_its_last_dot() -> None:
    dot = r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/>'
    lead = r'<path class="lead" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/>'
    found = re.findall(rf'{dot}\s*{lead}\s*<text x="([\d.]+)" y="([\d.]+)">', drawn())
    assert len(found) == 2
    for one in found:
        x, y, radius, from_x, from_y, to_x, to_y, name_x, name_y = map(float, one)
        assert (from_x - x - radius, from_y - y) == pytest.approx((0.5, 0))
        assert (name_x - to_x, name_y - to_y) == pytest.approx((3, 4))


def test_only_ones_own_line_is_marked() -> None:
    html = drawn()
    assert re.findall(r'<g class="line ([^"]*)">', html) == ["line-1 me", "line-2"]
