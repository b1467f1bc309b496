"""Answers go compressed to browsers that take them so, but for pages that show a secret.

How long a compressed page is tells a little of what is in it. Whoever sees the lengths and can also make a browser ask
for pages with words of their own in them could so find out a secret on the same page. The pages of links to seats and
rooms are the ones that show such a secret; the address of a table is known to all who can write on its page.
"""

import zlib
from typing import Final

from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_SMALLEST: Final = 1000  # bytes
_LEVEL: Final = 4
_SECRET: Final = ("/seat-link", "/hand-over", "/reissue", "/recovery")
_SECRET_ROOMS: Final = ("/s/", "/h/", "/r/", "/me")


def compress(response: Response, accepted: str) -> None:
    """The same of an answer that is there as a whole, and shows no secret."""
    if len(response.body) >= _SMALLEST:
        response.headers.add_vary_header("Accept-Encoding")
        if "gzip" in accepted:
            packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
            response.body = packing.compress(response.body) + packing.flush()
            response.headers["Content-Encoding"] = "gzip"
            response.headers["Content-Length"] = str(len(response.body))


class Compression:
    """Compresses what may be."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._compressing = GZipMiddleware(app, minimum_size=_SMALLEST, compresslevel=_LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_secret = path.endswith(_SECRET) or path.startswith(_SECRET_ROOMS)
        await (self._app if is_secret or path.startswith("/static/") else self._compressing)(scope, receive, send)
