"""Tournaments to read: the page, the standings for the whole room, what is taken away."""

import csv
import io

from fastapi import APIRouter, Request
from msgspec import json
from starlette.responses import Response

from app.services.queries.calls import call_of, evening_of
from app.services.queries.tournaments.export import exported
from app.services.queries.tournaments.load import version_of
from app.services.tournaments.calls import channel
from app.web.deps import ContextDep, PlayerDep
from app.web.pages.calendar import MIME, calendar_of
from app.web.pages.qr import qr_image
from app.web.pages.render import base_url, render_page
from app.web.pages.tournaments import draw, load
from app.words import as_read, gettext

router = APIRouter(prefix="/tournaments")
_LONGEST_SLUG = 32


@router.get("/{slug}")
def show(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """What it is, who is in, where to go."""
    return draw(request, context, slug, me)


@router.get("/{slug}/standings")
def standings(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """Who stands where and why: for a screen in the room, and for paper."""
    return draw(request, context, slug, me, board=True)


@router.get("/{slug}/live")
def live(
    request: Request, slug: str, context: ContextDep, me: PlayerDep, seen: int = 0, board: bool = False
) -> Response:
    """Either page as a fragment, once there is something newer than `seen`."""
    with context.database.reading() as connection:
        version = version_of(connection, slug)
    context.pubsub.heard(slug, version)
    if version == seen:
        return Response(status_code=204)
    return draw(request, context, slug, me, board=board)


@router.get("/{slug}/call")
def call(request: Request, slug: str, context: ContextDep, me: PlayerDep, seen: int = 0, at: str = "") -> Response:
    """What the tournament tells this person beside another page, that of table `at` if any, once there is something
    newer than `seen`."""
    with context.database.reading() as connection:
        told = call_of(context, connection, slug, me.id if me else None)
    context.pubsub.heard(channel(slug), told.version)
    if told.version == seen:
        return Response(status_code=204)
    return render_page(request, "tournaments/_call.html", me, call=told, at=at[:_LONGEST_SLUG])


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
    return qr_image(f"{base_url(request)}/tournaments/{slug}")


@router.get("/{slug}/standings.csv")
def as_csv(slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The standings for a spreadsheet."""
    page = load(context, slug, me)
    out = io.StringIO()
    writer = csv.writer(out)
    stages = [gettext("Stage %(number)s", number=stage.number) for stage in page.held.closed]
    titles = (gettext("Place"), gettext("Name"), gettext("Points"), *stages, gettext("Adjusted"), gettext("Ties"))
    writer.writerow(map(as_read, titles))
    for row in page.rows:
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
def as_json(slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The whole tournament as data."""
    data = json.format(json.encode(exported(load(context, slug, me))))
    return Response(data, media_type="application/json", headers=_as_file("tournament.json"))
