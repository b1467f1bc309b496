"""What belongs to a person and not to a table: preferences, the link to a seat from another device."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.services.players import players
from app.services.players.appearance import LOOKS, check_looks
from app.services.seats import seat_transfer
from app.web.appearance import keep_looks
from app.web.deps import ContextDep, FormDep, TokenDep, VisitDep, remember_seat, text
from app.web.pages.render import render_page
from snug.games import GAMES

router = APIRouter()


@router.post("/preferences")
def prefer(visit: VisitDep, form: FormDep) -> Response:
    """How the room looks to this person."""
    chosen = {name: text(form, name) for name in LOOKS if name in form}
    check_looks(chosen)
    if visit.me is not None and chosen:
        visit.context.write(players.prefer, visit.me.id, chosen)
    back = text(form, "back", "/")
    response = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    if chosen:
        keep_looks(visit.request, response, chosen)
    return response


@router.get("/s/{token}")
def seat(visit: VisitDep, token: str) -> Response:
    """Asks before this browser becomes the seat's player: opening a link changes nothing."""
    found = visit.read(players.seat_of_link, token)
    other_name = visit.me.name if visit.me and visit.me.id != found.player_id else None
    return render_page(visit, "players/seat.html", seat=found, game=GAMES[found.game], other_name=other_name)


@router.post("/s/{token}")
def follow(request: Request, token: str, context: ContextDep, made: TokenDep) -> Response:
    """Continues at the seat on this device, which is known at no other place by it."""
    slug, cookie = context.write(seat_transfer.follow_seat_link, token, made)
    response = RedirectResponse(f"/t/{slug}", 303)
    remember_seat(request, response, slug, cookie)
    return response
