"""Seats that change hands: links for a friend or another device, and guests who wait for a seat."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.db import AnyRow
from app.rules import GAMES
from app.services import handover, players
from app.services.departures import ALONE, HANDED
from app.services.errors import Forbidden, ServiceError
from app.services.house import House
from app.web.deps import FormDep, HouseDep, PlayerDep, number, remember, text
from app.web.limits import newcomers
from app.web.qr import qr_path
from app.web.render import base_url, page
from app.web.tables import act, join
from app.writer import Transaction

router = APIRouter()


def _show_link(
    request: Request, slug: str, me: AnyRow, token: str, whose: str | None, *, alone: bool = False
) -> Response:
    url = f"{base_url(request)}/h/{token}"
    return page(
        request, "players/claim_link.html", me, slug=slug, whose=whose, alone=alone, claim_url=url, qr=qr_path(url)
    )


def _known(me: AnyRow | None) -> AnyRow:
    if me is None:
        raise Forbidden("You have no seat at this table.")
    return me


@router.post("/t/{slug}/hand-over")
def hand_over(request: Request, slug: str, house: HouseDep, me: PlayerDep) -> Response:
    """A link for the friend who plays on in my seat; shown once, kept nowhere."""
    token = house.write(handover.hand_over, slug, _known(me).id)
    return _show_link(request, slug, _known(me), token, None)


@router.post("/t/{slug}/reissue")
def reissue(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """A link for a player who has lost the device; shown to the host once, kept nowhere. As long as somebody has to
    agree, the table says so."""
    seat = number(form, "number")
    token = house.write(handover.reissue, slug, _known(me).id, seat)
    if token is None:
        return RedirectResponse(f"/t/{slug}", 303)
    with house.database.reading() as connection:
        offer = handover.offer_of(house, connection, token)
    return _show_link(request, slug, _known(me), token, offer.name, alone=offer.kind == ALONE)


@router.post("/t/{slug}/link-answer")
def answer_link(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Agrees to a new link to a seat, or does not."""
    return act(request, house, slug, me, handover.answer_link, number(form, "number"), text(form, "agrees") == "yes")


@router.post("/t/{slug}/keep-seat")
def keep_seat(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """The link to a seat stops working."""
    return act(request, house, slug, me, handover.keep_seat, number(form, "number"))


@router.get("/h/{token}")
def offer(request: Request, token: str, house: HouseDep, me: PlayerDep) -> Response:
    """Asks before this browser takes a seat over: opening a link changes nothing."""
    return _ask(request, house, token, me)


def _ask(request: Request, house: House, token: str, me: AnyRow | None, error: ServiceError | None = None) -> Response:
    with house.database.reading() as connection:
        found = handover.offer_of(house, connection, token)
    status = error.status if error else 200
    return page(request, "players/claim.html", me, status, offer=found, game=GAMES[found.game], error=error)


@router.post("/h/{token}")
def claim(request: Request, token: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Takes the seat over; a new guest gives a nickname with it."""
    newcomers.check(request)
    try:
        slug, cookie = house.write(_claim, token, me.id if me else None, text(form, "name") or (me.name if me else ""))
    except ServiceError as error:
        if error.status == 404:
            raise
        return _ask(request, house, token, me, error)
    response = RedirectResponse(f"/t/{slug}", 303)
    if cookie:
        remember(request, response, cookie)
    return response


def _claim(
    house: House, transaction: Transaction, token: str, player_id: int | None, name: str
) -> tuple[str, str | None]:
    cookie = None
    if player_id is None:
        offered = handover.offer_of(house, transaction.connection, token)
        name = offered.name if offered.kind != HANDED else name
        player_id, cookie = players.welcome(house, transaction, name)
    return handover.claim(house, transaction, token, player_id, name), cookie


@router.post("/t/{slug}/wait")
def wait(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Waits for a seat; a new guest gives a nickname with it."""
    if me is None:
        newcomers.check(request)
    return join(request, house, slug, me, text(form, "name"), handover.wait)


@router.post("/t/{slug}/stop-waiting")
def stop_waiting(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """A guest waits no longer, or is turned away."""
    return act(request, house, slug, me, handover.stop_waiting, number(form, "number"))
