"""Seats that change hands: links for a friend or another device, and guests who wait for a seat."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from app.services.context import AppContext
from app.services.errors import NotFound, ServiceError
from app.services.idempotent import idempotent, without_stored_answer
from app.services.players import players
from app.services.players.players import hash_of
from app.services.seats import seat_transfer
from app.services.seats.seat_loss import ALONE, HANDED
from app.storage.writer import Transaction
from app.web.clicks import add_clicks, bound
from app.web.deps import NO_SEAT, FormDep, KeyDep, TokenDep, Visit, VisitDep, known, number, remember, text
from app.web.middleware.rate_limit import newcomers
from app.web.pages.qr import qr_path
from app.web.pages.render import base_url, render_page
from app.web.routes.tables import act, join
from snug.games import GAMES

router = APIRouter()


def _show_link(visit: Visit, token: str, whose: str | None, *, alone: bool = False) -> Response:
    url = f"{base_url(visit.request)}/h/{token}"
    more: dict[str, Any] = {"whose": whose, "alone": alone, "claim_url": url, "qr": qr_path(url)}
    return render_page(visit, "players/claim_link.html", slug=visit.slug, **more)


@router.post("/t/{slug}/hand-over")
def hand_over(visit: VisitDep, made: TokenDep) -> Response:
    """A link for the friend who plays on in my seat; kept nowhere, and shown again only to whoever sends this again."""
    player_id = known(visit.me, NO_SEAT).id
    new_link = without_stored_answer(seat_transfer.hand_over)
    visit.context.write(idempotent(new_link, player_id, hash_of(visit.context, made)), visit.slug, player_id, made)
    visit.read(seat_transfer.offer_of, made)
    return _show_link(visit, made, None)


@router.post("/t/{slug}/reissue")
def reissue(visit: VisitDep, form: FormDep, made: TokenDep) -> Response:
    """A link for a player who has lost the device; kept nowhere, and shown again only to the host who sends this again.
    As long as somebody has to agree, the table says so."""
    player_id, seat = known(visit.me, NO_SEAT).id, number(form, "number")
    new_link = without_stored_answer(seat_transfer.reissue)
    is_made = visit.context.write(
        idempotent(new_link, player_id, hash_of(visit.context, made)), visit.slug, player_id, seat, made
    )
    if not is_made:
        return RedirectResponse(f"/t/{visit.slug}", 303)
    offer = visit.read(seat_transfer.offer_of, made)
    return _show_link(visit, made, offer.name, alone=offer.kind == ALONE)


@router.get("/h/{token}")
def offer(visit: VisitDep, token: str) -> Response:
    """Asks before this browser takes a seat over: opening a link changes nothing."""
    return _ask(visit, token)


def _ask(visit: Visit, token: str, error: ServiceError | None = None) -> Response:
    found = visit.read(seat_transfer.offer_of, token)
    status = error.status if error else 200
    return render_page(visit, "players/claim.html", status, offer=found, game=GAMES[found.game], error=error)


@router.post("/h/{token}")
def claim(visit: VisitDep, token: str, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Takes the seat over; a new guest gives a nickname with it."""
    newcomers.check(visit.request)
    try:
        slug, cookie = visit.context.write(
            _claim, token, key, made, visit.player_id, text(form, "name") or (visit.me.name if visit.me else "")
        )
    except ServiceError as error:
        if error.status == 404:
            raise
        return _ask(visit, token, error)
    response = RedirectResponse(f"/t/{slug}", 303)
    if cookie:
        remember(visit.request, response, cookie)
    return response


def _claim(
    context: AppContext,
    transaction: Transaction,
    token: str,
    key: str | None,
    made: str,
    player_id: int | None,
    name: str,
) -> tuple[str, str | None]:
    cookie = None
    if player_id is None and (player_id := players.just_made(context, transaction.connection, made)):
        cookie = made
    elif player_id is None:
        try:
            offered = seat_transfer.offer_of(context, transaction.connection, token)
        except NotFound:  # sent twice at once, it may have been done between the two looks
            if not (player_id := players.just_made(context, transaction.connection, made)):
                raise
            cookie = made
        else:
            name = offered.name if offered.kind != HANDED else name
            player_id, cookie = players.welcome(context, transaction, name, made)
    return idempotent(seat_transfer.claim, player_id, key)(context, transaction, token, player_id, name), cookie


@router.post("/t/{slug}/wait")
def wait(visit: VisitDep, form: FormDep, made: TokenDep) -> Response:
    """Waits for a seat; a new guest gives a nickname with it."""
    if visit.me is None:
        newcomers.check(visit.request)
    return join(visit, text(form, "name"), made, lambda name: bound(seat_transfer.wait, name))


add_clicks(
    router,
    act,
    once={
        "/t/{slug}/link-answer": lambda form: bound(
            seat_transfer.answer_link, number(form, "number"), text(form, "agrees") == "yes"
        ),
    },
    again={
        "/t/{slug}/keep-seat": lambda form: bound(seat_transfer.keep_seat, number(form, "number")),
        "/t/{slug}/stop-waiting": lambda form: bound(seat_transfer.stop_waiting, number(form, "number")),
    },
)
