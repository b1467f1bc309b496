"""The poll, answered before anything else: while nothing is new it costs neither a query nor a template."""

import asyncio
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

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
_TURNS: Final = b"turns="  # the mark of what a page tells of other tables
_ELSEWHERE_ONLY: Final = "/me/turns"
_COOKIES: Final = ("__Secure-snug-seat", "snug-seat", "__Host-snug", "snug")
WAITED: Final = "snug.waited"  # by a poll that is asked once more: whether something has changed
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
        self.polls.wakeups.leave(self)
        if self.token:
            self.polls.presence.answered(self.slug, self.token, gone=True)

    def woken(self, changed: bool) -> None:
        """Has it answered."""
        if self.token:
            self.polls.presence.answered(self.slug, self.token)
        is_news = changed or not self.polls.is_trusted
        if is_news:
            self.scope[WAITED] = changed
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
    `/tournaments/<slug>/live` likewise, and `/tournaments/<slug>/call` until its people are called; and what says which
    other tables it knows to wait, `&turns=<mark>` or `/me/turns?seen=<mark>`, until that changes. After so many
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
        if scope["type"] != "http" or WAITED in scope:
            return False
        if scope["path"] == _ELSEWHERE_ONLY:
            elsewhere = self._elsewhere(scope, _SEEN, _token(scope["headers"]), "")
            held.polls, held.scope, held.slug, held.token = self, scope, "", ""
            is_ours = names_a_host(scope["headers"])
            return bool(elsewhere and is_ours and self.wakeups.wait_at(elsewhere, self.seconds, held))
        if not scope["path"].startswith(_ROOMS):
            return False
        _, room, slug, *action = scope["path"].split("/")
        seen = None
        if action:
            is_call = action == _CALL and room == "tournaments"
            is_poll = (action == _LIVE or is_call) and scope["method"] == "GET"
            seen = _number(scope["query_string"], _SEEN) if is_poll else None
            if seen is None or not names_a_host(scope["headers"]):
                return False
            slug = channel(slug) if is_call else slug
        token = _token(scope["headers"]) if room == "t" else ""  # nobody's presence at a list matters
        elsewhere = self._elsewhere(scope, _TURNS, token, slug) if token else ()
        if seen is not None and elsewhere is not None and self.wakeups.wait(slug, seen, self.seconds, held, *elsewhere):
            held.polls, held.scope, held.slug, held.token = self, scope, slug, token
            if token:
                self.presence.ask(slug, token)
            return True
        if token:  # whoever looks at a table is there; without scripts the page does not ask, it renews itself
            self.presence.ask(slug, token)
            self.presence.answered(slug, token)
        return False

    def _elsewhere(self, scope: Scope, name: bytes, token: str, slug: str) -> tuple[str, ...] | None:
        """Where it is heard that other tables wait for this person, for whose page that matters; None where they are
        others already than it knows of, or none of them is at hand."""
        mark = _number(scope["query_string"], name)
        if mark is None:
            return ()
        place, now = self.wakeups.turns.heard_by(token, slug) or ("", None)
        return (place,) if now == mark else None

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


def _number(query: bytes, name: bytes) -> int | None:
    """The number that a query gives by this name, such as the version that the page shows."""
    digits = next((part[len(name) :] for part in query.split(b"&") if part.startswith(name)), b"")
    return int(digits) if digits.isdigit() and len(digits) < 11 else None


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
