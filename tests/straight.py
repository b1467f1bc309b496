"""A shorter way from a test client into the application: one step to its event loop a request, where Starlette's own
transport takes eight. Answers come whole."""

import asyncio
from urllib.parse import unquote

import httpx2
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Scope


class Straight(httpx2.BaseTransport):
    """Carries requests of a client whose portal is open. An application that raises has answered 500."""

    def __init__(self, client: TestClient, app: ASGIApp) -> None:
        self._client, self._app = client, app

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The whole answer."""
        url = request.url
        scope: Scope = {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "scheme": url.scheme,
            "path": unquote(url.path),
            "raw_path": url.raw_path.split(b"?", 1)[0],
            "query_string": url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": ("testclient", 50000),
            "server": (url.host, url.port or {"http": 80, "https": 443}[url.scheme]),
            "state": {},
        }
        assert self._client.portal, "the room is not open"
        start, body = self._client.portal.call(self._ask, scope, request.read())
        content = b"" if request.method == "HEAD" else body
        return httpx2.Response(start["status"], headers=start.get("headers"), content=content, request=request)

    async def _ask(self, scope: Scope, body: bytes) -> tuple[Message, bytes]:
        """How the answer starts, and its body."""
        unread: list[Message] = [{"type": "http.request", "body": body}]
        start: Message = {"status": 500}
        parts: list[bytes] = []

        async def receive() -> Message:
            while not unread:
                await asyncio.Event().wait()  # nobody leaves before the answer is there
            return unread.pop()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                parts.append(message.get("body", b""))

        try:
            await self._app(scope, receive, send)
        except Exception:
            assert start["status"] == 500
        return start, b"".join(parts)
