"""What all tests stand on: databases (both kinds), a context with a clock that tests set, the room as an
application."""

import math
import os
import random
import shutil
import tarfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI
from httpx2 import create_ssl_context
from sqlalchemy import Engine, create_engine
from starlette.routing import BaseRoute
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.cli.upgrade import migrate
from app.main import create_app
from app.services.context import AppContext
from app.services.handlers import add_handlers
from app.settings import Settings
from app.storage import db
from app.storage.db import Database
from app.storage.writers import open_writer
from tests import budget, catalogue, shares, slices
from tests.postgres import NoPostgres, Postgres, postgres_server
from tests.servers import poll_of
from tests.straight import Straight
from tests.thinking import Quick

KEY = b"a key that only the tests use ---"
SAFE = db._PRAGMAS
UNPACKING: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""How archives of ours are unpacked; Debian's Python 3.11 knows no filters yet."""
_TO_INSTALL = {
    "postgres": "PostgreSQL tests were skipped: apt install postgresql",
    "proxy": "Tests with proxies were skipped: apt install caddy nginx-light pgbouncer",
    "browser": "Browser tests were skipped: apt install chromium",
    "firefox": "The test with Firefox was skipped: apt install firefox-esr npm, npm ci --prefix tests/browsers/firefox",
    "webkit": "The test with WebKit was skipped: apt install webkit2gtk-driver xvfb",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-all", action="store_true", help="fail where a test would be skipped")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: who drives a browser waits a fifth of its time."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(slices.Turns(config))
    config.pluginmanager.register(slices.Slices())
    config.pluginmanager.register(shares.Shares())
    config.pluginmanager.register(budget.Budget(config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and item.config.getoption("--require-all") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"With --require-all nothing may be skipped. {reason}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    for marker, sentence in _TO_INSTALL.items():
        if any(marker in report.keywords for report in skipped):
            terminalreporter.write_line(sentence, yellow=True)


class Clock:
    """A clock that stands still until a test moves it on; `step` is by how much somebody has set it wrong."""

    def __init__(self) -> None:
        self.time = 1_700_000_000.0
        self.step = 0.0

    def __call__(self) -> float:
        return self.time + self.step

    def passed(self) -> float:
        """As nobody can set it."""
        return self.time

    def advance(self, seconds: float) -> None:
        """So many seconds pass."""
        self.time += seconds


@pytest.fixture
def known_chance(request: pytest.FixtureRequest) -> random.Random:
    """Every test has its own cards, the same on every run."""
    return random.Random(request.node.nodeid)


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Statements are put into SQL once for all tests, not once for each test's engines: that took most of the time.
    Engines of a kind share what one of them has found out about the database."""
    known: dict[tuple[str, object], Engine] = {}

    def create(url: str, **options: Any) -> Engine:
        engine = create_engine(url, query_cache_size=5000, **options)
        kind = engine.name, options.get("isolation_level")
        if (first := known.get(kind)) and getattr(first.dialect, "server_version_info", None):
            engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
        else:
            known[kind] = engine
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db, "create_engine", create)
        yield


@pytest.fixture(scope="session", autouse=True)
def not_flushed() -> Iterator[None]:
    """What tests commit need not survive a power cut: a millisecond less each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db, "_PRAGMAS", (*SAFE, "synchronous=OFF"))
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Reading the machine's takes a client 20 times as long as what it asks a room for, which has none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx2._transports.default.create_ssl_context", cache(create_ssl_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def routed_once() -> Iterator[None]:
    """What a router's forms and addresses may hold is found out once, not by each test's application."""
    known: dict[int, BaseRoute] = {}
    include = FastAPI.include_router

    def include_known(app: FastAPI, router: APIRouter) -> None:
        if id(router) in known:
            app.router.routes.append(known[id(router)])
        else:
            include(app, router)
            known[id(router)] = app.router.routes[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FastAPI, "include_router", include_known)
        yield


@pytest.fixture(scope="session", autouse=True)
def looked_up() -> Iterator[None]:
    """Every sentence is looked up among those that translators get."""
    with catalogue.watched():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    catalogue.MISSING.clear()
    yield
    assert not catalogue.MISSING, "Translators do not get these: mark them as snug/words.py says."


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    path = tmp_path_factory.mktemp("template") / "snug.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """A fresh, migrated SQLite file."""
    path = tmp_path / "snug.db"
    shutil.copyfile(migrated_file, path)
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The PostgreSQL server, started when the first test asks for it."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(postgres_server())
        except NoPostgres as error:
            pytest.skip(str(error))
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """A fresh, migrated PostgreSQL database. Its tests bear the mark `postgres`."""
    with postgres.migrated() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database: once of each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For what costs many moves and is the same on either database."""

postgres_in_depth = pytest.mark.parametrize(
    "database_url",
    ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.thorough])],
    indirect=True,
)
"""For what is long, and asks of the database what shorter tests ask of either."""

OpenContext = Callable[[str], AppContext]


@pytest.fixture
def open_context(clock: Clock, known_chance: random.Random) -> Iterator[OpenContext]:
    """Opens contexts with memories and writers of their own; several on one URL are several processes."""
    contexts: list[AppContext] = []

    def open_one(url: str) -> AppContext:
        database = Database(url)
        context = AppContext(database, open_writer(database), KEY, now=clock, passed=clock.passed, random=known_chance)
        contexts.append(add_handlers(context))
        return contexts[-1]

    yield open_one
    for context in contexts:
        context.writer.close()
        context.database.close()


@pytest.fixture
def clock() -> Clock:
    """The time of day in `context` and in the application."""
    return Clock()


@pytest.fixture
def context(open_context: OpenContext, database_url: str) -> AppContext:
    """A context on a fresh database, once of each kind."""
    return open_context(database_url)


@pytest.fixture
def settings(tmp_path: Path, sqlite_url: str) -> Settings:
    """How the room is set up in tests."""
    return Settings(data=tmp_path, database_url=sqlite_url, key=KEY)


@pytest.fixture
def app_context(settings: Settings, clock: Clock, known_chance: random.Random) -> AppContext:
    """The context that the application works with."""
    database = Database(settings.database_url)
    context = AppContext(
        database, open_writer(database), settings.key, now=clock, passed=clock.passed, random=known_chance
    )
    context.room_time.outage = math.inf  # tests move the clock as they like
    context.thinkers = Quick()
    return add_handlers(context)


@pytest.fixture
def room_app(settings: Settings, app_context: AppContext) -> ASGIApp:
    """The whole application; it opens when a client does. Its polls wait for a moment only."""
    app = create_app(settings, app_context)
    poll_of(app).seconds = 0.02
    return app


NewClient = Callable[[], TestClient]


@pytest.fixture
def client(room_app: ASGIApp) -> Iterator[TestClient]:
    """A browser without cookies, on our own site; redirects are not followed."""
    with browser_of(room_app) as client:
        yield client


@pytest.fixture
def new_client(client: TestClient, room_app: ASGIApp) -> Iterator[NewClient]:
    """More browsers of the same kind, in the same room."""
    with ExitStack() as stack:

        def open_one() -> TestClient:
            another = browser_of(room_app)
            another.portal = client.portal  # the room is open already
            stack.callback(another.close)
            return another

        yield open_one


def browser_of(app: ASGIApp) -> TestClient:
    """A browser without cookies; the room opens when it is entered."""
    client = TestClient(
        app,
        base_url="http://testserver",
        headers={"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"},
        follow_redirects=False,
    )
    client._transport = Straight(client, app)
    return client
