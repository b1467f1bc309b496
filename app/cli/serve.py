"""`snug serve`: opens the room."""

import argparse
import gc
import logging
import threading
from socket import socket
from types import FrameType
from typing import Final

import uvicorn

from app.cli.arguments import add_room
from app.cli.logs import log_room
from app.cli.upgrade import upgraded
from app.main import create_app, open_context
from app.services.context import AppContext
from app.settings import Settings
from app.web.middleware.connection_limit import ConnectionLimiter, most_connections
from app.web.middleware.http_connection import HttpConnection
from app.web.middleware.request_log import RequestLog

DETAILS: Final = "Makes or upgrades its database first."
add_arguments: Final = add_room
_BETWEEN_COLLECTIONS: Final = 10_000
"""How many more objects there are than were when Python last looked for garbage among the newest. By itself it looks
after every 700, which is in the middle of each page."""


def run(arguments: argparse.Namespace) -> int:
    """Creates or migrates the database and serves the room until it is stopped."""
    settings = upgraded(arguments.data, arguments.database)
    if settings is None:
        return 1
    serve(settings, arguments.host, arguments.port)
    return 0


def address(settings: Settings, host: str | None, port: int | None) -> str:
    """Where people find the room."""
    return settings.public_url or f"http://{host or '127.0.0.1'}:{port or 8000}"


def serve(settings: Settings, host: str | None, port: int | None, seconds: float | None = None) -> bool:
    """Serves the room, whose database is up to date, until it is stopped, or for so long: whether its time was up."""
    log_room(as_json=settings.json_log, errors_to=settings.errors_to)
    print(f"The room is open: {address(settings, host, port)}  (stop with Ctrl-C)", flush=True)
    context = open_context(settings)
    app = create_app(settings, context)
    config = uvicorn.Config(
        RequestLog(app) if logging.getLogger("app").isEnabledFor(logging.INFO) else app,
        http=HttpConnection.among(
            ConnectionLimiter(settings.limits.connections, most_connections(), settings.trusted_proxies)
        ),
        host=host or "127.0.0.1",
        port=port or 8000,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=75,  # who thinks for a minute has a line to move on
        timeout_graceful_shutdown=5,
        forwarded_allow_ips=settings.trusted_proxies,
    )
    server = _Server(config, context)
    timer = threading.Timer(seconds or 0, server.close)
    timer.daemon = True
    if seconds:
        timer.start()
    _collect_less()
    server.run()
    timer.cancel()
    return server.time_is_up


def _collect_less() -> None:
    """Has Python's search for garbage leave out what is there by now, which stays as long as the room is open."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_BETWEEN_COLLECTIONS)


class _Server(uvicorn.Server):
    """Answers the polls that wait as soon as it is told to stop, so that a restart takes no time."""

    def __init__(self, config: uvicorn.Config, context: AppContext) -> None:
        super().__init__(config)
        self._context = context
        self.time_is_up = False

    def close(self) -> None:
        """Stops because the time is up."""
        self.time_is_up = self.should_exit = True

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Lets those go who wait for news, then everybody else."""
        self._context.pubsub.release()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On SIGINT and SIGTERM."""
        self._context.pubsub.release()
        super().handle_exit(sig, frame)
