"""The poll, answered before any routing: while nothing is new it costs neither a query nor a template."""

import asyncio
from urllib.parse import parse_qs

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from app.storage.presence import Presence
from app.storage.pubsub import PubSub

HOLD = 20.0
_LONGEST_COOKIE = 2000


class LongPoll:
    """Holds `GET /t/<slug>/live?seen=<version>` open until the table changes, then lets the application draw it;
    `/tournaments/<slug>/live` likewise.
    After `hold` seconds it answers 204; where other processes write too, a query then makes sure (`trusted` false)."""

    def __init__(self, app: ASGIApp, pubsub: PubSub, presence: Presence, *, trusted: bool, hold: float = HOLD) -> None:
        self._app = app
        self._wakeups = pubsub
        self._presence = presence
        self._trusted = trusted
        self._hold = hold

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        slug, seen = _asked(scope)
        if slug is None:
            self._note_visit(scope)
            await self._app(scope, receive, send)
            return
        token = _token(scope) if scope["path"].startswith("/t/") else None  # nobody's presence at a list matters
        left = False
        if token:
            self._presence.ask(slug, token)
        try:
            left = await self._hold_open(slug, seen, scope, receive, send)
        finally:
            if token:
                self._presence.answered(slug, token, gone=left)

    def _note_visit(self, scope: Scope) -> None:
        """Whoever looks at a table is there; without scripts the page does not ask, it renews itself."""
        _, *path = scope.get("path", "").split("/")
        if len(path) == 2 and path[0] == "t" and (token := _token(scope)):
            self._presence.ask(path[1], token)
            self._presence.answered(path[1], token)

    async def _hold_open(self, slug: str, seen: int, scope: Scope, receive: Receive, send: Send) -> bool:
        """Whether the one who asked went away meanwhile."""
        if self._wakeups.version(slug) != seen:
            await self._app(scope, receive, send)
            return False
        gone = asyncio.ensure_future(_until_gone(receive))
        changed = asyncio.ensure_future(self._wakeups.wait(slug, seen, self._hold))
        await asyncio.wait((gone, changed), return_when=asyncio.FIRST_COMPLETED)
        left = gone.done()
        gone.cancel()
        if left:
            changed.cancel()
        elif changed.result() or not self._trusted:
            await self._app(scope, _disconnected, send)
        else:
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})
        return left


def _asked(scope: Scope) -> tuple[str | None, int]:
    if scope["type"] == "http" and scope["method"] == "GET":
        parts = scope["path"].split("/")
        if len(parts) == 4 and parts[1] in ("t", "tournaments") and parts[3] == "live":
            seen = parse_qs(scope["query_string"].decode("latin-1")).get("seen", [""])[0]
            if seen.isdecimal() and len(seen) < 10:
                return parts[2], int(seen)
    return None, 0


def _token(scope: Scope) -> str | None:
    """The guest's token as the cookie gives it, whether it is known or not."""
    for name, value in scope["headers"]:
        if name == b"cookie" and len(value) < _LONGEST_COOKIE:
            cookies = cookie_parser(value.decode("latin-1"))
            return cookies.get("__Host-snug") or cookies.get("snug")
    return None


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _disconnected() -> dict[str, str]:
    """A GET has no body left to read."""
    return {"type": "http.disconnect"}
