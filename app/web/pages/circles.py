"""How the pages of a circle are drawn: its days in words, its records, a year in pictures."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Final

import msgspec
from babel import Locale
from babel.dates import format_date
from fastapi import Request
from starlette.responses import Response

from app.services.circles.evenings import ANSWERS, REMINDERS
from app.services.circles.opening import CircleRules, rules_of
from app.services.circles.season import Record, Year
from app.services.errors import ServiceError
from app.services.queries.circles import load_circle, load_year
from app.web.deps import Visit
from app.web.pages.charts import Chart, Mark, lines_through
from app.web.pages.qr import qr_path
from app.web.pages.render import HOSTED, base_url, render_page
from snug.games import GAMES
from snug.words import Message, figures, gettext, language, ngettext

_WIDTH = 420
_NAMES = 104  # kept free at the right for the names
_TOP = 14
_BOTTOM = 24
_LEFT = 22
_STEP = 26
_LONGEST_NAME = 13
_TALL = 120
_BAR = 0.64  # of the room that a month has
_MONTH = 4  # letters under a bar


class Bar(msgspec.Struct, frozen=True):
    """A month: where its bar stands, how high, how many evenings, and its name."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    count: int
    name: str


class Bars(msgspec.Struct, frozen=True):
    """The evenings of the months of a year."""

    width: int
    height: int
    bottom: float
    months: tuple[Bar, ...]


def _locale() -> Locale:
    return Locale.parse(language(), sep="-")


def day_words(day: date | str, form: str = "d MMM y") -> str:
    """A day as people write it."""
    return format_date(date.fromisoformat(day) if isinstance(day, str) else day, form, _locale())


def evening_words(starts: str, form: str = "EEEE d MMMM y") -> str:
    """The day and the time of an evening, as on the wall."""
    wall = datetime.fromisoformat(starts)
    return f"{format_date(wall.date(), form, _locale())}, {wall:%H:%M}"


def record_title(record: Record) -> Message:
    """What the record is about."""
    game = GAMES[record.game].name if record.game else ""
    match record.kind:
        case "streak":
            return gettext("Longest %(game)s streak", game=game)
        case "highest":
            return gettext("Highest %(game)s score", game=game)
        case "lowest":
            return gettext("Lowest %(game)s score", game=game)
    return gettext("Most evenings")


def record_value(record: Record) -> str:
    """What it came to."""
    if record.kind == "streak":
        return ngettext("%(count)s match won in a row", "%(count)s matches won in a row", record.value)
    if record.kind == "evenings":
        return ngettext("%(count)s evening", "%(count)s evenings", record.value)
    return figures(f"{record.value:g}")


def points_shown(points: Fraction) -> str:
    """Points of the circle, a hundred for beating everybody: whole numbers are read at a glance."""
    return str(round(100 * points))


def bars_of(year: Year) -> Bars:
    """How many evenings each month had."""
    wide = (_WIDTH - 2 * _LEFT) / len(year.months)
    most = max(1, *year.months)
    bottom = _TALL - _BOTTOM
    months = []
    for at, (count, name) in enumerate(zip(year.months, _months(year), strict=True)):
        high = round((bottom - _TOP - 6) * count / most, 1)
        x = _LEFT + wide * at
        months.append(
            Bar(
                x=round(x + wide * (1 - _BAR) / 2, 1),
                y=round(bottom - high, 1),
                width=round(wide * _BAR, 1),
                height=high,
                middle=round(x + wide / 2, 1),
                count=count,
                name=name,
            )
        )
    return Bars(_WIDTH, _TALL, bottom, tuple(months))


def _months(year: Year) -> list[str]:
    """Short, or by a letter where a language has no names short enough to stand under their bars."""
    of_all = [
        [format_date(date(year.year, at + 1, 1), form, _locale()) for at in range(len(year.months))]
        for form in ("LLL", "LLLLL")
    ]
    return next((names for names in of_all if all(len(name.rstrip(".")) <= _MONTH for name in names)), of_all[-1])


def places_of(year: Year, names: dict[int, str], me: int) -> Chart | None:
    """Each member's place after every evening, the first at the top; None while there are fewer than two evenings."""
    if len(year.days) < 2:
        return None
    members = list(year.places)
    height = _TOP + _BOTTOM + _STEP * max(1, len(members) - 1)
    right = _WIDTH - _NAMES

    def across(at: int) -> float:
        return round(_LEFT + (right - _LEFT) * at / (len(year.days) - 1), 1)

    def down(place: int) -> float:
        return round(_TOP + _STEP * (place - 1.0), 1)

    courses = [
        [(across(n), down(place)) for n, place in enumerate(year.places[member]) if place is not None]
        for member in members
    ]
    called = [(names[member], member == me) for member in members]
    step = -(-len(year.days) // 8)
    return Chart(
        width=_WIDTH,
        height=height,
        plot_width=right,
        lines=lines_through(courses, called, _LONGEST_NAME, height - _BOTTOM),
        rounds=tuple(Mark(across(at), str(at + 1)) for at in range(step - 1, len(year.days), step)),
        levels=tuple(Mark(down(place), str(place)) for place in range(1, len(members) + 1)),
    )


WORDS: Final[dict[str, Any]] = {
    "day_words": day_words,
    "evening_words": evening_words,
    "record_title": record_title,
    "record_value": record_value,
    "points": points_shown,
}


def draw_circle(
    visit: Visit, *, season: int | None = None, error: Any = None, tried: Mapping[str, str] | None = None
) -> Response:
    """A circle as one of its members sees it, with what was refused: beside what was `tried` where that is the form of
    an evening or a season. Raises NotFound and Forbidden."""
    page = visit.read(load_circle, visit.slug, visit.player_id, season)
    link = f"{base_url(visit.request)}/c/{visit.slug}/join/{page.token}"
    return render_page(
        visit,
        "circles/show.html",
        error.status if error else 200,
        page=page,
        link=link,
        qr=qr_path(link),
        answers=ANSWERS,
        reminders=REMINDERS,
        house=[game.name for key, game in HOSTED.items() if key in page.row.rules],
        error=error,
        tried=tried,
        **WORDS,
    )


def draw_year(visit: Visit, year: int | None) -> Response:
    """A year of a circle. Raises NotFound and Forbidden."""
    page = visit.read(load_year, visit.slug, visit.player_id, year)
    return render_page(
        visit,
        "circles/year.html",
        page=page,
        bars=bars_of(page.year),
        places=places_of(page.year, page.names, page.mine),
        **WORDS,
    )


def circle_in(request: Request) -> str:
    """The slug of the circle in whose name something is to be opened, empty where there is none."""
    return request.query_params.get("circle", "")[:32]


def circle_asked(visit: Visit) -> CircleRules | None:
    """That circle; None where there is none, or this person is not in it."""
    slug, context = circle_in(visit.request), visit.request.app.state.context
    if not slug:
        return None
    with context.database.reading() as connection, suppress(ServiceError):
        return rules_of(connection, slug, visit.player_id)
    return None
