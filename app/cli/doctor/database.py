"""The database: whether it is sound, set so that nothing is lost, of this version, and nobody else's."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection, NullPool, create_engine, select, text

from app.cli.arguments import reason
from app.cli.doctor.findings import FAULT, OK, WARNING, Finding
from app.cli.upgrade import OTHERS, following, is_foreign, is_played_in
from app.services.integrity.room import check_tables
from app.settings import Settings
from app.storage import models
from app.storage.backup import path_of
from app.storage.db import AlreadyRunning, Database, claimed, has_second_writer, survives_second_writer
from app.storage.restore_swap import is_decided

_AS_USED: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "mmap_size": 0, "trusted_schema": 0}
_SAFE: Final = ("fsync", "full_page_writes", "synchronous_commit")
_OLDEST_POSTGRES: Final = 140_000
_APART: Final = 2.0  # seconds between two clocks
_REPLAYED: Final = 20  # tables at random
_CURRENT: Final = Finding(OK, "the database is of this version")
_LAG: Final = 10.0
_STANDBYS = text(
    "SELECT application_name, sync_state, coalesce(extract(epoch FROM replay_lag), 0) FROM pg_stat_replication"
)


class Looked(NamedTuple):
    """What was found, and whether anybody ever played here."""

    findings: list[Finding]
    is_played_in: bool


def examine(settings: Settings) -> Looked:
    """Everything about the database, which is not changed, nor made where there is none."""
    path = path_of(settings.database_url)
    try:
        if path is None:
            return _in_postgres(settings)
        if not path.exists():
            return Looked([Finding(OK, f"{path} will be made at the first start"), _of_sqlite(path)], False)
        return _in_file(path, settings)
    except Exception as error:  # whatever it is, the rest of the house is looked at
        unread = f"the database cannot be read: {reason(error)}"
        return Looked([Finding(FAULT, unread, "start it, or restore a backup")], False)


def _in_file(path: Path, settings: Settings) -> Looked:
    findings = [_of_sqlite(path)]
    if is_decided(path):
        return Looked([*findings, Finding(WARNING, "a restore was cut short", "start the room, which ends it")], False)
    try:
        claimed(path).close()
        findings.append(Finding(OK, "the room is not running"))
    except AlreadyRunning:
        findings.append(Finding(OK, "the room is running"))
    with closing(Database(settings.database_url)) as database, database.writer.connect() as connection:
        used = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in _AS_USED}
        wrong = [f"{name} is {used[name]}" for name, value in _AS_USED.items() if used[name] not in (value, None)]
        if wrong:
            findings.append(Finding(FAULT, f"SQLite does not keep moves: {', '.join(wrong)}", "take a local disk"))
        verdict = connection.execute(text("PRAGMA quick_check(1)")).scalar_one()
        if verdict != "ok":
            findings.append(Finding(FAULT, f"{path} is damaged: {' '.join(verdict.split())}", "restore a backup"))
            return Looked(findings, False)
        found = [*findings, *_of_rows(connection)]
        return Looked([*found, *_of_tables(database, found)], is_played_in(connection))


def _of_sqlite(path: Path) -> Finding:
    release = sqlite3.sqlite_version
    if survives_second_writer(sqlite3.sqlite_version_info):
        return Finding(OK, f"SQLite {release}")
    if has_second_writer(path):
        return Finding(
            FAULT,
            f"SQLite {release} may spoil a file that Litestream copies as well",
            "take SQLite 3.51.3, 3.50.7 or 3.44.6, or stop Litestream and let a timer run snug backup",
        )
    return Finding(OK, f"SQLite {release}: its bug with two writers cannot happen, for one process owns the file")


def _in_postgres(settings: Settings) -> Looked:
    with create_engine(settings.session_url, poolclass=NullPool).connect() as connection:
        findings = [*_of_server(connection), *_of_rows(connection)]
        with closing(Database(settings.database_url, pooled=settings.is_pooled)) as database:
            return Looked([*findings, *_of_tables(database, findings)], is_played_in(connection))


def _of_server(connection: Connection) -> Iterator[Finding]:
    number = int(connection.execute(text("SHOW server_version_num")).scalar_one())
    release = connection.execute(text("SHOW server_version")).scalar_one()
    if number < _OLDEST_POSTGRES:
        yield Finding(WARNING, f"PostgreSQL {release} gets no corrections any more", "take a newer one")
    else:
        yield Finding(OK, f"PostgreSQL {release}")
    for name in _SAFE:
        if (value := connection.execute(text(f"SHOW {name}")).scalar_one()) in ("off", "local"):
            level = FAULT if value == "off" else WARNING
            yield Finding(level, f"PostgreSQL's {name} is {value}: acknowledged moves can be lost", f"set {name} = on")
    others = connection.execute(OTHERS).scalar_one()
    yield Finding(OK, f"{others} others are connected: the room is running" if others else "the room is not running")
    there = connection.execute(text("SELECT extract(epoch FROM clock_timestamp())::float8")).scalar_one()
    apart = abs(there - time.time())
    if apart > _APART:
        yield Finding(
            FAULT, f"the clocks here and at PostgreSQL are {apart:.0f} seconds apart", "keep both with chrony"
        )
    for name, state, lag in connection.execute(_STANDBYS):
        level = WARNING if lag > _LAG else OK
        yield Finding(level, f"standby {name} ({state}) is {lag:.0f} seconds behind")


def _of_rows(connection: Connection) -> Iterator[Finding]:
    """What is the same on both kinds of database."""
    stands_at = MigrationContext.configure(connection).get_current_revision()
    try:
        if is_foreign(connection):
            yield Finding(FAULT, "the database holds what no Snug has made", "name another one, or restore a backup")
            return
        if stands_at is None:
            yield Finding(OK, "the tables will be made at the first start")
            return
        if following(stands_at):
            yield Finding(WARNING, "the database is of an older Snug", "make a backup: the next start upgrades it")
            return
    except CommandError:
        yield Finding(FAULT, "the database is of a newer Snug", "start that one, or restore a backup")
        return
    yield _CURRENT
    last = connection.execute(select(models.Heartbeat.wall)).scalar_one_or_none()
    if last is not None and last > time.time() + _APART:
        ahead = last - time.time()
        yield Finding(
            FAULT, f"the clock was set back by at least {ahead:.0f} seconds", "set it right, and keep it (chrony)"
        )


def _of_tables(database: Database, found: Sequence[Finding]) -> Iterator[Finding]:
    """A few tables, replayed. What is of another version is not looked into."""
    if _CURRENT not in found:
        return
    checked = list(check_tables(database, most=_REPLAYED))
    for name, faults in checked:
        if faults:
            yield Finding(FAULT, f"{name}: {faults[0]}", "snug verify tells more; a backup may have it whole")
    if checked and not any(faults for _, faults in checked):
        yield Finding(OK, f"{len(checked)} tables were replayed, and are as they are stored")
