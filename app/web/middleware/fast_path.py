"""The two requests of a game in play, answered where they arrive: no thread and no routing while everything is at hand.

The handlers of `GET /t/<slug>/live` and `POST /t/<slug>/moves` are called without the framework. Whatever is not as
usual (a table that has to be read, a guest who is not known yet, a database that others change too) goes on to it.
"""

import logging
from typing import Final
from urllib.parse import parse_qsl

from fastapi import FastAPI
from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.queries.table_page import is_at_hand
from app.storage.models import Player
from app.web.deps import cookie_of, seat_cookie_of
from app.web.errors import answer_to
from app.web.routes import tables

_log = logging.getLogger(__name__)
_LARGEST: Final = 16 * 1024
_MOST_FIELDS: Final = 120
_FORM: Final = "application/x-www-form-urlencoded"


class FastPath:
    """Stands before the application, behind the poll."""

    def __init__(self, app: ASGIApp, application: FastAPI, context: AppContext) -> None:
        self._app, self._application, self._context = app, application, context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = _asked(scope) if self._context.database.is_owned else None
        if asked is None:
            await self._app(scope, receive, send)
            return
        slug, action = asked
        request = Request({**scope, "app": self._application}, receive)
        token = cookie_of(request)
        if seat_cookie_of(request):  # which is looked at every time
            await self._app(scope, receive, send)
            return
        me: Player | None = self._context.players.get(token) if token else None
        is_known = me is not None and self._context.pubsub.turns.of(me.id) is not None
        if (token and not is_known) or not is_at_hand(self._context, slug):
            await self._app(scope, receive, send)
            return
        try:
            response = await self._move(request, slug, me) if action == "moves" else self._live(request, slug, me)
        except ClientDisconnect:
            return
        except Exception as error:  # nobody behind this answers it
            if not isinstance(error, ServiceError):
                _log.exception("a request failed")
            response = answer_to(request, error)
        await (response or _Later(self._app, await request.body()))(scope, receive, send)

    def _live(self, request: Request, slug: str, me: Player | None) -> Response | None:
        seen = request.query_params.get("seen", "0")
        return tables.live(request, slug, self._context, me, int(seen)) if seen.isdecimal() and len(seen) < 10 else None

    async def _move(self, request: Request, slug: str, me: Player | None) -> Response | None:
        length = request.headers.get("content-length", "")
        is_form = request.headers.get("content-type", "").partition(";")[0] == _FORM
        if me is None or not is_form or not length.isdecimal() or int(length) > _LARGEST:
            return None
        try:
            text = (await request.body()).decode()
            form = FormData([*parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)])
        except ValueError:
            return None
        return await tables.move(request, slug, self._context, me, form)


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


def _asked(scope: Scope) -> tuple[str, str] | None:
    """The table and what is wanted of it, if it is one of the two."""
    if scope["type"] == "http":
        parts = scope["path"].split("/")
        if len(parts) == 4 and parts[1] == "t" and (scope["method"], parts[3]) in (("GET", "live"), ("POST", "moves")):
            return parts[2], parts[3]
    return None
