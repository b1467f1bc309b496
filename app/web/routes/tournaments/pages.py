"""Tournaments to read: the page, the standings for the whole room, what is taken away."""

import csv
import io
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from msgspec import json
from starlette.responses import Response

from app.services.queries.calls import call_of, evening_of
from app.services.queries.tournaments.archive import log_of
from app.services.queries.tournaments.export import exported
from app.services.queries.tournaments.load import hall_mark, rows_for_machines, version_of
from app.services.queries.tournaments.printout import sheets_of
from app.services.tournaments.calls import channel
from app.web.calendar import MIME, calendar_of
from app.web.deps import ContextDep, Visit, VisitDep, wants_fragment
from app.web.pages.qr import qr_image
from app.web.pages.render import base_url, render_page
from app.web.pages.tournaments import draw, draw_board, draw_stage, link_to, load, turn
from snug.words import as_read, gettext

router = APIRouter(prefix="/tournaments")
_LONGEST_SLUG = 32


@router.get("/{slug}")
def show(visit: VisitDep) -> Response:
    """What it is, who is in, where to go."""
    return draw(visit)


@router.get("/{slug}/live")
def live(visit: VisitDep, seen: int = 0) -> Response:
    """The page as a fragment, once there is something newer than `seen`."""
    with visit.context.database.reading() as connection:
        version = version_of(connection, visit.slug)
    visit.context.pubsub.heard(visit.slug, version)
    return Response(status_code=204) if version == seen else draw(visit)


@router.get("/{slug}/hall")
def hall(visit: VisitDep, seen: str = "") -> Response:
    """The tables of the stage being played, once they are not as they were `seen`; between stages there are none."""
    if not wants_fragment(visit.request):
        return draw(visit)
    _, mark = _hall_mark(visit)
    if mark in ("", seen):
        return Response(status_code=204)
    nothing: dict[str, Any] = {"filled": None, "tried": None, "error": None}  # no form was refused
    return render_page(visit, "tournaments/_hall.html", page=load(visit), **nothing)


@router.get("/{slug}/standings")
def standings(visit: VisitDep, seen: str = "", part: int = 0) -> Response:
    """The tables and who stands where and why, for a screen in the room and for paper: as a fragment once there is
    something else to see than what was `seen`. It shows one part after the other, or the one that is asked for."""
    version, tables = _hall_mark(visit)
    mark = f"{version}-{tables}-{part or -turn(visit.context)}"
    if mark == seen and wants_fragment(visit.request):
        return Response(status_code=204)
    return draw_board(visit, mark, part)


def _hall_mark(visit: Visit) -> tuple[int, str]:
    return visit.read(hall_mark, visit.slug, visit.player_id)


@router.get("/{slug}/stages/{number}")
def stage(visit: VisitDep, number: Annotated[int, Path(ge=1, le=1000)]) -> Response:
    """A closed stage: its tables, their results, where to see them again."""
    return draw_stage(visit, number)


@router.get("/{slug}/log")
def log(visit: VisitDep) -> Response:
    """Everything that happened, in words."""
    page = load(visit)
    return render_page(visit, "tournaments/log.html", page=page, parts=log_of(page.held))


@router.get("/{slug}/sheets")
def sheets(visit: VisitDep) -> Response:
    """Score sheets to print and to fill in by hand."""
    page = load(visit)
    return render_page(visit, "tournaments/sheets.html", page=page, sheets=sheets_of(page))


@router.get("/{slug}/call")
def call(visit: VisitDep, seen: int = 0, at: str = "") -> Response:
    """What the tournament tells this person beside another page (of table `at`), once it is newer than `seen`."""
    told = visit.read(call_of, visit.slug, visit.player_id)
    visit.context.pubsub.heard(channel(visit.slug), told.version)
    if told.version == seen:
        return Response(status_code=204)
    return render_page(visit, "tournaments/_call.html", call=told, at=at[:_LONGEST_SLUG])


@router.get("/{slug}/evening.ics")
def as_calendar(request: Request, slug: str, context: ContextDep) -> Response:
    """The evening for a calendar."""
    with context.database.reading() as connection:
        evening = evening_of(context, connection, slug)
    link = f"{base_url(request)}/tournaments/{slug}"
    event = calendar_of(evening.name, evening.begins_at, evening.minutes, link, f"{slug}@snug", evening.changed_at)
    return Response(event, media_type=MIME, headers=_as_file("evening.ics"))


@router.get("/{slug}/qr.svg")
def qr(request: Request, slug: str, context: ContextDep) -> Response:
    """The link as a QR code."""
    with context.database.reading() as connection:
        version_of(connection, slug)
    return qr_image(link_to(request, slug))


@router.get("/{slug}/standings.csv")
def as_csv(visit: VisitDep) -> Response:
    """The standings for a spreadsheet."""
    page = load(visit)
    out = io.StringIO()
    writer = csv.writer(out)
    stages = [gettext("Stage %(number)s", number=stage.number) for stage in page.held.closed]
    titles = (gettext("Place"), gettext("Name"), gettext("Points"), *stages, gettext("Adjusted"), gettext("Ties"))
    writer.writerow(map(as_read, titles))
    for row in rows_for_machines(page.held):
        writer.writerow(
            [row.place, _cell(row.name), row.points, *row.stages, row.adjusted, _cell(" ".join(map(as_read, row.why)))]
        )
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=_as_file("standings.csv"))


def _cell(words: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{words}" if words[:1] in "=+-@" and words else words


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="snug-{name}"'}


@router.get("/{slug}/tournament.json")
def as_json(visit: VisitDep) -> Response:
    """The whole tournament as data."""
    data = json.format(json.encode(exported(load(visit))))
    return Response(data, media_type="application/json", headers=_as_file("tournament.json"))
