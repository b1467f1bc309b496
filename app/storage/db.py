"""The database: engines with the settings that keep moves safe, and the naming of constraints."""

import fcntl
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path
from time import monotonic_ns
from typing import Any, Literal, TextIO, cast

from sqlalchemy import Connection, Engine, MetaData, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import DeclarativeBase

from app.storage.restore_swap import finish

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "busy_timeout=5000",
    "foreign_keys=ON",
    "mmap_size=0",
    "trusted_schema=OFF",
)
_SQLITE_STUCK = "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC"
_POSTGRES_STUCK = "53100", "25006"  # disk full; a server that only reads
_UPGRADE_LOCK = 0x536E7567  # any number that nobody else takes: "Snug"
_POSTGRES_LIMITS = "-c lock_timeout=3s -c statement_timeout=10s -c idle_in_transaction_session_timeout=20s"


class Base(DeclarativeBase):
    """All tables. Constraints get predictable names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class UnsafeSQLite(RuntimeError):
    """This SQLite must not be used with what else writes the file."""


class AlreadyRunning(RuntimeError):
    """Another process holds the SQLite file; one process owns it."""


class Database:
    """`reader` for reading, `writer` for the one way to write (`app.storage.writer`). On SQLite they are two engines:
    the writer's transactions begin IMMEDIATE, because a deferred one that reads and then writes loses updates.
    `pooled`: the URL is a pooler's, which may give every transaction another connection. `sender` is by what hints that
    are written here are known."""

    def __init__(self, url: str, *, pooled: bool = False) -> None:
        self.is_sqlite = make_url(url).get_backend_name() == "sqlite"
        self._lock: Any = None
        if self.is_sqlite:
            self.reader = _sqlite_engine(url, "BEGIN")
            self.writer = _sqlite_engine(url, "BEGIN IMMEDIATE")
        else:
            self.reader = _postgres_engine(url, "REPEATABLE READ", pooled)
            self.writer = _postgres_engine(url, "READ COMMITTED", pooled)
        self.sender = secrets.token_hex(8)
        self.writer.update_execution_options(sender=self.sender)

    @property
    def is_owned(self) -> bool:
        """Whether nobody but this process can change it."""
        return self._lock is not None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one moment of the database and writes nothing."""
        connection = _Reader(self.reader)
        try:
            yield cast(Connection, connection)
        finally:
            connection.close()

    def own(self) -> None:
        """Claims a SQLite file for this process, and ends a restore that was cut short. Raises AlreadyRunning when
        another one holds it, and UnsafeSQLite."""
        path = self.writer.url.database
        if not self.is_sqlite or not path:
            return
        if has_second_writer(Path(path)) and not survives_second_writer(sqlite3.sqlite_version_info):
            raise UnsafeSQLite(
                f"SQLite {sqlite3.sqlite_version} may spoil {path} while Litestream copies it: take 3.51.3, 3.50.7 or "
                "3.44.6, or stop Litestream, remove its folder beside the file, and let a timer run `snug backup`"
            )
        self._lock = claimed(Path(path))  # held until the process ends
        finish(Path(path))
        self.writer.connect().close()  # turns on WAL, which several first connections at once would fail to do
        for file in (Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm", ".lock")):
            if file.exists():
                file.chmod(0o600)  # they hold hands in play

    def close(self) -> None:
        """Gives back every connection and the claim."""
        self.reader.dispose()
        self.writer.dispose()
        if self._lock:
            self._lock.close()


def is_unwritable(error: Exception) -> bool:
    """Whether the database can be read and not written: its disk is full, or refuses. What the writer asks of SQLite
    directly raises the driver's own errors."""
    cause = getattr(error, "orig", error)
    name = str(getattr(cause, "sqlite_errorname", ""))
    return name.startswith(_SQLITE_STUCK) or getattr(cause, "sqlstate", None) in _POSTGRES_STUCK


def survives_second_writer(version: tuple[int, ...]) -> bool:
    """Whether this SQLite stays sound when a second connection writes or checkpoints in WAL mode. Older ones do here,
    too, where one process owns the file and has one writer."""
    return version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)


def has_second_writer(path: Path) -> bool:
    """Whether Litestream looks after the file, which makes checkpoints of its own."""
    return path.with_name(f".{path.name}-litestream").exists()


def claimed(path: Path) -> TextIO:
    """The claim on a SQLite file, until it is closed. Raises AlreadyRunning when another process has it."""
    lock = Path(f"{path}.lock").open("w")  # noqa: SIM115
    os.fchmod(lock.fileno(), 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise AlreadyRunning(
            f"{path} is in use by another Snug: one process owns a SQLite file; for several take PostgreSQL"
        ) from error
    return lock


class _Reader:
    """A connection that is made when something is asked of it: often everything is at hand."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self.opened_at = monotonic_ns()

    def __getattr__(self, name: str) -> Any:
        if self._connection is None:
            self._connection = self._engine.connect()
        return getattr(self._connection, name)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def as_of(connection: Connection) -> float:
    """The moment at which the database was as a connection for reading sees it, or one before, in nanoseconds of the
    process. For any other, which may see what is never committed, it is before all time."""
    return connection.opened_at if isinstance(connection, _Reader) else -inf


@contextmanager
def upgrading(url: str) -> Iterator[Connection]:
    """A connection to change the schema with. Each of its transactions has the database to itself, waits for those of
    other processes, and is kept as a whole or not at all, whatever becomes of this process."""
    if make_url(url).get_backend_name() == "sqlite":
        # To change a table can mean to replace it: what refers to the old one must not hold it fast.
        engine = _sqlite_engine(url, "BEGIN IMMEDIATE", "foreign_keys=OFF")
    else:
        engine = create_engine(url, isolation_level="READ COMMITTED")

        @event.listens_for(engine, "begin")
        def wait_for_others(connection: Connection) -> None:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})")

    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def copy_sqlite(source: Path, target: Path) -> None:
    """Copies a SQLite file, which may be in use, to `target` in place of what was there; for nobody else's eyes. Raises
    OSError and sqlite3.Error, also when the copy is not sound, and then `target` is as it was."""
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(partial)) as copy:
        original.backup(copy)
        (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        partial.unlink()
        raise sqlite3.DatabaseError(f"{source} is damaged: {verdict}")
    partial.replace(target)


def _postgres_engine(url: str, isolation: Literal["READ COMMITTED", "REPEATABLE READ"], pooled: bool) -> Engine:
    """Readers see one moment; writers hold the table's row, so the plainest isolation is enough for them. What is kept
    on a connection (limits, prepared statements) a pooler keeps, or nobody does."""
    connect: dict[str, Any] = {"prepare_threshold": None} if pooled else {"options": _POSTGRES_LIMITS}
    return create_engine(
        url, connect_args=connect, isolation_level=isolation, pool_pre_ping=True, pool_size=10, pool_timeout=5
    )


def _sqlite_engine(url: str, begin: str, *pragmas: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 5})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not decide when a transaction begins
        for pragma in (*_PRAGMAS, *pragmas):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def open_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
