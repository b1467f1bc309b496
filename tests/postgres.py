"""PostgreSQL for the tests: the server that SNUG_TEST_DATABASE_URL names, else a throwaway one made from the programs
on this machine. Every test gets a database of its own."""

import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import URL, make_url

from app.cli.upgrade import migrate
from app.storage.db import Base

_PATIENCE = 30.0
_USUAL = ("max_connections=100", "shared_buffers=32MB")
_COUNT_ANEW = (
    "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) FROM pg_sequences "
    "WHERE last_value IS NOT NULL"
)
_QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", *_USUAL)


class NoPostgres(RuntimeError):
    """There is no PostgreSQL to test with; the message says what is missing."""


class Postgres:
    """A running server. Creating a database takes it a tenth of a second, so used ones are emptied and used again."""

    def __init__(self, admin: URL) -> None:
        self._admin = admin
        self._names = (f"snug_test_{os.getpid()}_{number}" for number in itertools.count())
        self._connection = psycopg.connect(_plain(admin), autocommit=True)
        self._made: list[str] = []
        self._free: list[str] = []
        self._template = self._create("template1")
        migrate(self._url(self._template))

    def _url(self, name: str) -> str:
        return self._admin.set(database=name).render_as_string(hide_password=False)

    def _create(self, template: str) -> str:
        name = next(self._names)
        self._connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy".encode())
        self._made.append(name)
        return name

    def _drop(self, name: str) -> None:
        self._connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
        self._made.remove(name)

    @contextmanager
    def migrated(self) -> Iterator[str]:
        """The URL of a migrated database without any rows, in which whatever counts begins at one: cards depend on
        what a table's number is."""
        name = self._free.pop() if self._free else self._create(self._template)
        yield self._url(name)
        rows = "; ".join(f"DELETE FROM {table.name}" for table in reversed(Base.metadata.sorted_tables))
        with psycopg.connect(_plain(make_url(self._url(name)))) as connection:
            connection.execute("SET lock_timeout = '3s'")
            connection.execute(rows.encode())
            connection.execute(_COUNT_ANEW)
        self._free.append(name)

    @contextmanager
    def empty(self) -> Iterator[str]:
        """The URL of a new database with nothing in it."""
        name = self._create("template1")
        yield self._url(name)
        self._drop(name)

    @contextmanager
    def copy_of(self, url: str) -> Iterator[str]:
        """The URL of a new database with what is in that one, to which nobody may be connected."""
        name = self._create(str(make_url(url).database))
        yield self._url(name)
        self._drop(name)

    def close(self) -> None:
        """Leaves nothing behind, also on a server that is not ours."""
        for name in list(self._made):
            self._drop(name)
        self._connection.close()


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[Postgres]:
    """A server, stopped afterwards if it was started here: quick for tests, or `durable` as a room's. Raises
    NoPostgres."""
    if given := os.environ.get("SNUG_TEST_DATABASE_URL"):
        postgres = Postgres(make_url(given).set(drivername="postgresql+psycopg"))
        try:
            yield postgres
        finally:
            postgres.close()
        return
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="snug-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        with _running(programs, folder, _USUAL if durable else _QUICK) as admin:
            postgres = Postgres(admin)
            yield postgres
            postgres.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def initialised(programs: Path, folder: Path) -> None:
    """Makes an empty cluster there, which trusts whoever reaches its socket."""
    initialise = [programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust"]
    subprocess.run(
        _as_owner([*initialise, "--no-sync", "--no-locale", "--encoding=UTF8"]),
        cwd=folder,
        check=True,
        capture_output=True,
    )


@contextmanager
def _running(programs: Path, folder: Path, chosen: tuple[str, ...]) -> Iterator[URL]:
    initialised(programs, folder)
    settings = [part for setting in chosen for part in ("-c", setting)]
    serve = [programs / "postgres", "-D", folder / "data", "-k", folder, "-h", "", *settings]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(_as_owner(serve), cwd=folder, stdout=log, stderr=log)
    try:
        admin = URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)})
        _await_connection(admin, process)
        yield admin
    finally:
        process.send_signal(signal.SIGINT)  # a fast shutdown
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await_connection(admin: URL, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + _PATIENCE
    while True:
        try:
            psycopg.connect(_plain(admin)).close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def _programs() -> Path:
    """The folder of initdb and postgres: on the PATH, else where Debian puts the newest."""
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            raise NoPostgres("PostgreSQL does not run as root, and there is no setpriv to become another user")
        try:
            pwd.getpwnam("postgres")
        except KeyError as error:
            raise NoPostgres("PostgreSQL does not run as root, and there is no user postgres") from error
    found = shutil.which("initdb")
    if found and shutil.which("postgres"):
        return Path(found).resolve().parent
    packaged = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0)
    )
    if not packaged:
        raise NoPostgres("PostgreSQL is not installed")
    return packaged[-1].parent


def _as_owner(command: list[object]) -> list[str]:
    """The command, as a user that PostgreSQL is content with; it dies with the tests even if they are killed."""
    words = [str(word) for word in command]
    if os.geteuid():
        return words
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=QUIT", *words]


def _plain(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
