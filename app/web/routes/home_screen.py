"""What a device keeps of the room: manifest and icons of its home screen, the page that it shows without a network."""

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, JSONResponse, Response

from app.paths import STATIC
from app.web.deps import by_nobody
from app.web.pages.render import HOSTED, render_page
from app.web.pages.static import static_url, wall_colour
from snug.words import as_read, gettext, language

router = APIRouter()
_HOME = STATIC / "home"


def _icon(name: str, size: int, purpose: str = "any") -> dict[str, str]:
    source = static_url(f"home/{name}-{size}.png")
    return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


@router.get("/manifest.webmanifest")
def manifest() -> Response:
    """How the room looks on a home screen; a long press on its icon offers the games, the quickest first."""
    games = [
        {"name": as_read(game.name), "url": f"/new/{game.key}", "icons": [_emblem(game.key)]}
        for game in sorted(HOSTED.values(), key=lambda game: game.minutes)
    ]
    told = {
        "id": "/",
        "lang": language(),
        "name": "Snug",
        "short_name": "Snug",
        "description": gettext("A card room for friends: share a link, sit down, play.").as_read(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": wall_colour(),
        "theme_color": wall_colour(),
        "icons": [_icon("icon", 192), _icon("icon", 512), _icon("maskable", 512, "maskable")],
        "shortcuts": [*games, {"name": gettext("My room").as_read(), "url": "/me"}],
    }
    return JSONResponse(told, media_type="application/manifest+json")


def _emblem(key: str) -> dict[str, str]:
    return {"src": static_url(f"games/{key}.svg"), "sizes": "any", "type": "image/svg+xml"}


@router.get("/favicon.ico")
def favicon() -> Response:
    """For whoever asks without having read a page."""
    return FileResponse(_HOME / "favicon.ico", media_type="image/x-icon")


@router.get("/apple-touch-icon.png")
def touch_icon() -> Response:
    """Where a phone of Apple's looks for it."""
    return FileResponse(_HOME / "icon-180.png", media_type="image/png")


@router.get("/offline")
def offline(request: Request) -> Response:
    """The page that a browser keeps for when the room cannot be reached: the same for everybody."""
    return render_page(by_nobody(request), "offline.html")
