"""`snug upgrade`: makes the database, or brings it up to date."""

import argparse
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, NullPool, create_engine, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.cli.arguments import add_storage
from app.paths import MIGRATIONS
from app.settings import BadSettings, Settings, read_settings
from app.storage.db import AlreadyRunning, Database, UnsafeSQLite, copy_sqlite, upgrading
from app.storage.schema import BadUpgrade, Shape, losing_nothing, shape_of, take_back_half
from app.web.house_pages import read_house_pages

DETAILS: Final = ""
add_arguments = add_storage
OTHERS: Final = text(  # who is connected to a PostgreSQL database besides oneself
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend'"
)


def run(arguments: argparse.Namespace) -> int:
    """Creates or migrates the database."""
    if upgraded(arguments.data, arguments.database) is None:
        return 1
    print("The database is up to date.")
    return 0


def upgraded(data: Path | None, database: str | None) -> Settings | None:
    """The settings of a room whose database is up to date; None, once it has been said why that cannot be."""
    try:
        settings = read_settings(data=data, database_url=database, is_unused=is_unused)
        read_house_pages(settings.pages)  # before anybody is let in
        with closing(Database(settings.database_url)) as claim:
            claim.own()
            migrate(settings.session_url)
        return read_settings(data=data, database_url=database)  # anew: the claim may have ended a restore
    except CommandError:  # a revision that this release has never heard of
        print("snug: this database belongs to a newer Snug: start that one, or restore a backup", file=sys.stderr)
        return None
    except (BadSettings, BadUpgrade, AlreadyRunning, UnsafeSQLite, OSError, SQLAlchemyError, sqlite3.Error) as error:
        print(f"snug: {error}", file=sys.stderr)
        return None


def migrate(url: str) -> None:
    """Brings the database at `url` to this version's schema. A SQLite file is copied first, if it has an older one.
    Raises CommandError for a newer one, and BadUpgrade."""
    is_sqlite = url.startswith("sqlite")
    with upgrading(url) as connection:
        stands_at = MigrationContext.configure(connection).get_current_revision()
        holds_something = is_sqlite and bool(shape_of(connection).tables)
    follows = following(stands_at)
    path = make_url(url).database
    if stands_at and follows and path and is_sqlite:
        copy_sqlite(Path(path), Path(f"{path}.before-upgrade"))
    way = (_shape_at(stands_at), _shape_at(follows)) if follows and holds_something else None

    @contextmanager
    def watched(connection: Connection) -> Iterator[None]:
        if way and MigrationContext.configure(connection).get_current_revision() == stands_at:
            take_back_half(connection, *way)
        with losing_nothing(connection):
            yield

    command.upgrade(alembic(url=url, watched=watched), "head")


def is_unused(url: str) -> bool:
    """Whether nobody has ever played in the database. Makes none. Raises what databases raise."""
    parts = make_url(url)
    if parts.get_backend_name() == "sqlite" and parts.database and not Path(parts.database).exists():
        return True
    with create_engine(url, poolclass=NullPool).connect() as connection:
        return not is_played_in(connection)


def is_played_in(connection: Connection) -> bool:
    """Whether anybody ever played in the database."""
    if not inspect(connection).has_table("players"):
        return False
    return connection.execute(text("SELECT 1 FROM players LIMIT 1")).first() is not None


def is_foreign(connection: Connection) -> bool:
    """Whether the database holds what no Snug has made."""
    tables = inspect(connection).get_table_names()
    return bool(tables) and "alembic_version" not in tables


def misfit(connection: Connection) -> str:
    """Why this version cannot read the database; empty where it can."""
    stands_at = MigrationContext.configure(connection).get_current_revision()
    if stands_at is None:
        return "there is no room in this database"
    try:
        return "this database is of an older Snug: snug upgrade brings it up to date" if following(stands_at) else ""
    except CommandError:
        return "this database belongs to a newer Snug"


def alembic(**attributes: Any) -> Config:
    """Alembic's settings, with what migrations/env.py is to know."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes.update(attributes)
    return config


def following(revision: str | None) -> str | None:
    """The revision that follows; None after the last one. Raises CommandError for one that is not known."""
    script = ScriptDirectory.from_config(alembic())
    after = script.get_revision(revision).nextrev if revision else script.get_bases()
    return next(iter(after), None)


def _shape_at(revision: str | None) -> Shape:
    """How a SQLite database of this revision is made."""
    engine = create_engine("sqlite://")
    with closing(engine.connect()) as connection:
        if revision:
            command.upgrade(alembic(connection=connection), revision)
        return shape_of(connection)
