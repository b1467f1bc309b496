"""Puts the room together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from sqlalchemy import select
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from app.clockwork import Clockwork
from app.crier import Crier, PostTo
from app.db import Database
from app.models import Table
from app.outgoing import Post
from app.services.house import House
from app.settings import Settings
from app.wakeup import Listener
from app.web import handover, hosts, lobby, mine, notices, players, replays, tables, talk, tournaments
from app.web.errors import add_error_pages
from app.web.live import Poll
from app.web.render import STATIC
from app.web.security import Doorkeeper
from app.webpush import Sender
from app.writer import open_writer

_LARGEST_BODY = 64 * 1024


class _KeptForEver(StaticFiles):
    """Static files under addresses that change with their content."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_kept(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start" and b"v=" in scope["query_string"]:
                headers = message["headers"]
                assert isinstance(headers, list)
                headers.append((b"cache-control", b"public, max-age=31536000, immutable"))
            await send(message)

        await super().__call__(scope, receive, send_kept)  # type: ignore[arg-type]


def open_house(settings: Settings) -> House:
    """The house on the configured database, which must have been upgraded."""
    database = Database(settings.database_url)
    return House(database, open_writer(database), settings.key, webhooks=settings.webhooks)


def create_app(settings: Settings, house: House | None = None, post: PostTo | None = None) -> ASGIApp:
    """The room as an ASGI application, on this house or a new one; the application closes it at the end. `post` is
    how news leave the house."""
    house = house or open_house(settings)
    database = house.database
    sender = Sender(settings.key, settings.public_url if settings.is_https else "")
    crier = Crier(house, post or Post(), sender, settings.public_url)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        database.own()
        house.wakeups.attach(asyncio.get_running_loop())
        listener = None if database.is_sqlite else Listener(settings.database_url, house.wakeups)
        clockwork = Clockwork(house)
        clockwork.start()
        crier.start()
        yield
        await clockwork.stop()
        await crier.stop()
        if listener:
            listener.close()
        house.writer.close()
        database.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, max_body_size=_LARGEST_BODY)
    app.state.settings = settings
    app.state.house = house
    app.state.push_key = sender.public_key
    app.mount("/static", GZipMiddleware(_KeptForEver(directory=STATIC)))

    @app.get("/healthz")
    def healthz() -> PlainTextResponse:
        """Whether the room can read its memory."""
        with database.reading() as connection:
            connection.execute(select(Table.id).limit(1))
        return PlainTextResponse("ok")

    for router in (
        lobby.router,
        players.router,
        tables.router,
        hosts.router,
        handover.router,
        talk.router,
        notices.router,
        replays.router,
        tournaments.router,
        mine.router,
    ):
        app.include_router(router)
    add_error_pages(app)
    polled = Poll(app, house.wakeups, house.presence, trusted=database.is_sqlite)
    return Doorkeeper(polled, settings.public_url)
