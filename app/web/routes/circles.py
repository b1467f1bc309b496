"""Circles: opening one, the door for whoever has its link, and everything that its members do there."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.services.circles import evenings, members, opening
from app.services.context import AppContext
from app.services.errors import Conflict, NotFound, Refused, ServiceError
from app.services.idempotent import idempotent
from app.services.players import players
from app.services.queries.circles import circle_for_calendar, load_door
from app.services.quotas import take_circle
from app.storage.models import Player
from app.storage.writer import Transaction
from app.web.calendar import MIME, calendar_of
from app.web.clicks import Click, bound
from app.web.deps import ContextDep, FormDep, KeyDep, PlayerDep, TokenDep, known, number, remember, text, welcomed_to
from app.web.middleware.rate_limit import codes, household_of, welcome
from app.web.pages.circles import draw_circle, draw_year
from app.web.pages.render import base_url, render_page
from snug.words import gettext

router = APIRouter()
_UNKNOWN = gettext("The room does not know you yet: follow the circle’s link first.")


@router.get("/circles/new")
def new(request: Request, me: PlayerDep) -> Response:
    """The form for a new circle."""
    return _form_page(request, me)


def _form_page(
    request: Request, me: Player | None, *, title: str = "", name: str = "", error: ServiceError | None = None
) -> Response:
    status, sentence = (error.status, error.sentence) if error else (200, None)
    answer = render_page(request, "circles/new.html", me, status, title=title, name=name, error=sentence)
    answer.headers.update(error.headers if error else {})
    return answer


@router.post("/circles")
def open_circle(
    request: Request, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep, made: TokenDep
) -> Response:
    """Opens a circle; a new guest gives a nickname with it."""
    title, name = text(form, "title"), text(form, "name")
    if me is None:
        welcome(request)
    try:
        slug, token = context.write(_open, household_of(request), me.id if me else None, key, made, name, title)
    except ServiceError as error:
        return _form_page(request, me, title=title, name=name, error=error)
    return welcomed_to(request, f"/c/{slug}", token)


def _open(
    context: AppContext,
    transaction: Transaction,
    household: str,
    player_id: int | None,
    key: str | None,
    made: str,
    name: str,
    title: str,
) -> tuple[str, str | None]:
    token = None
    if player_id is None:
        player_id, token = players.welcome(context, transaction, name, made)
    elif name:
        players.rename(context, transaction, player_id, name)
    return idempotent(_create, player_id, key)(context, transaction, household, player_id, title), token


def _create(context: AppContext, transaction: Transaction, household: str, player_id: int, title: str) -> str:
    take_circle(context, transaction, player_id, household)
    return members.open_circle(context, transaction, player_id, title)


@router.get("/c/{slug}")
def show(request: Request, slug: str, context: ContextDep, me: PlayerDep, season: int | None = None) -> Response:
    """A circle from inside."""
    return draw_circle(request, context, slug, me, season=season)


@router.get("/c/{slug}/year")
def year(request: Request, slug: str, context: ContextDep, me: PlayerDep, of: int | None = None) -> Response:
    """A year in pictures."""
    return draw_year(request, context, slug, me, of)


@router.get("/c/{slug}/evening.ics")
def calendar(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The next evening for a calendar."""
    with context.database.reading() as connection:
        row = circle_for_calendar(connection, slug, me.id if me else None)
    start = evenings.start_of(row.starts, row.zone, context.now())
    if start is None:
        raise NotFound("No evening is planned just now.")
    title = f"{row.name}: {row.place}" if row.place else row.name
    url, uid = f"{base_url(request)}/c/{slug}", f"{slug}-{row.evening}@snug"
    return Response(
        calendar_of(title, start, evenings.LASTS, url, uid, row.changed_at),
        media_type=MIME,
        headers={"Content-Disposition": 'attachment; filename="evening.ics"', "Cache-Control": "no-store"},
    )


@router.get("/c/{slug}/join/{token}")
def door(request: Request, slug: str, token: str, context: ContextDep, me: PlayerDep) -> Response:
    """Asks before anybody becomes a member: opening a link changes nothing."""
    return _door(request, context, slug, token, me)


def _door(
    request: Request,
    context: AppContext,
    slug: str,
    token: str,
    me: Player | None,
    *,
    name: str = "",
    error: ServiceError | None = None,
) -> Response:
    with context.database.reading() as connection:
        row = members.of_link(context, connection, slug, token)
        circle = load_door(context, connection, row, me.id if me else None)
    if circle.is_member:
        return RedirectResponse(f"/c/{slug}", 303)
    status = error.status if error else 200
    return render_page(request, "circles/door.html", me, status, circle=circle, name=name, error=error)


@router.post("/c/{slug}/join/{token}")
def join(
    request: Request,
    slug: str,
    token: str,
    context: ContextDep,
    me: PlayerDep,
    form: FormDep,
    key: KeyDep,
    made: TokenDep,
) -> Response:
    """Becomes a member; a new guest gives a nickname with it."""
    codes.check(request)
    name = text(form, "name")
    if me is None:
        welcome(request)
    try:
        cookie = context.write(_join, me.id if me else None, key, made, slug, token, name or (me.name if me else ""))
    except (Refused, Conflict) as error:
        return _door(request, context, slug, token, me, name=name, error=error)
    response = RedirectResponse(f"/c/{slug}", 303)
    if cookie:
        remember(request, response, cookie)
    return response


def _join(
    context: AppContext,
    transaction: Transaction,
    player_id: int | None,
    key: str | None,
    made: str,
    slug: str,
    token: str,
    name: str,
) -> str | None:
    cookie = None
    if player_id is None:
        player_id, cookie = players.welcome(context, transaction, name, made)
    idempotent(members.join, player_id, key)(context, transaction, slug, player_id, token, name)
    return cookie


def _act(
    request: Request,
    context: AppContext,
    slug: str,
    me: Player | None,
    key: str | None,
    click: Click,
    where: str = "",
) -> Response:
    """One click in a circle, done once for a `key`: leads `where` it is to be seen; what is refused is said on the
    circle's page."""
    player_id = known(me, _UNKNOWN).id
    try:
        context.write(idempotent(click, player_id, key), slug, player_id)
    except (Refused, Conflict) as error:
        return draw_circle(request, context, slug, me, error=error)
    return RedirectResponse(where or f"/c/{slug}", 303)


@router.post("/c/{slug}/name")
def rename(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Another name for the circle."""
    return _act(request, context, slug, me, key, bound(members.rename, text(form, "title")))


@router.post("/c/{slug}/me")
def rename_me(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Another name for oneself in the circle."""
    return _act(request, context, slug, me, key, bound(members.rename_me, text(form, "name")))


@router.post("/c/{slug}/link")
def renew_link(request: Request, slug: str, context: ContextDep, me: PlayerDep, key: KeyDep) -> Response:
    """Another link."""
    return _act(request, context, slug, me, key, members.renew_link)


@router.post("/c/{slug}/host")
def make_host(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody is a host from now on, or no longer."""
    given = number(form, "number"), text(form, "wanted") == "yes"
    return _act(request, context, slug, me, key, bound(members.make_host, *given))


@router.post("/c/{slug}/leave")
def leave(request: Request, slug: str, context: ContextDep, me: PlayerDep, key: KeyDep) -> Response:
    """Goes."""
    return _act(request, context, slug, me, key, members.leave, where="/")


@router.post("/c/{slug}/remove")
def remove(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody has to go."""
    return _act(request, context, slug, me, key, bound(members.remove, number(form, "number")))


@router.post("/c/{slug}/evening")
def plan_evening(
    request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep
) -> Response:
    """When and where the circle meets next."""
    when = text(form, "day"), text(form, "time"), text(form, "zone")
    planned = bound(evenings.plan_evening, *when, text(form, "place"), number(form, "remind"))
    return _act(request, context, slug, me, key, planned)


@router.post("/c/{slug}/evening/off")
def call_off(request: Request, slug: str, context: ContextDep, me: PlayerDep, key: KeyDep) -> Response:
    """The next evening does not take place."""
    return _act(request, context, slug, me, key, evenings.call_off)


@router.post("/c/{slug}/answer")
def answer(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Whether somebody comes."""
    return _act(request, context, slug, me, key, bound(evenings.answer, number(form, "evening"), text(form, "coming")))


@router.post("/c/{slug}/season")
def add_season(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Some days are counted by themselves."""
    given = text(form, "name"), text(form, "begins"), text(form, "ends")
    return _act(request, context, slug, me, key, bound(evenings.add_season, *given))


@router.post("/c/{slug}/season/drop")
def drop_season(
    request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep
) -> Response:
    """They are no longer."""
    return _act(request, context, slug, me, key, bound(evenings.drop_season, number(form, "number")))


@router.post("/c/{slug}/rules")
def keep_rules(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """A table's set-up becomes the house rules."""
    return _act(request, context, slug, me, key, bound(opening.keep_rules, text(form, "table")))


@router.post("/c/{slug}/rules/drop")
def drop_rules(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """A game is played as usual again."""
    return _act(request, context, slug, me, key, bound(opening.drop_rules, text(form, "game")))
