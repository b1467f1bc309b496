"""A table: its page, its live fragment, and every click at it."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, Request
from msgspec import json
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused, ServiceError, TooOften
from app.services.idempotent import idempotent, without_stored_answer
from app.services.play import hand_order, hints, play, standing_orders
from app.services.players import players
from app.services.players.bars import bars_of
from app.services.players.players import hash_of
from app.services.queries.calls import call_of
from app.services.queries.records import match_record
from app.services.queries.stream import talk_of
from app.services.queries.table_page import is_at_hand, load_table_page
from app.services.search_pool import NoThought, TooMuch
from app.services.seats import hosts, seats
from app.storage.models import Player
from app.storage.pubsub import Told
from app.web.clicks import Click, add_clicks, at, bound, by_newcomer
from app.web.deps import (
    NO_SEAT,
    ContextDep,
    FormDep,
    KeyDep,
    PlayerDep,
    TokenDep,
    known,
    let_in,
    number,
    remember,
    seat_cookie_of,
    text,
    wants_fragment,
)
from app.web.forms.moves import move_of
from app.web.middleware.long_poll import TOLD
from app.web.middleware.rate_limit import doors, household_of, welcome
from app.web.pages.qr import qr_image, qr_path
from app.web.pages.render import base_url, elsewhere, greeted, question, render_page, render_table, rules_page
from app.web.pages.told import render_told
from snug.words import gettext

router = APIRouter(prefix="/t/{slug}")
HEARD_SINCE = "snug.heard"  # the version from which on a page may be as this process has heard
_LONGEST_HAND = 500
_LONGEST_THOUGHT = 5.0  # seconds: pages wait for eight
_log = logging.getLogger(__name__)


def draw(
    request: Request,
    context: AppContext,
    slug: str,
    me: Player | None,
    *,
    refusal: ServiceError | None = None,
    seen: int = 0,
) -> Response:
    """The table as it stands, with a sentence about what was just clicked on a page of version `seen`."""
    with context.database.reading() as connection:
        page = load_table_page(context, connection, slug, me.id if me else None, request.scope.get(HEARD_SINCE))
        talk = talk_of(connection, page, me.id if me else None)
        call = None
        if me and page.tournament and not wants_fragment(request):
            call = call_of(context, connection, page.tournament.slug, me.id)
    status = refusal.status if refusal else 200
    return render_table(request, page, talk, me, refusal=refusal, status=status, seen=seen, call=call)


def act(
    request: Request,
    context: AppContext,
    slug: str,
    me: Player | None,
    click: Click,
    key: str | None = None,
    *,
    seen: int = 0,
) -> Response:
    """One click at a table, done once for a `key`: the table as it stands then; a refusal is said on it."""
    try:
        player_id = known(me).id
        context.write(idempotent(click, player_id, key), slug, player_id)
    except (Refused, Conflict, Forbidden) as error:
        return draw(request, context, slug, me, refusal=error)
    return answer(request, context, slug, me, seen)


async def act_soon(
    request: Request, context: AppContext, slug: str, me: Player | None, click: Click, seen: int
) -> Response:
    """The same without a thread, as long as the table is at hand; such a click is known again by `seen`."""
    if not is_at_hand(context, slug, seen):
        return await run_in_threadpool(act, request, context, slug, me, click, seen=seen)
    try:
        await context.write_soon(click, slug, known(me).id)
    except (Refused, Conflict, Forbidden) as error:
        shown = partial(draw, request, context, slug, me, refusal=error)
    else:
        shown = partial(answer, request, context, slug, me, seen)
    return shown() if is_at_hand(context, slug, seen) else await run_in_threadpool(shown)


def answer(request: Request, context: AppContext, slug: str, me: Player | None, seen: int = 0) -> Response:
    """The table as it stands after a click, whether it was done now or had been before."""
    if wants_fragment(request):
        return draw(request, context, slug, me, seen=seen)
    asked = question(request)
    return RedirectResponse(f"/t/{slug}?{asked}" if asked else f"/t/{slug}", 303)


def join(
    request: Request,
    context: AppContext,
    slug: str,
    me: Player | None,
    name: str,
    made: str,
    click: Callable[[str], Click],
    *,
    key: str | None = None,
) -> Response:
    """The same for somebody whom the room may not know yet: the nickname, which the click is made with, makes a new
    guest, with the token `made` of it."""
    if me is not None:
        return act(request, context, slug, me, click(name or me.name), key=key)
    welcome(request)
    try:
        _, token = context.write(by_newcomer, key, made, name, at(slug, click(name)))
    except (Refused, Conflict, Forbidden) as error:
        return draw(request, context, slug, me, refusal=error)
    with context.database.reading() as connection:
        me = players.find_player(context, connection, token)
    whole = not wants_fragment(request)
    response = RedirectResponse(f"/t/{slug}", 303) if whole else greeted(draw(request, context, slug, me))
    remember(request, response, token)
    return response


@router.get("")
def show(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The table as this person may see it."""
    return draw(request, context, slug, me)


@router.get("/live")
def live(request: Request, slug: str, context: ContextDep, me: PlayerDep, seen: int = 0) -> Response:
    """The same, as a fragment, once there is something newer than `seen`; or what a seat is doing just now."""
    with context.database.reading() as connection:
        page = load_table_page(context, connection, slug, me.id if me else None, request.scope.get(HEARD_SINCE))
        talk = talk_of(connection, page, me.id if me else None)
    context.pubsub.heard(slug, page.table.version)
    others = elsewhere(request, me)
    if page.table.version != seen or (others and request.query_params.get("turns") not in (None, str(others.mark))):
        return render_table(request, page, talk, me, seen=seen)
    told: Told | None = request.scope.get(TOLD)
    return (told and render_told(told, page, talk)) or Response(status_code=204)


@router.get("/rules")
def rules(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The rules as they are at this table; back at it, everything is as this person had arranged it."""
    with context.database.reading() as connection:
        page = load_table_page(context, connection, slug, me.id if me else None)
    asked = question(request)
    address = f"/t/{slug}?{asked}" if asked else f"/t/{slug}"
    return rules_page(request, page, me, (address, gettext("Back to the table")))


@router.post("/moves")
async def move(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """A move: its verb and parameters by the names of the rules page."""
    seen = max(0, number(form, "seen"))
    return await act_soon(request, context, slug, me, bound(play.play, move_of(form), seen), seen)


@router.post("/hint")
async def hint(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """What a sharp player would do in my place, for my eyes only. Whoever waits for it keeps nobody waiting."""
    try:
        await _think_for(request, slug, context, known(me, NO_SEAT))
    except (Refused, Conflict, Forbidden, TooOften) as error:
        shown = partial(draw, request, context, slug, me, refusal=error)
        response = await run_in_threadpool(shown)
        response.headers.update(error.headers)
        return response
    return await run_in_threadpool(answer, request, context, slug, me)


async def _think_for(request: Request, slug: str, context: AppContext, me: Player) -> None:
    question = await context.write_soon(hints.ask, slug, me.id, household_of(request))
    if question is None:
        return
    try:
        future = await run_in_threadpool(context.thinkers.submit, question.game, question.view, question.seed)
        thought = await asyncio.wait_for(asyncio.wrap_future(future), _LONGEST_THOUGHT)
    except (NoThought, TimeoutError) as error:
        if isinstance(error, NoThought) and not isinstance(error, TooMuch):
            _log.warning("table %s: nothing came of a hint: %s", slug[:4], error)
        raise TooOften("So much is being thought about just now that no hint comes: try again in a moment.") from error
    await context.write_soon(hints.keep, slug, me.id, question, thought)


@router.post("/hand")
def arrange(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """How my hand is to lie. A script has put it so already, and hears the order's number: it is drawn for a browser
    without."""
    asked = (text(form, "by"), text(form, "cards", longest=_LONGEST_HAND).split(), max(0, number(form, "seen")))
    if not wants_fragment(request):
        return act(request, context, slug, me, bound(hand_order.arrange_hand, *asked))
    order = context.write(hand_order.arrange_hand, slug, known(me).id, *asked)
    return Response(status_code=204, headers={"Snug-Order": str(order)})


@router.post("/hurry")
def hurry(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The bots move without thinking for show. What they do, polls bring."""
    context.write(play.hurry, slug, known(me).id)
    return Response(status_code=204) if wants_fragment(request) else answer(request, context, slug, me)


@router.post("/sit")
def sit(
    request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep, made: TokenDep
) -> Response:
    """Takes a seat; a new guest gives a nickname with it."""
    wanted, cut = number(form, "number"), text(form, "cut")
    return join(
        request,
        context,
        slug,
        me,
        text(form, "name"),
        made,
        lambda name: bound(seats.take_seat, wanted, name, cut),
        key=key,
    )


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
def seat_link(request: Request, slug: str, context: ContextDep, me: PlayerDep, made: TokenDep) -> Response:
    """The personal link to this seat, made anew; kept nowhere, and shown again only to whoever sends this again."""
    player_id = known(me, NO_SEAT).id
    new_link = idempotent(without_stored_answer(players.new_seat_link), player_id, hash_of(context, made))
    context.write(new_link, slug, player_id, made, seat_cookie_of(request))
    with context.database.reading() as connection:
        players.seat_of_link(context, connection, made)
    url = f"{base_url(request)}/s/{made}"
    return render_page(request, "players/seat_link.html", me, slug=slug, seat_url=url, qr=qr_path(url))


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
def qr(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The invite link as a QR code."""
    with context.database.reading() as connection:
        page = load_table_page(context, connection, slug, me.id if me else None)
    return qr_image(f"{base_url(request)}{page.table.invitation}")


@router.get("/record")
def record(slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The last match's record to download, once it is over."""
    with context.database.reading() as connection:
        page = load_table_page(context, connection, slug, me.id if me else None)
        if not (page.table.is_finished and page.viewer.may_see):
            raise Conflict(
                "The record can be downloaded when the game is over: before that it tells the cards to come."
            )
        made = match_record(connection, slug)
    name = f"snug-{page.game.key}-{page.replays.match_number}.json"
    return Response(
        json.format(json.encode(made), indent=1),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
