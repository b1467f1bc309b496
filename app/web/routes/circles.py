"""Circles: opening one, the door for whoever has its link, and everything that its members do there."""

from functools import partial

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.circles import evenings, members, opening
from app.services.context import AppContext
from app.services.errors import Conflict, NotFound, Refused, ServiceError
from app.services.queries.circles import load_door
from app.services.quotas import take_circle
from app.storage.writer import Transaction
from app.web.calendar import MIME, calendar_of
from app.web.clicks import Click, add_clicks, at, bound, by_anybody, do
from app.web.deps import FormDep, KeyDep, TokenDep, Visit, VisitDep, number, text, welcomed_to
from app.web.errors import form_page
from app.web.middleware.rate_limit import codes, household_of, welcome
from app.web.pages.circles import draw_circle, draw_year
from app.web.pages.render import base_url, render_page
from snug.words import gettext

router = APIRouter()
_UNKNOWN = gettext("The room does not know you yet: follow the circle’s link first.")


@router.get("/circles/new")
def new(visit: VisitDep) -> Response:
    """The form for a new circle."""
    return form_page(visit, "circles/new.html", None, title="", name="")


@router.post("/circles")
def open_circle(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Opens a circle; a new guest gives a nickname with it."""
    title, name = text(form, "title"), text(form, "name")
    if visit.me is None:
        welcome(visit.request)
    try:
        opened = partial(_create, household=household_of(visit.request), title=title)
        slug, token = visit.context.write(by_anybody, visit.player_id, key, made, name, opened, renames=True)
    except ServiceError as error:
        return form_page(visit, "circles/new.html", error, title=title, name=name)
    return welcomed_to(visit.request, f"/c/{slug}", token)


def _create(context: AppContext, transaction: Transaction, player_id: int, household: str, title: str) -> str:
    take_circle(context, transaction, player_id, household)
    return members.open_circle(context, transaction, player_id, title)


@router.get("/c/{slug}")
def show(visit: VisitDep, season: int | None = None) -> Response:
    """A circle from inside."""
    return draw_circle(visit, season=season)


@router.get("/c/{slug}/year")
def year(visit: VisitDep, of: int | None = None) -> Response:
    """A year in pictures."""
    return draw_year(visit, of)


@router.get("/c/{slug}/evening.ics")
def calendar(visit: VisitDep) -> Response:
    """The next evening for a calendar."""
    with visit.context.database.reading() as connection:
        row, _ = members.joined(connection, visit.slug, visit.player_id)
    start = evenings.start_of(row.starts, row.zone, visit.context.now())
    if start is None:
        raise NotFound("No evening is planned just now.")
    title = f"{row.name}: {row.place}" if row.place else row.name
    url, uid = f"{base_url(visit.request)}/c/{visit.slug}", f"{visit.slug}-{row.evening}@snug"
    return Response(
        calendar_of(title, start, evenings.LASTS, url, uid, row.changed_at),
        media_type=MIME,
        headers={"Content-Disposition": 'attachment; filename="evening.ics"', "Cache-Control": "no-store"},
    )


@router.get("/c/{slug}/join/{token}")
def door(visit: VisitDep, token: str) -> Response:
    """Asks before anybody becomes a member: opening a link changes nothing."""
    return _door(visit, token)


def _door(visit: Visit, token: str, *, name: str = "", error: ServiceError | None = None) -> Response:
    with visit.context.database.reading() as connection:
        row = members.of_link(visit.context, connection, visit.slug, token)
        circle = load_door(visit.context, connection, row, visit.player_id)
    if circle.is_member:
        return RedirectResponse(f"/c/{visit.slug}", 303)
    status = error.status if error else 200
    return render_page(visit, "circles/door.html", status, circle=circle, name=name, error=error)


@router.post("/c/{slug}/join/{token}")
def join(visit: VisitDep, token: str, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Becomes a member; a new guest gives a nickname with it."""
    codes.check(visit.request)
    name = text(form, "name")
    if visit.me is None:
        welcome(visit.request)
    try:
        join_it = at(visit.slug, bound(members.join, token, name or (visit.me.name if visit.me else "")))
        _, cookie = visit.context.write(by_anybody, visit.player_id, key, made, name, join_it)
    except (Refused, Conflict) as error:
        return _door(visit, token, name=name, error=error)
    return welcomed_to(visit.request, f"/c/{visit.slug}", cookie)


def _act(
    visit: Visit, click: Click, key: str | None = None, *, where: str = "", tried: dict[str, str] | None = None
) -> Response:
    """One click in a circle, done once for a `key`: leads `where` it is to be seen; what is refused is said on the
    circle's page, beside what was `tried`."""
    try:
        do(visit, click, key, unknown=_UNKNOWN)
    except (Refused, Conflict) as error:
        return draw_circle(visit, error=error, tried=tried)
    return RedirectResponse(where or f"/c/{visit.slug}", 303)


@router.post("/c/{slug}/leave")
def leave(visit: VisitDep, key: KeyDep) -> Response:
    """Goes, and sees the circle no more."""
    return _act(visit, members.leave, key=key, where="/me?done=left")


def _tried(form: FormData, act: str, *fields: str) -> dict[str, str]:
    """What a form was filled in with, to be put right."""
    return {"act": act, **{field: text(form, field) for field in fields}}


@router.post("/c/{slug}/evening")
def plan_evening(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """When and where the circle meets next."""
    tried = _tried(form, "evening", "day", "time", "zone", "place", "remind")
    when = tried["day"], tried["time"], tried["zone"]
    click = bound(evenings.plan_evening, *when, tried["place"], number(form, "remind"))
    return _act(visit, click, key, tried=tried)


@router.post("/c/{slug}/season")
def add_season(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Days that are counted by themselves."""
    tried = _tried(form, "season", "name", "begins", "ends")
    return _act(visit, bound(evenings.add_season, tried["name"], tried["begins"], tried["ends"]), key, tried=tried)


add_clicks(
    router,
    _act,
    once={
        "/c/{slug}/name": lambda form: bound(members.rename, text(form, "title")),
        "/c/{slug}/me": lambda form: bound(members.rename_me, text(form, "name")),
        "/c/{slug}/link": lambda _: members.renew_link,
        "/c/{slug}/host": lambda form: bound(members.make_host, number(form, "number"), text(form, "wanted") == "yes"),
        "/c/{slug}/remove": lambda form: bound(members.remove, number(form, "number")),
        "/c/{slug}/evening/off": lambda _: evenings.call_off,
        "/c/{slug}/answer": lambda form: bound(evenings.answer, number(form, "evening"), text(form, "coming")),
        "/c/{slug}/season/drop": lambda form: bound(evenings.drop_season, number(form, "number")),
        "/c/{slug}/rules": lambda form: bound(opening.keep_rules, text(form, "table")),
        "/c/{slug}/rules/drop": lambda form: bound(opening.drop_rules, text(form, "game")),
    },
)
