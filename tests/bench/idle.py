"""An idle poll beside a bare ASGI application that answers a 204 without a header: bytes in, bytes out, on uvloop in
one process, without sockets; processor time. The poll goes through the line that `snug serve` uses, and through
uvicorn's own protocol, as the bare application does. Each is a poll like any other: it has a cookie, is present, waits
with the others and is answered when its time is over, either at the loop's next turn or after a real millisecond."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from statistics import median
from typing import Any

import uvicorn
import uvloop
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from app.cli.upgrade import migrate
from app.main import create_app, open_context
from app.settings import read_settings
from app.web.middleware.http_connection import HttpConnection
from tests.bench.servers import folder
from tests.bench.table import Row, times
from tests.servers import poll_of

BATCHES, ROUNDS = 50, 7
QUESTION = (
    b"GET /t/AAAAAAAAAAAAAAAA/live?seen=7 HTTP/1.1\r\nHost: room\r\nCookie: snug=abcdefghijklmnopqrstuvwxyz\r\n"
    b"HX-Request: true\r\nAccept: text/html\r\n\r\n"
)


class _Wire(asyncio.Transport):
    """Takes what the server writes and counts the answers."""

    def __init__(self, answered: Callable[[], None]) -> None:
        super().__init__()
        self._answered = answered

    def write(self, data: Any) -> None:
        if bytes(data).startswith(b"HTTP/1.1 204"):
            self._answered()

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name in ("peername", "sockname") else default

    def _nothing(self) -> None: ...

    close = pause_reading = resume_reading = _nothing


async def _bare(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


async def _seconds_each(app: ASGIApp, line: type[HttpToolsProtocol], at_once: int) -> float:
    loop = asyncio.get_running_loop()
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, lifespan="off")
    config.load()
    left, done = 0, asyncio.Event()

    def answered() -> None:
        nonlocal left
        left -= 1
        if not left:
            done.set()

    lines = [line(config, ServerState(), {}, loop) for _ in range(at_once)]
    for one in lines:
        one.connection_made(_Wire(answered))
    taken = []
    for _ in range(BATCHES):
        left = at_once
        done.clear()
        began = time.process_time()
        for one in lines:
            one.data_received(QUESTION)
        await done.wait()
        taken.append(time.process_time() - began)
    for one in lines:
        one.connection_lost(None)
    return median(taken) / at_once


def rows() -> Iterator[Row]:
    """A line for each way; the poll and the bare application take turns."""
    with folder() as data, closing(uvloop.new_event_loop()) as loop:
        settings = read_settings({}, data=data)
        migrate(settings.database_url)
        context = open_context(settings)
        room = create_app(settings, context)
        context.pubsub.attach(loop)
        context.pubsub.heard("AAAAAAAAAAAAAAAA", 7)
        for what, line, at_once, seconds in (
            ("idle poll, in process", HttpConnection, 32, 0.0),
            ("the same, 320 at once, held 1 ms", HttpConnection, 320, 0.001),
            ("idle poll, uvicorn's own protocol", HttpToolsProtocol, 32, 0.0),
        ):
            poll_of(room).seconds = seconds
            ours, bare = [], []
            for _ in range(ROUNDS):
                ours.append(loop.run_until_complete(_seconds_each(room, line, at_once)))
                bare.append(loop.run_until_complete(_seconds_each(_bare, HttpToolsProtocol, at_once)))
            beside = f"bare ASGI {median(bare) * 1e6:.1f} µs"
            yield Row(what, f"{median(ours) * 1e6:.1f} µs", beside, f"{times(ours, bare):.2f} ×")
        context.writer.close()
        context.database.close()
