"""The poll, answered before anything else: while nothing is new it costs neither a query nor a template."""

import asyncio
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from app.services.tournaments.calls import channel
from app.storage.presence import Presence
from app.storage.pubsub import PubSub, Waiter
from app.web.middleware.security import names_a_host, strict_headers

HOLD: Final = 20.0
_LONGEST_COOKIE: Final = 2000
_ROOMS: Final = ("/t/", "/tournaments/")
_LIVE: Final = ["live"]
_CALL: Final = ["call"]
_SEEN: Final = b"seen="
_COOKIES: Final = ("__Secure-snug-seat", "snug-seat", "__Host-snug", "snug")
_WAITED: Final = "snug.waited"
TOLD: Final = "snug.told"  # where the application finds what a poll was woken with that is no change


class PendingPoll(Waiter):
    """A poll that waits."""

    __slots__ = ("polls", "scope", "slug", "token")
    polls: "LongPoll"
    scope: Scope
    slug: str
    token: str

    def leave(self) -> None:
        """The one who asked went away."""
        self.polls.wakeups.leave(self.slug, self)
        if self.token:
            self.polls.presence.answered(self.slug, self.token, gone=True)

    def woken(self, changed: bool) -> None:
        """Has it answered."""
        if self.token:
            self.polls.presence.answered(self.slug, self.token)
        is_news = changed or not self.polls.is_trusted
        if is_news:
            self.scope[_WAITED] = True
            self.scope[TOLD] = self.told
        self.answer(is_news)

    def answer(self, is_news: bool) -> None:
        """Whether the application is to answer, once more asked with this scope; else there is nothing to tell."""
        raise NotImplementedError


class _Asking(PendingPoll):
    """A poll whose request looks out for the one who asked, until its answer breaks that off."""

    __slots__ = ("is_news", "task")

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self.task = task
        self.is_news: bool | None = None

    def answer(self, is_news: bool) -> None:
        self.is_news = is_news
        self.task.cancel()


class LongPoll:
    """Holds `GET /t/<slug>/live?seen=<version>` open until the table changes, then lets the application draw it;
    `/tournaments/<slug>/live` likewise, and `/tournaments/<slug>/call` until its people are called. After so many
    seconds it answers 204; where other processes write too, a query then makes sure (`trusted` false). It stands before
    all else: its 204 bears the headers of the room by itself."""

    def __init__(
        self, app: ASGIApp, wakeups: PubSub, presence: Presence, public_url: str = "", *, trusted: bool
    ) -> None:
        self._app = app
        self.wakeups, self.presence, self.is_trusted = wakeups, presence, trusted
        self.seconds = HOLD
        self.headers = strict_headers(public_url)
        self.headers_as_sent = b"".join(b"%s: %s\r\n" % header for header in self.headers)

    @property
    def behind(self) -> ASGIApp:
        """What answers where there is something new."""
        return self._app

    def hold(self, scope: Scope, held: PendingPoll) -> bool:
        """Whether this is a poll for which nothing is new: `held` waits, and is answered unless it leaves before."""
        if scope["type"] != "http" or _WAITED in scope or not scope["path"].startswith(_ROOMS):
            return False
        _, room, slug, *action = scope["path"].split("/")
        seen = None
        if action:
            is_call = action == _CALL and room == "tournaments"
            is_poll = (action == _LIVE or is_call) and scope["method"] == "GET"
            seen = _seen(scope["query_string"]) if is_poll else None
            if seen is None or not names_a_host(scope["headers"]):
                return False
            slug = channel(slug) if is_call else slug
        token = _token(scope["headers"]) if room == "t" else ""  # nobody's presence at a list matters
        if seen is not None and self.wakeups.wait(slug, seen, self.seconds, held):
            held.polls, held.scope, held.slug, held.token = self, scope, slug, token
            if token:
                self.presence.ask(slug, token)
            return True
        if token:  # whoever looks at a table is there; without scripts the page does not ask, it renews itself
            self.presence.ask(slug, token)
            self.presence.answered(slug, token)
        return False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task
        held = _Asking(task)
        if not self.hold(scope, held):
            await self._app(scope, receive, send)
            return
        cancelled = task.cancelling()
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            if held.is_news is None or task.uncancel() > cancelled:
                raise
        finally:
            if held.is_news is None:
                held.leave()
        if held.is_news:
            await self._app(scope, _disconnected, send)
        elif held.is_news is False:
            await send({"type": "http.response.start", "status": 204, "headers": self.headers})
            await send({"type": "http.response.body"})


def _seen(query: bytes) -> int | None:
    """The version that the page shows."""
    version = query[len(_SEEN) :].decode("latin-1") if query.startswith(_SEEN) else ""
    if not version.isdecimal():  # there is more in it
        version = parse_qs(query.decode("latin-1")).get("seen", [""])[0]
    return int(version) if version.isdecimal() and len(version) < 10 else None


def _token(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The guest's token as the cookie gives it, whether it is known or not; empty without one."""
    for name, value in headers:
        if name == b"cookie" and len(value) < _LONGEST_COOKIE:
            return _token_in(value)
    return ""


@lru_cache(4096)  # a browser says the same every time
def _token_in(cookie: bytes) -> str:
    cookies = cookie_parser(cookie.decode("latin-1"))
    return next((token for name in _COOKIES if (token := cookies.get(name))), "")


async def _disconnected() -> dict[str, str]:
    """A GET has no body left to read."""
    return {"type": "http.disconnect"}
