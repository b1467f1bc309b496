"""`snug restore`: puts a backup in the place of the room, which must not be running."""

import argparse
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from alembic import command
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from app.cli.arguments import add_storage, complain, reason
from app.cli.upgrade import OTHERS, alembic
from app.services.fairness.epochs import raise_epoch
from app.settings import BadSettings, Settings, key_path, read_settings
from app.storage.backup import BadBackup, Manifest, load_postgres, path_of, put_aside_postgres, unpack, workplace
from app.storage.db import AlreadyRunning, claimed, upgrading
from app.storage.restore_swap import DATABASE, KEY, decide, finish, waiting_place
from app.storage.schema import BadUpgrade, losing_nothing

DETAILS: Final = "What was there is kept beside it. The backup may be from SQLite or PostgreSQL, whatever it goes to."
_LOOK_AGAIN = text("SELECT pg_stat_clear_snapshot()")
_PATIENCE: Final = 3.0  # seconds in which the connections of a room that has just been stopped end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What, and to where."""
    parser.add_argument("backup", type=Path, metavar="FILE", help="a file that `snug backup` made")
    add_storage(parser)


def run(arguments: argparse.Namespace) -> int:
    """Restores, and says what and where the former room is."""
    try:
        settings = read_settings(data=arguments.data, database_url=arguments.database, with_key=False)
        path = path_of(settings.database_url)
        manifest = _to_sqlite(arguments.backup, path, settings) if path else _to_postgres(arguments.backup, settings)
    except CommandError:
        return complain("snug: the backup belongs to a newer Snug: restore it with that one", 1)
    except (BadSettings, BadBackup, BadUpgrade, AlreadyRunning, OSError, SQLAlchemyError, sqlite3.Error) as error:
        return complain(f"snug: not restored: {reason(error)}", 1)
    print(f"The room is as it was when {arguments.backup} was made, with {manifest.rows.get('moves', 0)} moves.")
    return 0


def _to_sqlite(backup: Path, path: Path, settings: Settings) -> Manifest:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with closing(claimed(path)), waiting_place(path) as place:
        finish(path)
        manifest = unpack(backup, place)
        _check_key((place / KEY).read_bytes(), settings)
        with upgrading(f"sqlite:///{place / DATABASE}") as connection:
            _bring_up_to_date(connection)
            connection.commit()
        decide(place, path, key_path(settings.data))
        finish(path)
    return manifest


def _to_postgres(backup: Path, settings: Settings) -> Manifest:
    """All in one transaction, so that there is nothing to tidy up."""
    key = key_path(settings.data)
    with workplace(settings.data) as place, upgrading(settings.session_url) as connection:
        manifest = unpack(backup, place)
        saved = (place / KEY).read_bytes()
        _check_key(saved, settings)
        if not settings.key and key.exists() and key.read_bytes() != saved:
            raise BadBackup(f"{key} is another room's: move it away, and the backup's takes its place")
        if others := _count_others(connection):
            raise AlreadyRunning(f"{others} others are connected to the database: stop the room everywhere first")
        put_aside_postgres(connection)
        command.upgrade(alembic(connection=connection), manifest.revision)
        load_postgres(place / DATABASE, connection)
        _bring_up_to_date(connection)
        if not settings.key:
            with suppress(FileExistsError):
                key.hardlink_to(place / KEY)
        connection.commit()
    return manifest


def _count_others(connection: Connection) -> int:
    """How many others are connected to the database and stay so."""
    began = time.monotonic()
    while (others := connection.execute(OTHERS).scalar_one()) and time.monotonic() < began + _PATIENCE:
        time.sleep(0.05)
        connection.execute(_LOOK_AGAIN)
    return int(others)


def _bring_up_to_date(connection: Connection) -> None:
    """What a restored room needs before anybody may enter; in the transaction that restores it."""
    command.upgrade(alembic(connection=connection, watched=losing_nothing), "head")
    raise_epoch(connection)


def _check_key(saved: bytes, settings: Settings) -> None:
    if settings.key and settings.key != saved:
        raise BadBackup(
            "SNUG_SECRET_KEY is not the key of this backup, so nobody would be known: set it to that, or unset it"
        )
