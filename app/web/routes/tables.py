"""A table: its page, its live fragment, and every click at it."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, Request
from msgspec import json
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.errors import Conflict, Forbidden, Refused, ServiceError, TooOften
from app.services.idempotent import idempotent, without_stored_answer
from app.services.play import hand_order, hints, play, standing_orders
from app.services.players import players
from app.services.players.bars import bars_of
from app.services.players.players import hash_of
from app.services.queries.calls import call_of
from app.services.queries.records import match_record
from app.services.queries.stream import talk_of
from app.services.queries.table_page import TablePage, is_at_hand, load_table_page
from app.services.search_pool import NoThought, TooMuch
from app.services.seats import hosts, seats
from app.storage.pubsub import Told
from app.web.clicks import Click, add_clicks, at, bound, by_newcomer, do
from app.web.deps import (
    NO_SEAT,
    ContextDep,
    FormDep,
    KeyDep,
    TokenDep,
    Visit,
    VisitDep,
    known,
    let_in,
    number,
    seat_cookie_of,
    text,
    wants_fragment,
)
from app.web.forms.moves import move_of
from app.web.middleware.long_poll import TOLD
from app.web.middleware.rate_limit import doors, household_of, welcome
from app.web.pages.qr import qr_image, qr_path
from app.web.pages.render import base_url, elsewhere, question, render_page, render_table, rules_page, welcomed
from app.web.pages.told import render_told
from snug.words import gettext

router = APIRouter(prefix="/t/{slug}")
HEARD_SINCE = "snug.heard"  # the version from which on a page may be as this process has heard
_LONGEST_HAND = 500
_LONGEST_THOUGHT = 5.0  # seconds: pages wait for eight
_log = logging.getLogger(__name__)


def load(visit: Visit, connection: Connection) -> TablePage:
    """The table as this person may see it, and as it is at least since their page of it. Raises NotFound."""
    since = visit.request.scope.get(HEARD_SINCE)
    return load_table_page(visit.context, connection, visit.slug, visit.player_id, since)


def draw(visit: Visit, *, refusal: ServiceError | None = None, seen: int = 0) -> Response:
    """The table as it stands, with a sentence about what was just clicked on a page of version `seen`."""
    with visit.context.database.reading() as connection:
        page = load(visit, connection)
        talk = talk_of(connection, page, visit.player_id)
        call = None
        if visit.me and page.tournament and not wants_fragment(visit.request):
            call = call_of(visit.context, connection, page.tournament.slug, visit.me.id)
    status = refusal.status if refusal else 200
    return render_table(visit, page, talk, refusal=refusal, status=status, seen=seen, call=call)


def act(visit: Visit, click: Click, key: str | None = None, *, seen: int = 0) -> Response:
    """One click at a table, done once for a `key`: the table as it stands then; a refusal is said on it."""
    try:
        do(visit, click, key)
    except (Refused, Conflict, Forbidden) as error:
        return draw(visit, refusal=error)
    return answer(visit, seen)


async def act_soon(visit: Visit, click: Click, seen: int) -> Response:
    """The same without a thread, as long as the table is at hand; such a click is known again by `seen`."""
    if not is_at_hand(visit.context, visit.slug, seen):
        return await run_in_threadpool(act, visit, click, seen=seen)
    try:
        await visit.context.write_soon(click, visit.slug, known(visit.me).id)
    except (Refused, Conflict, Forbidden) as error:
        shown = partial(draw, visit, refusal=error)
    else:
        shown = partial(answer, visit, seen)
    return shown() if is_at_hand(visit.context, visit.slug, seen) else await run_in_threadpool(shown)


def answer(visit: Visit, seen: int = 0) -> Response:
    """The table as it stands after a click, whether it was done now or had been before."""
    if wants_fragment(visit.request):
        return draw(visit, seen=seen)
    asked = question(visit.request)
    return RedirectResponse(f"/t/{visit.slug}?{asked}" if asked else f"/t/{visit.slug}", 303)


def join(visit: Visit, name: str, made: str, click: Callable[[str], Click], *, key: str | None = None) -> Response:
    """The same for somebody whom the room may not know yet: the nickname, which the click is made with, makes a new
    guest, with the token `made` of it."""
    if visit.me is not None:
        return act(visit, click(name or visit.me.name), key=key)
    welcome(visit.request)
    try:
        _, token = visit.context.write(by_newcomer, key, made, name, at(visit.slug, click(name)))
    except (Refused, Conflict, Forbidden) as error:
        return draw(visit, refusal=error)
    return welcomed(visit, token, f"/t/{visit.slug}", draw)


@router.get("")
def show(visit: VisitDep) -> Response:
    """The table as this person may see it."""
    return draw(visit)


@router.get("/live")
def live(visit: VisitDep, seen: int = 0) -> Response:
    """The same, as a fragment, once there is something newer than `seen`; or what a seat is doing just now."""
    with visit.context.database.reading() as connection:
        page = load(visit, connection)
        talk = talk_of(connection, page, visit.player_id)
    visit.context.pubsub.heard(visit.slug, page.table.version)
    others = elsewhere(visit)
    if page.table.version != seen or (
        others and visit.request.query_params.get("turns") not in (None, str(others.mark))
    ):
        return render_table(visit, page, talk, seen=seen)
    told: Told | None = visit.request.scope.get(TOLD)
    return (told and render_told(told, page, talk)) or Response(status_code=204)


@router.get("/rules")
def rules(visit: VisitDep) -> Response:
    """The rules as they are at this table; back at it, everything is as this person had arranged it."""
    page = visit.read(load_table_page, visit.slug, visit.player_id)
    asked = question(visit.request)
    address = f"/t/{visit.slug}?{asked}" if asked else f"/t/{visit.slug}"
    return rules_page(visit, page, (address, gettext("Back to the table")))


@router.post("/moves")
async def move(visit: VisitDep, form: FormDep) -> Response:
    """A move: its verb and parameters by the names of the rules page."""
    seen = max(0, number(form, "seen"))
    return await act_soon(visit, bound(play.play, move_of(form), seen), seen)


@router.post("/hint")
async def hint(visit: VisitDep) -> Response:
    """What a sharp player would do in my place, for my eyes only. Whoever waits for it keeps nobody waiting."""
    try:
        await _think_for(visit, known(visit.me, NO_SEAT).id)
    except (Refused, Conflict, Forbidden, TooOften) as error:
        shown = partial(draw, visit, refusal=error)
        response = await run_in_threadpool(shown)
        response.headers.update(error.headers)
        return response
    return await run_in_threadpool(answer, visit)


async def _think_for(visit: Visit, player_id: int) -> None:
    question = await visit.context.write_soon(hints.ask, visit.slug, player_id, household_of(visit.request))
    if question is None:
        return
    try:
        future = await run_in_threadpool(visit.context.thinkers.submit, question.game, question.view, question.seed)
        thought = await asyncio.wait_for(asyncio.wrap_future(future), _LONGEST_THOUGHT)
    except (NoThought, TimeoutError) as error:
        if isinstance(error, NoThought) and not isinstance(error, TooMuch):
            _log.warning("table %s: nothing came of a hint: %s", visit.slug[:4], error)
        raise TooOften("So much is being thought about just now that no hint comes: try again in a moment.") from error
    await visit.context.write_soon(hints.keep, visit.slug, player_id, question, thought)


@router.post("/hand")
def arrange(visit: VisitDep, form: FormDep) -> Response:
    """How my hand is to lie. A script has put it so and hears the order's number; for a browser without it is drawn."""
    asked = (text(form, "by"), text(form, "cards", longest=_LONGEST_HAND).split(), max(0, number(form, "seen")))
    if not wants_fragment(visit.request):
        return act(visit, bound(hand_order.arrange_hand, *asked))
    order = visit.context.write(hand_order.arrange_hand, visit.slug, known(visit.me).id, *asked)
    return Response(status_code=204, headers={"Snug-Order": str(order)})


@router.post("/hurry")
def hurry(visit: VisitDep) -> Response:
    """The bots move without thinking for show. What they do, polls bring."""
    visit.context.write(play.hurry, visit.slug, known(visit.me).id)
    return Response(status_code=204) if wants_fragment(visit.request) else answer(visit)


@router.post("/sit")
def sit(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Takes a seat; a new guest gives a nickname with it."""
    wanted, cut = number(form, "number"), text(form, "cut")
    return join(visit, text(form, "name"), made, lambda name: bound(seats.take_seat, wanted, name, cut), key=key)


add_clicks(
    router,
    act,
    once={
        "/leave": lambda _: seats.leave_seat,
        "/bot": lambda form: bound(seats.seat_bot, number(form, "number"), text(form, "level")),
        "/fill": lambda form: bound(seats.fill_seats, text(form, "level")),
        "/remove": lambda form: bound(seats.clear_seat, number(form, "number")),
        "/move": lambda form: bound(seats.move_seat, number(form, "number"), number(form, "to")),
        "/shuffle": lambda _: seats.shuffle_seats,
        "/host": lambda form: bound(hosts.hand_over, number(form, "number")),
        "/start": lambda form: bound(seats.start, text(form, "cut"), _seen(form)),
        "/ready": lambda form: bound(play.set_ready, text(form, "cut")),
        "/rematch": lambda form: bound(seats.rematch, text(form, "cut"), _seen(form)),
    },
    again={
        "/why": lambda form: bound(play.say_why_not, move_of(form)),
        "/orders": lambda form: bound(standing_orders.set_orders, None if "cancel" in form else move_of(form)),
    },
)


def _seen(form: FormData) -> int | None:
    return number(form, "seen") if "seen" in form else None


@router.post("/seat-link")
def seat_link(visit: VisitDep, made: TokenDep) -> Response:
    """The personal link to this seat, made anew; kept nowhere, and shown again only to whoever sends this again."""
    player_id = known(visit.me, NO_SEAT).id
    new_link = idempotent(without_stored_answer(players.new_seat_link), player_id, hash_of(visit.context, made))
    visit.context.write(new_link, visit.slug, player_id, made, seat_cookie_of(visit.request))
    visit.read(players.seat_of_link, made)
    url = f"{base_url(visit.request)}/s/{made}"
    return render_page(visit, "players/seat_link.html", slug=visit.slug, seat_url=url, qr=qr_path(url))


@router.get("/in/{door}")
def enter(request: Request, slug: str, door: str, context: ContextDep) -> Response:
    """Comes in by the link as it was renewed. By an older one nobody comes in who is not there already."""
    doors.check(request)
    with context.database.reading() as connection:
        newest = bars_of(context, connection).doors.get(slug)
    response = RedirectResponse(f"/t/{slug}", 303)
    if newest == door:
        let_in(request, response, context, slug, door)
    return response


@router.get("/qr.svg")
def qr(visit: VisitDep) -> Response:
    """The invite link as a QR code."""
    page = visit.read(load_table_page, visit.slug, visit.player_id)
    return qr_image(f"{base_url(visit.request)}{page.table.invitation}")


@router.get("/record")
def record(visit: VisitDep) -> Response:
    """The last match's record to download, once it is over."""
    with visit.context.database.reading() as connection:
        page = load(visit, connection)
        if not (page.table.is_finished and page.viewer.may_see):
            raise Conflict(
                "The record can be downloaded when the game is over: before that it tells the cards to come."
            )
        made = match_record(connection, visit.slug)
    name = f"snug-{page.game.key}-{page.replays.match_number}.json"
    return Response(
        json.format(json.encode(made), indent=1),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
