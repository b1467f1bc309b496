"""Backups: one private file with the room's database, as a SQLite file whatever the room runs on, its signing key, and
a list of both that tells a sound one from a damaged one.

PostgreSQL is read through its own connection, within one snapshot: no client programs, whose version would have to
suit the server's, and what was saved from one kind of database can be restored to the other.
"""

import fcntl
import hashlib
import io
import os
import shutil
import sqlite3
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, MetaData, create_engine, inspect, text
from sqlalchemy.engine import make_url

from app.storage import models
from app.storage.db import copy_sqlite
from app.storage.restore_swap import DATABASE, KEY

_LIST: Final = "manifest.json"
_FORMAT: Final = 1
_LONGEST_LIST: Final = 1_000_000
_WORKPLACE: Final = ".snug-"
_AT_ONCE: Final = 1000
_STANDS_AT: Final = "alembic_version"


class BadBackup(RuntimeError):
    """What cannot be saved or restored; the message says why. Nothing was changed."""


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds: the versions of Snug and of the schema, each table's rows, the SHA-256 of its files."""

    format: int
    made_at: float
    version: str
    revision: str
    rows: dict[str, int]
    sha256: dict[str, str]


@contextmanager
def workplace(beside: Path) -> Iterator[Path]:
    """A private folder on the same disk, gone afterwards; what a kill left of another one goes, too. Raises BadBackup
    while somebody else works there."""
    claim = os.open(beside, os.O_RDONLY)
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for left in beside.glob(f"{_WORKPLACE}*"):
            shutil.rmtree(left)
        with tempfile.TemporaryDirectory(prefix=_WORKPLACE, dir=beside) as folder:
            yield Path(folder)
    except BlockingIOError as error:
        raise BadBackup(f"{beside} is being worked in by another backup or restore") from error
    finally:
        os.close(claim)


def save_sqlite(source: Path, target: Path) -> None:
    """Copies the database of a room that may be running. Raises BadBackup, OSError and sqlite3.Error."""
    if not source.exists():
        raise BadBackup(f"{source} is not there: there is nothing to save")
    copy_sqlite(source, target)


def save_postgres(source: Connection, target: Path) -> None:
    """Writes all rows into the SQLite file at `target`, which has this schema's tables. `source` sees one moment."""
    driver: Any = source.connection.driver_connection
    with closing(sqlite3.connect(target)) as copy, copy:
        for name in (name for name in _tables_in(copy) if name != _STANDS_AT):
            columns = {column["name"]: column["type"] for column in inspect(source).get_columns(name)}
            asked = ", ".join(
                f'"{name}"::text' if "JSON" in str(kind) else f'"{name}"' for name, kind in columns.items()
            )
            into = f'INSERT INTO "{name}" ({_listed(columns)}) VALUES ({", ".join("?" * len(columns))})'
            with driver.cursor(name="rows") as rows:
                rows.itersize = _AT_ONCE
                rows.execute(f'SELECT {asked} FROM "{name}"')
                copy.executemany(into, rows)


def load_postgres(source: Path, target: Connection) -> None:
    """Reads all rows of the SQLite file into tables of the same schema, which are empty."""
    engine, tables = create_engine(f"sqlite:///{source}"), MetaData()
    tables.reflect(engine)
    engine.dispose()
    driver: Any = target.connection.driver_connection
    with closing(sqlite3.connect(source)) as saved, driver.cursor() as cursor:
        for table in (table for table in tables.sorted_tables if table.name != _STANDS_AT):
            columns = _listed(column.name for column in table.columns)
            with cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN') as rows:
                for row in saved.execute(f'SELECT {columns} FROM "{table.name}"'):
                    rows.write_row(row)
            for column in table.columns:
                sequence = text("SELECT pg_get_serial_sequence(:table, :column)")
                if name := target.execute(sequence, {"table": table.name, "column": column.name}).scalar():
                    last = f'SELECT setval(:name, (SELECT coalesce(max("{column.name}"), 1) FROM "{table.name}"))'
                    target.execute(text(last), {"name": name})


def put_aside_postgres(connection: Connection) -> str | None:
    """Moves the room's tables out of the way, to a schema of their own, whose name it gives if there were any."""
    ours = {*models.Base.metadata.tables, _STANDS_AT}
    there = [name for name in inspect(connection).get_table_names() if name in ours]
    if not there:
        return None
    schema = time.strftime("before_restore_%Y%m%dt%H%M%S") + f"_{time.time_ns() // 1000 % 1_000_000:06}"
    connection.execute(text(f"CREATE SCHEMA {schema}"))
    for name in there:
        connection.execute(text(f'ALTER TABLE "{name}" SET SCHEMA {schema}'))
    return schema


def pack(database: Path, key: bytes, folder: Path, version: str) -> Path:
    """Makes the backup in `folder` out of a saved database, which is used up, in a workplace; and reads it once more.
    Raises BadBackup, OSError and sqlite3.Error."""
    now = time.time()
    moment = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now))
    target = folder / f"snug-{moment}-{int(now % 1 * 1000):03}.tar"
    place = database.parent
    partial = place / target.name
    with closing(sqlite3.connect(database)) as saved:
        saved.execute("PRAGMA journal_mode=DELETE")
        rows = _counted(saved)
        revision = _revision(saved)
    files = {DATABASE: _digest(database), KEY: hashlib.sha256(key).hexdigest()}
    listed = msgspec.json.encode(Manifest(_FORMAT, now, version, revision, rows, files))
    with (
        os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file,
        tarfile.open(fileobj=file, mode="w") as archive,
    ):
        for name, content in ((_LIST, listed), (KEY, key)):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), 0o600, int(now)
            archive.addfile(entry, io.BytesIO(content))
        archive.add(database, DATABASE)
        archive.close()
        file.flush()
        os.fsync(file.fileno())
    database.unlink()
    unpack(partial, place)
    partial.replace(target)
    return target


def unpack(backup: Path, folder: Path) -> Manifest:
    """Takes the DATABASE and the KEY out of a backup. Raises BadBackup for anything but a sound one, and OSError."""
    try:
        with tarfile.open(backup, "r:") as archive:
            listed = archive.extractfile(_LIST)
            assert listed
            manifest = msgspec.json.decode(listed.read(_LONGEST_LIST), type=Manifest)
            if manifest.format != _FORMAT:
                raise BadBackup(f"{backup} was made by a newer Snug ({manifest.version}): restore it with that one")
            for name in (DATABASE, KEY):
                content = archive.extractfile(name)
                assert content
                with os.fdopen(os.open(folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                    shutil.copyfileobj(content, file)
    except (tarfile.TarError, KeyError, AssertionError, EOFError, msgspec.DecodeError) as error:
        raise BadBackup(f"{backup} is not a backup of a Snug, or a part of one only") from error
    for name in (DATABASE, KEY):
        if _digest(folder / name) != manifest.sha256.get(name):
            raise BadBackup(f"{backup} is damaged: its {name} is not what was saved")
    _check(folder / DATABASE, manifest, backup)
    return manifest


def _check(database: Path, manifest: Manifest, backup: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as saved:
            (verdict,) = saved.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict == "ok" and _counted(saved) != manifest.rows:
                verdict = "rows that are missing"
            elif verdict == "ok" and _revision(saved) != manifest.revision:
                verdict = "another schema than was saved"
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise BadBackup(f"{backup} is damaged: {' '.join(verdict.split())}")


def _counted(saved: sqlite3.Connection) -> dict[str, int]:
    return {name: saved.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in _tables_in(saved)}


def _tables_in(saved: sqlite3.Connection) -> list[str]:
    names = (name for (name,) in saved.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    return [name for name in names if not name.startswith("sqlite_")]


def _revision(saved: sqlite3.Connection) -> str:
    (revision,) = saved.execute(f"SELECT version_num FROM {_STANDS_AT}").fetchone()
    return str(revision)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _listed(columns: Any) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def path_of(url: str) -> Path | None:
    """The file of a SQLite database; None for any other."""
    parts = make_url(url)
    return Path(parts.database) if parts.get_backend_name() == "sqlite" and parts.database else None
