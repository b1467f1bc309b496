"""How the room looks in a browser: the guest's choice, or that of the browser, which is kept in a cookie."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from starlette.requests import Request
from starlette.responses import Response

from app.services.players.appearance import looks_of
from app.services.players.languages import AS_BROWSER, ENGLISH_KEY, catalogues, negotiated
from app.storage.models import Player
from snug.words import reading

_COOKIE = "looks"
_YEAR = 365 * 24 * 3600


def looks_in(request: Request, me: Player | None) -> dict[str, str]:
    """Every look: the player's choice, or this browser's before it has a player."""
    return looks_of(me.preferences if me else {}, _kept(request))


@contextmanager
def in_language(request: Request, looks: Mapping[str, str]) -> Iterator[None]:
    """What is drawn inside is in the language that the player chose, on this device or on another one."""
    words, chosen, here = catalogues(), looks["language"], _kept(request).get("language", AS_BROWSER)
    if chosen == here or len(words) < 2:
        yield
        return
    asked = negotiated(request.headers.get("accept-language", ""), tuple(words)) or ENGLISH_KEY
    with reading(words[chosen if chosen in words else asked]):
        yield


def keep_looks(request: Request, response: Response, chosen: Mapping[str, str]) -> None:
    """Puts what was chosen into the browser, beside what it keeps already."""
    kept = looks_of(chosen, _kept(request))
    response.set_cookie(
        _COOKIE, ".".join(f"{name}:{value}" for name, value in kept.items()), max_age=_YEAR, samesite="lax"
    )


def _kept(request: Request) -> dict[str, str]:
    pairs = (pair.partition(":") for pair in request.cookies.get(_COOKIE, "").split("."))
    return {name: value for name, _, value in pairs}
