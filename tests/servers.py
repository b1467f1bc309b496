"""The room behind a real HTTP server, for what a test client cannot show: held polls, disconnects, restarts."""

import asyncio
import math
import os
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from app.jobs.notifier import PostTo
from app.main import create_app, open_context
from app.services.context import AppContext
from app.services.room_time import RoomTime
from app.settings import Settings
from app.web.middleware.http_connection import HttpConnection
from app.web.middleware.long_poll import LongPoll
from tests.waiters import until

Protocol = type[asyncio.Protocol]
_PATIENCE = 20.0


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def poll_of(app: ASGIApp) -> LongPoll:
    """The poll inside an application made by `create_app`."""
    door: Any = app
    while not isinstance(door, LongPoll):
        door = door._app
    return door


def application_of(app: ASGIApp) -> FastAPI:
    """The application behind the doors of one made by `create_app`."""
    door: Any = app
    while not isinstance(door, FastAPI):
        door = door._app
    return door


@dataclass
class Served:
    """A room that is being served at `url`; `lines` are those that are open, and what is under way on them."""

    url: str
    context: AppContext
    lines: Callable[[], int]


def line_to(served: Served) -> socket.socket:
    """A line to the room, on which anything may be said."""
    return socket.create_connection(("127.0.0.1", int(served.url.rsplit(":", 1)[1])), _PATIENCE)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


def stand_still(context: AppContext, clock: Callable[[], float]) -> None:
    """No time passes in the room but what the clock says, whoever looks after it."""
    context.now = context.passed = clock
    context.room_time = RoomTime(clock, clock)
    context.room_time.outage = math.inf
    context.room_time.beat(clock())  # else the next beat takes what passed until then for time that the room was down


@contextmanager
def serving(
    settings: Settings,
    *,
    port: int = 0,
    hold: float | None = None,
    post: PostTo | None = None,
    line: Protocol = HttpConnection,
) -> Iterator[Served]:
    """Serves the room in a thread, on a free port unless one is given, and stops it afterwards. `hold` is how many
    seconds a poll may wait, `post` where news go, `line` how connections are served."""
    context = open_context(settings)
    context.random = random.Random(os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0])  # the cards are the test's own
    app = create_app(settings, context, post)
    if hold is not None:
        poll_of(app).seconds = hold
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    config = uvicorn.Config(app, http=line, log_level="error", access_log=False, timeout_graceful_shutdown=5, ws="none")
    server = _Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), name="live server")
    thread.start()
    try:
        assert server.up.wait(_PATIENCE), "the server did not start"
        state = server.server_state
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield Served(url, context, lambda: len(state.connections) + len(state.tasks))
    finally:
        server.should_exit = True
        thread.join(_PATIENCE)
        assert not thread.is_alive(), "the server did not stop"


@contextmanager
def two_processes(settings: Settings, hold: float) -> Iterator[tuple[Served, Served]]:
    """Two servers on one database, each with a memory, a writer and a line of its own."""
    with serving(settings, hold=hold) as here, serving(settings, hold=hold) as there:
        until(lambda: here.context.pubsub.hears_others and there.context.pubsub.hears_others)
        yield here, there
        for served in (here, there):
            served.context.pubsub.release()
