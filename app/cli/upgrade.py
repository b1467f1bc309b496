"""`snug upgrade`: makes the database, or brings it up to date."""

import argparse
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.cli.arguments import add_storage
from app.paths import MIGRATIONS
from app.settings import BadSettings, Settings, read_settings
from app.storage.db import AlreadyRunning, Database, copy_sqlite, upgrading

DETAILS: Final = ""
add_arguments = add_storage


def run(arguments: argparse.Namespace) -> int:
    """Creates or migrates the database."""
    if upgraded(arguments.data, arguments.database) is None:
        return 1
    print("The database is up to date.")
    return 0


def upgraded(data: Path | None, database: str | None) -> Settings | None:
    """The settings of a room whose database is up to date; None, once it has been said why that cannot be."""
    try:
        settings = read_settings(data=data, database_url=database)
        with closing(Database(settings.database_url)) as claim:
            claim.own()
            migrate(settings.session_url)
    except CommandError:  # a revision that this release has never heard of
        print("snug: this database belongs to a newer Snug: start that one, or restore a backup", file=sys.stderr)
        return None
    except (BadSettings, AlreadyRunning, OSError, SQLAlchemyError, sqlite3.Error) as error:
        print(f"snug: {error}", file=sys.stderr)
        return None
    return settings


def migrate(url: str) -> None:
    """Brings the database at `url` to this version's schema. A SQLite file is copied first, if it has an older one."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["url"] = url
    with upgrading(url) as connection:
        stands_at = MigrationContext.configure(connection).get_current_revision()
    script, path = ScriptDirectory.from_config(config), make_url(url).database
    is_behind = stands_at and script.get_revision(stands_at) != script.get_revision("head")
    if is_behind and path and url.startswith("sqlite"):
        copy_sqlite(Path(path), Path(f"{path}.before-upgrade"))
    command.upgrade(config, "head")
