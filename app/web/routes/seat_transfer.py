"""Seats that change hands: links for a friend or another device, and guests who wait for a seat."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.games import GAMES
from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.players import players
from app.services.seats import seat_transfer
from app.services.seats.seat_loss import ALONE, HANDED
from app.storage.models import Player
from app.storage.writer import Transaction
from app.web.deps import NO_SEAT, ContextDep, FormDep, PlayerDep, known, number, remember, text
from app.web.middleware.rate_limit import newcomers
from app.web.pages.qr import qr_path
from app.web.pages.render import base_url, render_page
from app.web.routes.tables import act, join

router = APIRouter()


def _show_link(
    request: Request, slug: str, me: Player, token: str, whose: str | None, *, alone: bool = False
) -> Response:
    url = f"{base_url(request)}/h/{token}"
    return render_page(
        request, "players/claim_link.html", me, slug=slug, whose=whose, alone=alone, claim_url=url, qr=qr_path(url)
    )


@router.post("/t/{slug}/hand-over")
def hand_over(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """A link for the friend who plays on in my seat; shown once, kept nowhere."""
    token = context.write(seat_transfer.hand_over, slug, known(me, NO_SEAT).id)
    return _show_link(request, slug, known(me, NO_SEAT), token, None)


@router.post("/t/{slug}/reissue")
def reissue(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """A link for a player who has lost the device; shown to the host once, kept nowhere. As long as somebody has to
    agree, the table says so."""
    seat = number(form, "number")
    token = context.write(seat_transfer.reissue, slug, known(me, NO_SEAT).id, seat)
    if token is None:
        return RedirectResponse(f"/t/{slug}", 303)
    with context.database.reading() as connection:
        offer = seat_transfer.offer_of(context, connection, token)
    return _show_link(request, slug, known(me, NO_SEAT), token, offer.name, alone=offer.kind == ALONE)


@router.post("/t/{slug}/link-answer")
def answer_link(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Agrees to a new link to a seat, or does not."""
    return act(
        request, context, slug, me, seat_transfer.answer_link, number(form, "number"), text(form, "agrees") == "yes"
    )


@router.post("/t/{slug}/keep-seat")
def keep_seat(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """The link to a seat stops working."""
    return act(request, context, slug, me, seat_transfer.keep_seat, number(form, "number"))


@router.get("/h/{token}")
def offer(request: Request, token: str, context: ContextDep, me: PlayerDep) -> Response:
    """Asks before this browser takes a seat over: opening a link changes nothing."""
    return _ask(request, context, token, me)


def _ask(
    request: Request, context: AppContext, token: str, me: Player | None, error: ServiceError | None = None
) -> Response:
    with context.database.reading() as connection:
        found = seat_transfer.offer_of(context, connection, token)
    status = error.status if error else 200
    return render_page(request, "players/claim.html", me, status, offer=found, game=GAMES[found.game], error=error)


@router.post("/h/{token}")
def claim(request: Request, token: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Takes the seat over; a new guest gives a nickname with it."""
    newcomers.check(request)
    try:
        slug, cookie = context.write(
            _claim, token, me.id if me else None, text(form, "name") or (me.name if me else "")
        )
    except ServiceError as error:
        if error.status == 404:
            raise
        return _ask(request, context, token, me, error)
    response = RedirectResponse(f"/t/{slug}", 303)
    if cookie:
        remember(request, response, cookie)
    return response


def _claim(
    context: AppContext, transaction: Transaction, token: str, player_id: int | None, name: str
) -> tuple[str, str | None]:
    cookie = None
    if player_id is None:
        offered = seat_transfer.offer_of(context, transaction.connection, token)
        name = offered.name if offered.kind != HANDED else name
        player_id, cookie = players.welcome(context, transaction, name)
    return seat_transfer.claim(context, transaction, token, player_id, name), cookie


@router.post("/t/{slug}/wait")
def wait(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Waits for a seat; a new guest gives a nickname with it."""
    if me is None:
        newcomers.check(request)
    return join(request, context, slug, me, text(form, "name"), seat_transfer.wait)


@router.post("/t/{slug}/stop-waiting")
def stop_waiting(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """A guest waits no longer, or is turned away."""
    return act(request, context, slug, me, seat_transfer.stop_waiting, number(form, "number"))
