"""The pages of whoever runs the room."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app.services.errors import NotFound
from app.services.house import house_of
from app.web.deps import ContextDep, PlayerDep
from app.web.house_pages import TITLES, HousePages
from app.web.pages.render import render_page

router = APIRouter()


@router.get("/about/{name}")
def show(request: Request, name: str, me: PlayerDep) -> Response:
    """Contact, privacy or imprint, where the house has such a page."""
    kept: HousePages = request.app.state.house_pages
    if name not in kept.pages:
        raise NotFound("The house has no such page.")
    return render_page(request, "house.html", me, title=TITLES[name], text=kept.pages[name])


@router.get("/news")
def news(request: Request, context: ContextDep, me: PlayerDep, seen: int = 0) -> Response:
    """What the keeper tells everybody, for a page on which something else stands."""
    with context.database.reading() as connection:
        told = house_of(context, connection)
    return (
        Response(status_code=204)
        if told.mark == seen
        else render_page(request, "_from_keeper.html", me, from_keeper=told)
    )


@router.get("/.well-known/security.txt")
def security(request: Request) -> Response:
    """Whom to tell of a hole, as RFC 9116 has it."""
    kept: HousePages = request.app.state.house_pages
    if not kept.security:
        raise NotFound("The house has no such page.")
    return PlainTextResponse(f"{kept.security}\n")
