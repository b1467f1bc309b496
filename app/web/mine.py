"""My room: a guest's own tables, matches and numbers, other devices, and what the room keeps about the guest."""

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from msgspec import json
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.db import AnyRow
from app.services import devices, players
from app.services.deletion import forget_player
from app.services.errors import Conflict, Forbidden, Refused
from app.services.export import export_of
from app.services.house import House
from app.services.lobby import tables_of, tournaments_of
from app.services.mine import SHOWN, career_of
from app.web.deps import FormDep, HouseDep, PlayerDep, cookie_of, forget, remember, text
from app.web.limits import codes
from app.web.plots import places_plot, points_plot
from app.web.qr import qr_path
from app.web.render import base_url, page

router = APIRouter()
_HERE = "/me"
_SAID = {
    "name": "From the next table on, that is your name.",
    "link": "The recovery link no longer works.",
    "elsewhere": "Every other device is signed out.",
}


def _known(me: AnyRow | None) -> AnyRow:
    if me is None:
        raise Forbidden("The room does not know you yet: open a table or take a seat first.")
    return me


def _refuse_unless_sure(form: FormData) -> None:
    if text(form, "sure") != "yes":
        raise Refused("Nothing was done: the form did not say that you are sure.", "NOT_SURE")


def _day(seconds: float) -> tuple[str, str]:
    """The day of a moment, for machines and for people."""
    day = datetime.fromtimestamp(seconds, UTC).date()
    return day.isoformat(), f"{day.day} {day:%b %Y}"


def _show(
    request: Request, house: House, me: AnyRow | None, *, done: str | None = None, refusal: Refused | None = None
) -> Response:
    """My room; `refusal` is about a new name."""
    status = refusal.status if refusal else 200
    if me is None:
        return page(request, "mine/unknown.html", me, status)
    with house.database.reading() as connection:
        career = career_of(connection, me.id)
        running = tables_of(house, connection, me.id, running=True)
        contests = tournaments_of(connection, me.id)
        known = devices.count_devices(connection, me.id)
        has_link = devices.has_recovery_link(connection, me.id)
    plots = [(stats, places_plot(stats), points_plot(stats)) for stats in career.games]
    return page(
        request,
        "mine/show.html",
        me,
        status,
        career=career,
        my_tables=running,
        my_tournaments=contests,
        devices=known,
        has_link=has_link,
        plots=plots,
        shown=SHOWN,
        day=_day,
        done=_SAID.get(done or ""),
        error=refusal.sentence if refusal else None,
    )


@router.get("/me")
def show(request: Request, house: HouseDep, me: PlayerDep, done: str = "") -> Response:
    """My room."""
    return _show(request, house, me, done=done)


@router.get("/me/export")
def export(house: HouseDep, me: PlayerDep) -> Response:
    """Everything that is stored about me, to download."""
    with house.database.reading() as connection:
        kept = export_of(connection, _known(me).id)
    return Response(
        json.format(json.encode(kept), indent=1),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="snug-my-room.json"', "Cache-Control": "no-store"},
    )


@router.post("/me/name")
def rename(request: Request, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Another nickname, from the next table on."""
    try:
        house.write(players.rename, _known(me).id, text(form, "nickname"))
    except Refused as refusal:
        return _show(request, house, me, refusal=refusal)
    return RedirectResponse(f"{_HERE}?done=name", 303)


@router.post("/me/recovery")
def recovery(request: Request, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """The recovery link, made anew; shown once, kept nowhere."""
    _refuse_unless_sure(form)
    token = house.write(devices.new_recovery_link, _known(me).id)
    url = f"{base_url(request)}/r/{token}"
    return page(request, "mine/recovery_link.html", me, recovery_url=url, qr=qr_path(url))


@router.post("/me/recovery/revoke")
def revoke(house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Switches the recovery link off."""
    _refuse_unless_sure(form)
    house.write(devices.end_recovery_link, _known(me).id)
    return RedirectResponse(f"{_HERE}?done=link", 303)


@router.get("/r/{token}")
def found(request: Request, token: str, house: HouseDep, me: PlayerDep) -> Response:
    """Asks before this browser becomes the link's guest: opening a link changes nothing."""
    with house.database.reading() as connection:
        player = devices.player_of_link(house, connection, token)
    other_name = me.name if me and me.id != player.id else None
    return page(request, "mine/recover.html", me, player=player, other_name=other_name)


@router.post("/r/{token}")
def recover(request: Request, token: str, house: HouseDep) -> Response:
    """Makes this browser known as the link's guest."""
    codes.check(request)
    cookie = house.write(devices.follow_recovery_link, token)
    response = RedirectResponse(_HERE, 303)
    remember(request, response, cookie)
    return response


@router.post("/me/sign-out")
def sign_out(request: Request, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """This browser is forgotten."""
    _refuse_unless_sure(form)
    house.write(devices.sign_out, _known(me).id, cookie_of(request))
    response = RedirectResponse("/", 303)
    forget(request, response)
    return response


@router.post("/me/sign-out-elsewhere")
def sign_out_elsewhere(request: Request, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Every other browser is forgotten."""
    _refuse_unless_sure(form)
    house.write(devices.sign_out_elsewhere, _known(me).id, cookie_of(request))
    return RedirectResponse(f"{_HERE}?done=elsewhere", 303)


@router.get("/me/delete")
def ask(request: Request, me: PlayerDep) -> Response:
    """Says what goes and what stays, and asks."""
    return page(request, "mine/delete.html", _known(me), error=None)


@router.post("/me/delete")
def delete(request: Request, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Forgets the guest."""
    me = _known(me)
    try:
        if text(form, "sure") != "yes":
            raise Refused("Tick the box if you are sure. Nothing has been deleted.", "NOT_SURE")
        house.write(forget_player, me.id)
    except (Refused, Conflict) as refusal:
        return page(request, "mine/delete.html", me, refusal.status, error=refusal.sentence)
    response = page(request, "mine/deleted.html", None)
    forget(request, response)
    return response
