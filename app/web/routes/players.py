"""What belongs to a person and not to a table: preferences, the link to a seat from another device."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.games import GAMES
from app.services.players import players
from app.web.deps import ContextDep, FormDep, PlayerDep, remember, text
from app.web.pages.render import render_page

router = APIRouter()


@router.post("/preferences")
def prefer(context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """How cards look to this person."""
    deck = text(form, "deck")
    if me is not None and deck in players.DECKS:
        context.write(players.prefer, me.id, {"deck": deck})
    back = text(form, "back", "/")
    response = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    if deck in players.DECKS:
        response.set_cookie("deck", deck, max_age=365 * 24 * 3600, samesite="lax")
    return response


@router.get("/s/{token}")
def seat(request: Request, token: str, context: ContextDep, me: PlayerDep) -> Response:
    """Asks before this browser becomes the seat's player: opening a link changes nothing."""
    with context.database.reading() as connection:
        found = players.seat_of_link(context, connection, token)
    other_name = me.name if me and me.id != found.player_id else None
    return render_page(request, "players/seat.html", me, seat=found, game=GAMES[found.game], other_name=other_name)


@router.post("/s/{token}")
def follow(request: Request, token: str, context: ContextDep) -> Response:
    """Continues at the seat on this device."""
    slug, cookie = context.write(players.follow_seat_link, token)
    response = RedirectResponse(f"/t/{slug}", 303)
    remember(request, response, cookie)
    return response
