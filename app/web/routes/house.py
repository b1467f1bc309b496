"""The pages of whoever runs the room."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app.services.errors import NotFound
from app.services.house import house_of
from app.web.deps import VisitDep
from app.web.house_pages import TITLES, HousePages
from app.web.pages.render import render_page

router = APIRouter()


@router.get("/about/{name}")
def show(visit: VisitDep, name: str) -> Response:
    """Contact, privacy or imprint, where the house has such a page."""
    kept: HousePages = visit.request.app.state.house_pages
    if name not in kept.pages:
        raise NotFound("The house has no such page.")
    return render_page(visit, "house.html", title=TITLES[name], text=kept.pages[name])


@router.get("/news")
def news(visit: VisitDep, seen: int = 0) -> Response:
    """What the keeper tells everybody, for a page on which something else stands."""
    told = visit.read(house_of)
    return Response(status_code=204) if told.mark == seen else render_page(visit, "_from_keeper.html", from_keeper=told)


@router.get("/.well-known/security.txt")
def security(request: Request) -> Response:
    """Whom to tell of a hole, as RFC 9116 has it."""
    kept: HousePages = request.app.state.house_pages
    if not kept.security:
        raise NotFound("The house has no such page.")
    return PlainTextResponse(f"{kept.security}\n")
