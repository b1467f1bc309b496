"""What was asked and answered, for `snug --verbose`."""

import logging
import re
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger(__name__)
_NO_SECRET = re.compile(r"[a-z_.-]{1,20}|\d{1,9}")  # the tokens that open a table, a seat or a room look different


class RequestLog:
    """Logs every request but those for static files: method, path, status, time. Of a path it tells the words and
    numbers only, of a query, a form or a cookie nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
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
            taken = (time.perf_counter() - began) * 1000
            _log.info("%s %s %s %.0f ms", scope["method"], _told(scope["path"]), status or "unanswered", taken)


def _told(path: str) -> str:
    return "/".join(part if not part or _NO_SECRET.fullmatch(part) else "…" for part in path.split("/"))
