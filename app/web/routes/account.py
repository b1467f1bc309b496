"""My room: a guest's own tables, matches and numbers, other devices, and what the room keeps about the guest."""

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from msgspec import json
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.accounts.deletion import forget_at_wish
from app.services.accounts.export import export_of
from app.services.accounts.history import SHOWN, stats_of
from app.services.errors import Conflict, Refused
from app.services.idempotent import idempotent, without_stored_answer
from app.services.players import links, players
from app.services.players.players import hash_of
from app.services.queries.circles import circles_of
from app.services.queries.lobby import places_of
from app.storage.models import Player
from app.web.deps import FormDep, KeyDep, TokenDep, Visit, VisitDep, by_nobody, cookie_of, forget, known, remember, text
from app.web.errors import form_page
from app.web.middleware.rate_limit import codes
from app.web.pages.charts import places_plot, points_plot
from app.web.pages.circles import day_words, evening_words
from app.web.pages.qr import qr_path
from app.web.pages.render import base_url, elsewhere, render_page
from snug.words import gettext

router = APIRouter()
_HERE = "/me"
_SAID = {
    "name": gettext("From the next table on, that is your name."),
    "link": gettext("The recovery link no longer works."),
    "elsewhere": gettext("Every other device is signed out."),
    "left": gettext("You have left the circle."),
    "recovered": gettext("This device knows you now. Your recovery link is used up: make a new one for the next time."),
}


def _known(me: Player | None) -> Player:
    return known(me, gettext("The room does not know you yet: open a table or take a seat first."))


def _refuse_unless_sure(form: FormData) -> None:
    if text(form, "sure") != "yes":
        raise Refused("NOT_SURE", "Nothing was done: the form did not say that you are sure.")


def _day(seconds: float) -> tuple[str, str]:
    """The day of a moment, for machines and for people."""
    day = datetime.fromtimestamp(seconds, UTC).date()
    return day.isoformat(), day_words(day)


def _show(visit: Visit, *, done: str | None = None, refusal: Refused | None = None) -> Response:
    """My room; `refusal` is about a new name."""
    if visit.me is None:
        return form_page(visit, "account/unknown.html", refusal)
    with visit.context.database.reading() as connection:
        player_stats = stats_of(connection, visit.me.id)
        running = places_of(visit.context, connection, visit.me.id, running=True)
        circles = circles_of(visit.context, connection, visit.me.id)
        known = links.count_devices(connection, visit.me.id)
        has_link = links.has_recovery_link(visit.context, connection, visit.me.id)
    return form_page(
        visit,
        "account/show.html",
        refusal,
        player_stats=player_stats,
        my_tables=running.tables,
        my_tournaments=running.tournaments,
        my_circles=circles,
        evening_words=evening_words,
        calls=running.calls,
        devices=known,
        has_link=has_link,
        plots=[(stats, places_plot(stats), points_plot(stats)) for stats in player_stats.games],
        shown=SHOWN,
        day=_day,
        done=_SAID.get(done or ""),
    )


@router.get("/me")
def show(visit: VisitDep, done: str = "") -> Response:
    """My room."""
    return _show(visit, done=done)


@router.get("/me/turns")
def turns(visit: VisitDep, seen: int = 0, listed: bool = False) -> Response:
    """The tables that wait for me, once others do than those of this mark; in my room all of mine are `listed`."""
    others = elsewhere(visit)
    if visit.me is None or others is None or others.mark == seen:
        return Response(status_code=204)
    if not listed:
        return render_page(visit, "account/_turns.html")
    mine = visit.read(places_of, visit.me.id, running=True)
    return render_page(visit, "account/_turns.html", my_tables=mine.tables, my_tournaments=mine.tournaments)


@router.get("/me/export")
def export(visit: VisitDep) -> Response:
    """Everything that is stored about me, to download."""
    with visit.context.database.reading() as connection:
        kept = export_of(connection, _known(visit.me).id)
    return Response(
        json.format(json.encode(kept), indent=1),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="snug-my-room.json"', "Cache-Control": "no-store"},
    )


@router.post("/me/name")
def rename(visit: VisitDep, form: FormDep) -> Response:
    """Another nickname, from the next table on."""
    try:
        visit.context.write(players.rename, _known(visit.me).id, text(form, "nickname"))
    except Refused as refusal:
        return _show(visit, refusal=refusal)
    return RedirectResponse(f"{_HERE}?done=name", 303)


@router.post("/me/recovery")
def recovery(visit: VisitDep, form: FormDep, made: TokenDep) -> Response:
    """The recovery link, made anew; kept nowhere, and shown again only to whoever sends this again."""
    _refuse_unless_sure(form)
    player_id = _known(visit.me).id
    new_link = without_stored_answer(links.new_recovery_link)
    visit.context.write(idempotent(new_link, player_id, hash_of(visit.context, made)), player_id, made)
    visit.read(links.player_of_link, made)
    url = f"{base_url(visit.request)}/r/{made}"
    return render_page(visit, "account/recovery_link.html", recovery_url=url, qr=qr_path(url))


@router.post("/me/recovery/revoke")
def revoke(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Switches the recovery link off."""
    _refuse_unless_sure(form)
    player_id = _known(visit.me).id
    visit.context.write(idempotent(links.end_recovery_link, player_id, key), player_id)
    return RedirectResponse(f"{_HERE}?done=link", 303)


@router.get("/r/{token}")
def found(visit: VisitDep, token: str) -> Response:
    """Asks before this browser becomes the link's guest: opening a link changes nothing."""
    player = visit.read(links.player_of_link, token)
    other_name = visit.me.name if visit.me and visit.me.id != player.id else None
    return render_page(visit, "account/recover.html", player=player, other_name=other_name)


@router.post("/r/{token}")
def recover(visit: VisitDep, token: str, made: TokenDep) -> Response:
    """Makes this browser known as the link's guest, if it is not."""
    codes.check(visit.request)
    player = visit.read(links.player_of_link, token)
    cookie = cookie_of(visit.request)
    if visit.me is None or visit.me.id != player.id:
        cookie = visit.context.write(links.follow_recovery_link, token, made)
    response = RedirectResponse(f"{_HERE}?done=recovered", 303)
    remember(visit.request, response, cookie)
    return response


@router.post("/me/sign-out")
def sign_out(visit: VisitDep, form: FormDep) -> Response:
    """This browser is forgotten, or has been already."""
    _refuse_unless_sure(form)
    if visit.me is not None:
        visit.context.write(links.sign_out, visit.me.id, cookie_of(visit.request))
    response = RedirectResponse("/", 303)
    forget(visit.request, response)
    return response


@router.post("/me/sign-out-elsewhere")
def sign_out_elsewhere(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Every other browser is forgotten."""
    _refuse_unless_sure(form)
    player_id = _known(visit.me).id
    visit.context.write(idempotent(links.sign_out_elsewhere, player_id, key), player_id, cookie_of(visit.request))
    return RedirectResponse(f"{_HERE}?done=elsewhere", 303)


@router.get("/me/delete")
def ask(visit: VisitDep) -> Response:
    """Says what goes and what stays, and asks."""
    _known(visit.me)
    return form_page(visit, "account/delete.html", None)


@router.post("/me/delete")
def delete(visit: VisitDep, form: FormDep) -> Response:
    """Forgets the guest. Who is forgotten is told so again."""
    if visit.me is None:
        return _goodbye(visit.request)
    try:
        if text(form, "sure") != "yes":
            raise Refused("NOT_SURE", "Tick the box if you are sure. Nothing has been deleted.")
        visit.context.write(forget_at_wish, visit.me.id, cookie_of(visit.request))
    except (Refused, Conflict) as refusal:
        return form_page(visit, "account/delete.html", refusal)
    return _goodbye(visit.request)


def _goodbye(request: Request) -> Response:
    response = render_page(by_nobody(request), "account/deleted.html")
    forget(request, response)
    return response
