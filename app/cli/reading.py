"""How a command reads a room that may be open: it makes nothing, and whatever is in the way is a line."""

import argparse
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.cli.arguments import complain, reason
from app.cli.upgrade import misfit
from app.settings import BadSettings, Settings, read_settings
from app.storage.db import Database
from app.storage.restore_swap import is_decided


def with_settings(work: Callable[[Settings], int], arguments: argparse.Namespace, *, with_key: bool = False) -> int:
    """What `work` comes to with the settings of a room that is there; else says why not."""
    if arguments.data and not arguments.data.is_dir():
        return complain(f"{arguments.data}: there is no such folder")
    try:
        settings = read_settings(data=arguments.data, database_url=arguments.database, with_key=with_key)
        url = make_url(settings.database_url)
        if settings.is_sqlite and not Path(url.database or "").is_file():
            return complain(f"{url.database}: there is no such file")
        if settings.is_sqlite and is_decided(Path(url.database or "")):
            return complain(f"{url.database}: a restore was cut short; start the room, which ends it")
        return work(settings)
    except (BadSettings, OSError, SQLAlchemyError) as error:
        return complain(f"snug: {reason(error)}")


def with_database(work: Callable[[Database], int], settings: Settings) -> int:
    """What `work` comes to with the database, if it is of this version."""
    with closing(Database(settings.database_url, pooled=settings.is_pooled)) as database:
        with database.reader.connect() as connection:
            if wrong := misfit(connection):
                return complain(f"snug: {wrong}")
        return work(database)
