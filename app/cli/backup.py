"""`snug backup`: saves the room, which may be running, in one file."""

import argparse
import sqlite3
from importlib.metadata import version
from pathlib import Path
from typing import Final

from alembic import command
from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import NullPool, create_engine
from sqlalchemy.exc import SQLAlchemyError

from app.cli.arguments import add_storage, complain, reason, whole
from app.cli.upgrade import alembic, is_unused
from app.settings import BadSettings, Settings, read_settings
from app.storage.backup import BadBackup, pack, path_of, save_postgres, save_sqlite, workplace
from app.storage.db import upgrading
from app.storage.restore_swap import DATABASE, is_decided

DETAILS: Final = "The file holds the database and the signing key, and so live hands: guard it, and keep one elsewhere."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, how many, and of which room."""
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="where to (default: DATA/backups)")
    parser.add_argument("--keep", type=whole(1), metavar="N", help="afterwards, remove all but the newest N there")
    add_storage(parser)


def run(arguments: argparse.Namespace) -> int:
    """Makes the backup and prints its name."""
    try:
        settings = read_settings(data=arguments.data, database_url=arguments.database, is_unused=is_unused)
        folder = arguments.folder or settings.data / "backups"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        print(save(settings, folder))
        if arguments.keep:
            for old in backups_in(folder)[: -arguments.keep]:
                old.unlink()
    except (BadSettings, BadBackup, CommandError, OSError, SQLAlchemyError, sqlite3.Error) as error:
        return complain(f"snug: no backup was made: {reason(error)}", 1)
    return 0


def save(settings: Settings, folder: Path) -> Path:
    """Saves the room in a new file in this folder. Raises BadBackup, CommandError and what databases raise."""
    with workplace(folder) as place:
        saved, path = place / DATABASE, path_of(settings.database_url)
        if path is None:
            _save_postgres(settings.session_url, saved)
        elif is_decided(path):
            raise BadBackup("a restore was cut short: start the room, which ends it")
        else:
            save_sqlite(path, saved)
        return pack(saved, settings.key, folder, version("snug"))


def backups_in(folder: Path) -> list[Path]:
    """The backups in a folder, the oldest first."""
    return sorted(folder.glob("snug-*.tar"))


def _save_postgres(url: str, target: Path) -> None:
    with create_engine(url, poolclass=NullPool, isolation_level="REPEATABLE READ").connect() as source:
        stands_at = MigrationContext.configure(source).get_current_revision()
        if stands_at is None:
            raise BadBackup("the database holds no room: there is nothing to save")
        with upgrading(f"sqlite:///{target}") as copy:
            command.upgrade(alembic(connection=copy), stands_at)
            copy.commit()
        save_postgres(source, target)
