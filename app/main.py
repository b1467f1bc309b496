"""Puts the application together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp

from app.jobs import heartbeat
from app.jobs.notifier import Notifier, PostTo
from app.jobs.outbound import Post
from app.jobs.reviewer import Reviewer
from app.jobs.scheduler import Scheduler
from app.jobs.web_push import Sender
from app.paths import STATIC
from app.services.context import AppContext
from app.services.errors import Frozen
from app.services.handlers import add_handlers
from app.services.players.languages import catalogues
from app.services.readiness import trouble
from app.services.search_pool import SearchPool
from app.settings import Settings
from app.storage.counts import counts
from app.storage.db import Database
from app.storage.pubsub import Listener
from app.storage.writers import open_writer
from app.web import metrics
from app.web.errors import add_error_pages
from app.web.house_pages import read_house_pages
from app.web.metrics import Measured
from app.web.middleware.compression import Compression
from app.web.middleware.concurrency_limit import ConcurrencyLimiter
from app.web.middleware.fast_path import FastPath
from app.web.middleware.language import LanguageMiddleware
from app.web.middleware.long_poll import LongPoll
from app.web.middleware.security import SecurityMiddleware
from app.web.pages.parts import SeenParts
from app.web.pages.static import KeptForEver
from app.web.routes import (
    account,
    chat,
    circles,
    home_screen,
    hosts,
    house,
    learn,
    lobby,
    notifications,
    playback,
    players,
    proofs,
    seat_transfer,
    setup,
    tables,
)
from app.web.routes.keeper import page as keeper
from app.web.routes.keeper import reports
from app.web.routes.tournaments import acts as tournament_acts
from app.web.routes.tournaments import pages as tournament_pages
from app.web.routes.tournaments import set_up as tournament_set_up

_LARGEST_BODY = 64 * 1024
_HEALTHY = 4.0  # seconds within which the database must answer


def open_context(settings: Settings, database: Database | None = None) -> AppContext:
    """The context on the configured database, which must have been upgraded and may be open already."""
    database = database or Database(settings.database_url, pooled=settings.is_pooled)
    context = AppContext(database, open_writer(database), settings.key, webhooks=settings.webhooks)
    context.any_push, context.limits, context.forget_after = settings.any_push, settings.limits, settings.forget_after
    context.openers = settings.openers
    context.thinkers = SearchPool(settings.thinkers)
    return add_handlers(context)


def create_app(settings: Settings, context: AppContext | None = None, post: PostTo | None = None) -> ASGIApp:
    """The room as an ASGI application, on this context or a new one; the application closes it at the end. `post` is
    how notifications are sent."""
    context = context or open_context(settings)
    database = context.database
    sender = Sender(settings.key, settings.public_url if settings.is_https else "")
    notifier = Notifier(context, post or Post(), sender, settings.public_url)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        database.own()
        context.pubsub.attach(asyncio.get_running_loop())
        listener = None if database.is_sqlite else Listener(settings.session_url, context.pubsub, database.sender)
        with suppress(Frozen):  # a table that cannot be read must not keep the room closed
            context.write(heartbeat.beat)
        scheduler = Scheduler(context)
        scheduler.start()
        notifier.start()
        reviewer = Reviewer(context)
        reviewer.start()
        yield
        await reviewer.stop()
        await scheduler.stop()
        await notifier.stop()
        if listener:
            listener.close()
        context.thinkers.close()
        context.writer.close()
        database.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, max_body_size=_LARGEST_BODY)
    app.state.settings = settings
    app.state.context = context
    app.state.seen_parts = SeenParts()
    app.state.push_key = sender.public_key
    app.state.house_pages = read_house_pages(settings.pages)
    app.mount("/static", KeptForEver(directory=STATIC))

    lookers = CapacityLimiter(2)

    @app.get("/livez")
    async def livez() -> PlainTextResponse:
        """The process answers, whatever the database does: a proxy asks this, for pages still say what is wrong."""
        return PlainTextResponse("ok")

    @app.get("/readyz")
    @app.get("/healthz")
    async def readyz() -> PlainTextResponse:
        """Whether the room does its work; said in threads of its own, however busy the others are."""
        try:
            async with asyncio.timeout(_HEALTHY):
                wrong = await to_thread.run_sync(trouble, context, limiter=lookers, abandon_on_cancel=True)
        except TimeoutError:
            wrong = "the database does not answer"
        return PlainTextResponse(wrong or "ok", 503 if wrong else 200)

    for router in (
        lobby.router,
        home_screen.router,
        house.router,
        players.router,
        tables.router,
        hosts.router,
        seat_transfer.router,
        setup.router,
        chat.router,
        reports.router,
        notifications.router,
        playback.router,
        proofs.router,
        learn.router,
        tournament_set_up.router,
        tournament_acts.router,
        tournament_pages.router,
        circles.router,
        account.router,
        keeper.router,
        metrics.router,
    ):
        app.include_router(router)
    add_error_pages(app)
    words = catalogues()
    limited: ASGIApp = ConcurrencyLimiter(app, app)
    spoken = LanguageMiddleware(limited, words) if len(words) > 1 else limited
    strict: ASGIApp = SecurityMiddleware(Compression(spoken), settings.public_url)
    counts.wanted = bool(settings.metrics)
    if counts.wanted:
        strict = Measured(strict)
    quick = FastPath(strict, app, context, words)
    return LongPoll(quick, context.pubsub, context.presence, settings.public_url, trusted=database.is_sqlite)
