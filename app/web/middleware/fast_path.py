"""The two requests of a game in play, answered where they arrive: no thread and no routing while everything is at hand.

The handlers of `GET /t/<slug>/live` and `POST /t/<slug>/moves` are called without the framework and what stands before
it. Whatever is not as usual (a table that has to be read, a guest who is not known yet, a poll that makes sure that
nothing was missed, a request that is refused) takes the long way; what is asked of requests and put on answers is the
same on both.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from gettext import NullTranslations
from time import perf_counter
from typing import Final
from urllib.parse import parse_qsl

from fastapi import FastAPI
from starlette.datastructures import FormData, Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.players.bars import bars_at_hand
from app.services.queries.table_page import is_at_hand
from app.storage.counts import counts
from app.storage.models import Player
from app.web.deps import Visit, cookie_of, is_barred, is_outside, seat_cookie_of
from app.web.errors import answer_to
from app.web.middleware.compression import compress
from app.web.middleware.language import words_in
from app.web.middleware.long_poll import WAITED
from app.web.middleware.security import refusal_of, strict_headers, with_strict
from app.web.request_ids import within
from app.web.routes import tables
from snug.words import reading

_log = logging.getLogger(__name__)
_LARGEST: Final = 16 * 1024
_MOST_FIELDS: Final = 120
_FORWARDED: Final = b"x-forwarded-"
_WANTED: Final = (("GET", "live"), ("POST", "moves"))
_FORM: Final = "application/x-www-form-urlencoded"


class FastPath:
    """Stands before everything but the poll. `words` are those of the room's languages."""

    def __init__(
        self, app: ASGIApp, application: FastAPI, context: AppContext, words: Mapping[str, NullTranslations]
    ) -> None:
        self._app, self._application, self._context, self._words = app, application, context, words
        self._public_url: str = application.state.settings.public_url
        self._strict = strict_headers(self._public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match self.wanted(scope):
            case "live":
                await (self.live(scope) or self._app)(scope, receive, send)
            case "moves":
                try:
                    body = await Request(scope, receive).body()
                except ClientDisconnect:
                    return
                await (await self.move(scope, body) or _Later(self._app, body))(scope, receive, send)
            case _:
                await self._app(scope, receive, send)

    def wanted(self, scope: Scope, *, is_direct: bool = False) -> str:
        """Which of the two a request is, by the end of its path, if it can be answered here; else nothing. `is_direct`:
        no proxy has been asked yet how it came, which matters to links that are made from the request."""
        if scope["type"] != "http" or not self._context.hears_all or scope.get(WAITED) is False:
            return ""
        room, _, rest = scope["path"].removeprefix("/t/").partition("/")
        wanted: str = rest if scope["path"] == f"/t/{room}/{rest}" else ""
        if (scope["method"], wanted) not in _WANTED:
            return ""
        if is_direct and not self._public_url and any(name.startswith(_FORWARDED) for name, _ in scope["headers"]):
            return ""
        return wanted if wanted == "live" or _is_small_form(Headers(scope=scope)) else ""

    def live(self, scope: Scope) -> Response | None:
        """The answer to a poll; None for one that takes the long way."""
        request = self._request(scope)
        seen = request.query_params.get("seen", "0")
        asked = self._asked(request, int(seen)) if _is_version(seen) else None
        if asked is None:
            return None
        with self._answering(asked):
            asked.response = tables.live(asked.visit, asked.seen)
        return asked.response

    async def move(self, scope: Scope, body: bytes) -> Response | None:
        """The answer to a move; None for one that takes the long way."""
        try:
            form = FormData([*parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)])
        except ValueError:
            return None
        seen = str(form.get("seen", ""))
        asked = self._asked(self._request(scope), int(seen) if _is_version(seen) else 0)
        if asked is None or asked.visit.me is None:
            return None
        with self._answering(asked):
            asked.response = await tables.move(asked.visit, form)
        return asked.response

    def _request(self, scope: Scope) -> Request:
        return Request({**scope, "app": self._application})

    def _asked(self, request: Request, seen: int) -> "_Asked | None":
        """Who asks what, on a page of version `seen`, if nothing about it is unusual."""
        scope = request.scope
        if refusal_of(scope, self._public_url):
            return None
        scope[tables.HEARD_SINCE] = seen
        slug, token = scope["path"].split("/")[2], cookie_of(request)
        if seat_cookie_of(request):  # which is looked at every time
            return None
        me: Player | None = self._context.players.get(token) if token else None
        is_known = me is not None and self._context.pubsub.turns.of(me.id) is not None
        if (token and not is_known) or not is_at_hand(self._context, slug, seen):
            return None
        bars = bars_at_hand(self._context)
        if bars is None or (
            bars and (is_barred(request, self._context, bars, me) or is_outside(request, self._context, bars))
        ):
            return None
        return _Asked(Visit(request, self._context, me, slug), seen, words_in(request.headers, self._words))

    @contextmanager
    def _answering(self, asked: "_Asked") -> Iterator[None]:
        """What is done within answers it, in the reader's words; in the end the answer has all that answers bear."""
        began, request = perf_counter() if counts.wanted else 0.0, asked.visit.request
        with reading(asked.words), within(request.scope):
            try:
                yield
            except Exception as error:  # nobody behind this answers it
                asked.response = _failed(request, error)
        compress(asked.response, request.headers.get("accept-encoding", ""))
        asked.response.raw_headers = with_strict(asked.response.raw_headers, self._strict)
        if began:
            kind = "move" if request.method == "POST" else "poll"
            counts.answered(kind, asked.response.status_code, perf_counter() - began)


@dataclass
class _Asked:
    visit: Visit
    seen: int
    words: NullTranslations
    response: Response = field(init=False)


def _is_version(text: str) -> bool:
    return text.isdecimal() and len(text) < 10


def _is_small_form(headers: Headers) -> bool:
    length = headers.get("content-length", "")
    is_form = headers.get("content-type", "").partition(";")[0] == _FORM
    return is_form and length.isdecimal() and int(length) <= _LARGEST


def _failed(request: Request, error: Exception) -> Response:
    if not isinstance(error, ServiceError):
        _log.exception("a request failed")
    return answer_to(request, error)


class _Later:
    """The application, which gets a body that has been read."""

    def __init__(self, app: ASGIApp, body: bytes) -> None:
        self._app, self._body = app, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = False

        async def again() -> Message:
            nonlocal told
            if told:
                return await receive()
            told = True
            return {"type": "http.request", "body": self._body}

        await self._app(scope, again, send)
