"""So many requests may ask the database at once, and so many of them about one table.

Each holds a thread and a connection for as long as the database takes. If a table is stuck, whoever wants something of
it waits out here, where that costs nothing, and not for ever; so all others are answered.
"""

import asyncio
from collections import deque
from typing import Final

from anyio import to_thread
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.errors import answer_to
from snug.words import gettext

PLACES: Final = 20  # for pages, and as many for forms: there are as many connections of a kind
AT_A_TABLE: Final = 6  # of those for forms
PATIENCE: Final = 6.0  # seconds
_WAITING: Final = 30  # for a place at one table; whoever comes then is told at once
_SPARE: Final = 10  # threads for what asks no database
_LARGEST: Final = 128 * 1024
_SAFE: Final = ("GET", "HEAD")
_FREE: Final = ("/static/", "/livez", "/readyz", "/healthz")
_ROOMS: Final = ("t", "tournaments")


class ConcurrencyLimiter:
    """Stands before what takes a thread for every request. `application` is what the page is drawn for that says that
    there was no place."""

    def __init__(self, app: ASGIApp, application: ASGIApp) -> None:
        self._app, self._application = app, application
        self._pages, self._forms = asyncio.Semaphore(PLACES), asyncio.Semaphore(PLACES)
        self._tables: dict[str, _Table] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            to_thread.current_default_thread_limiter().total_tokens = 2 * PLACES + _SPARE
            await self._app(scope, receive, send)
        elif scope["path"].startswith(_FREE):
            await self._app(scope, receive, send)
        elif scope["method"] in _SAFE:
            await self._answer(_Lane(self._pages), scope, receive, send)
        else:
            await self._do(scope, receive, send)

    async def _do(self, scope: Scope, receive: Receive, send: Send) -> None:
        heard = await _heard(receive)  # whoever takes his time over a form has no place meanwhile
        if heard[-1]["type"] == "http.disconnect":
            return

        async def hear() -> Message:
            return heard.popleft() if heard else await receive()

        parts = scope["path"].split("/")
        if len(parts) < 4 or parts[1] not in _ROOMS:
            await self._answer(_Lane(self._forms), scope, hear, send)
            return
        slug = parts[2]
        table = self._tables.setdefault(slug, _Table())
        table.guests += 1
        try:
            await self._answer(
                _Lane(table.places, self._forms) if table.guests <= _WAITING else None, scope, hear, send
            )
        finally:
            table.guests -= 1
            if not table.guests:
                del self._tables[slug]

    async def _answer(self, way: "_Lane | None", scope: Scope, receive: Receive, send: Send) -> None:
        if way is None or not await way.enter():
            sentence = gettext("Too many people want that at the same time. Nothing was done; please try again.")
            error = HTTPException(503, sentence, {"Retry-After": "3"})
            answer = await run_in_threadpool(answer_to, Request({**scope, "app": self._application}), error)
            await answer(scope, receive, send)
            return

        async def send_and_leave(message: Message) -> None:
            way.leave()  # how long the answer takes to arrive is not the database's affair
            await send(message)

        try:
            await self._app(scope, receive, send_and_leave)
        finally:
            way.leave()


class _Table:
    """The places at a table, and how many have or want one."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(AT_A_TABLE)
        self.guests = 0


class _Lane:
    """Through these one after the other, which are held until the end."""

    def __init__(self, *places: asyncio.Semaphore) -> None:
        self._places = places
        self._held: list[asyncio.Semaphore] = []

    async def enter(self) -> bool:
        """Whether there was a place in time."""
        try:
            async with asyncio.timeout(PATIENCE):
                for places in self._places:
                    await places.acquire()
                    self._held.append(places)
        except BaseException as error:  # a browser that goes away, too, gives back what it holds
            self.leave()
            if isinstance(error, TimeoutError):
                return False
            raise
        return True

    def leave(self) -> None:
        """Somebody else may have the places."""
        while self._held:
            self._held.pop().release()


async def _heard(receive: Receive) -> deque[Message]:
    """A form as it came; only its beginning, if it is larger than forms are."""
    heard: deque[Message] = deque()
    size, more = 0, True
    while more and size <= _LARGEST:
        message = await receive()
        heard.append(message)
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    return heard
