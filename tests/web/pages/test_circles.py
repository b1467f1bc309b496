"""A year of a circle in pictures: where the bars and the lines are."""

from datetime import date

from app.services.circles.season import Record, Year
from app.web.pages.circles import bars_of, evening_words, places_of, record_title, record_value

YEAR = Year(
    2027,
    (2, 0, 1, *[0] * 9),
    (date(2027, 1, 8), date(2027, 1, 15), date(2027, 3, 5)),
    {7: (2, 1, 1), 4: (1, 2, 2), 9: (None, None, 3)},
)
NAMES = {4: "Ann", 7: "Ben", 9: "Bartholomew the Third"}


def test_every_month_has_a_bar_as_high_as_its_evenings() -> None:
    bars = bars_of(YEAR)
    first, second, third = bars.months[:3]
    assert first.height == 2 * third.height
    assert second.height == 0
    assert [bar.count for bar in bars.months] == list(YEAR.months)
    assert all(bar.y + bar.height == bars.bottom for bar in bars.months)
    assert bars.months[-1].x + bars.months[-1].width < bars.width


def test_a_line_begins_with_ones_first_evening_and_ends_at_the_place() -> None:
    chart = places_of(YEAR, NAMES, me=4)
    assert chart
    ben, ann, new = chart.lines
    assert (ann.is_me, ben.is_me) == (True, False)
    assert ben.end[1] < ann.end[1] < new.end[1]
    assert [len(line.points.split()) for line in chart.lines] == [3, 3, 1]
    assert new.name == "Bartholomew …"


def test_one_evening_is_no_course() -> None:
    assert places_of(Year(2027, (1, *[0] * 11), (date(2027, 1, 8),), {4: (1,)}), NAMES, 4) is None


def test_records_and_evenings_are_told_in_words() -> None:
    streak = Record("streak", "lucky_paw", 4, (7,), date(2027, 1, 15))
    assert (record_title(streak), record_value(streak)) == ("Longest Lucky Paw streak", "4 matches won in a row")
    most = Record("evenings", "", 3, (4, 7), date(2027, 3, 5))
    assert (record_title(most), record_value(most)) == ("Most evenings", "3 evenings")
    assert evening_words("2027-01-15T20:00") == "Friday 15 January 2027, 20:00"
