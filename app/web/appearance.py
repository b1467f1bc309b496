"""How the room looks in a browser: the guest's choice, or that of the browser, which is kept in a cookie."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from app.services.players.appearance import looks_of
from app.storage.models import Player

_COOKIE = "looks"
_YEAR = 365 * 24 * 3600


def looks_in(request: Request, me: Player | None) -> dict[str, str]:
    """Every look: the player's choice, or this browser's before it has a player."""
    return looks_of(me.preferences if me else {}, _kept(request))


def keep_looks(request: Request, response: Response, chosen: Mapping[str, str]) -> None:
    """Puts what was chosen into the browser, beside what it keeps already."""
    kept = looks_of(chosen, _kept(request))
    response.set_cookie(
        _COOKIE, ".".join(f"{name}:{value}" for name, value in kept.items()), max_age=_YEAR, samesite="lax"
    )


def _kept(request: Request) -> dict[str, str]:
    pairs = (pair.partition(":") for pair in request.cookies.get(_COOKIE, "").split("."))
    return {name: value for name, _, value in pairs}
