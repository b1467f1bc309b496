"""The pages of whoever runs the room."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app.services.errors import NotFound
from app.web.deps import PlayerDep
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


@router.get("/.well-known/security.txt")
def security(request: Request) -> Response:
    """Whom to tell of a hole, as RFC 9116 has it."""
    kept: HousePages = request.app.state.house_pages
    if not kept.security:
        raise NotFound("The house has no such page.")
    return PlainTextResponse(f"{kept.security}\n")
