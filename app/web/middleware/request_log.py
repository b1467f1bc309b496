"""What was asked and answered, for `snug --verbose`."""

import logging
import re
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger(__name__)
_NO_SECRET = re.compile(r"[a-z_.-]{1,20}|\d{1,9}")  # the tokens that open a table, a seat or a room look different


class Noted:
    """An application of whose every answer a note is made."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        finally:
            self.note(scope, status, time.perf_counter() - began)

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """What a request came to (0: it was not answered), and how long that took."""
        raise NotImplementedError


class RequestLog(Noted):
    """Logs every request but those for static files: method, path, status, time. Of a path it tells the words and
    numbers only, of a query, a form or a cookie nothing."""

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """A line of it."""
        if not scope["path"].startswith("/static/"):
            parts = scope["path"].split("/")
            told = "/".join(part if not part or _NO_SECRET.fullmatch(part) else "…" for part in parts)
            _log.info("%s %s %s %.0f ms", scope["method"], told, status or "unanswered", seconds * 1000)
