"""`snug verify`: checks what is stored."""

import argparse
import sys
import time
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.cli.arguments import MISUSED, add_storage, complain, whole
from app.cli.upgrade import misfit
from app.main import open_context
from app.services.errors import ServiceError
from app.services.integrity.room import check_tables, check_tournaments, release
from app.settings import BadSettings, Settings, read_settings
from app.storage.db import Database
from app.storage.restore_swap import is_decided

DETAILS: Final = (
    "Replays every match from its moves, compares scores, results, versions and standings with what is stored, and "
    "follows the chain of every table. Reads only, while the room is open. Exit status 0: everything is sound; "
    "1: something is not, a line each; 2: nothing could be read."
)
FAULTY: Final = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is checked."""
    add_storage(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--tables", type=whole(1), metavar="N", help="check so many tables at random, and nothing else")
    which.add_argument("--table", metavar="CODE", help="check the table with this code, and nothing else")
    which.add_argument(
        "--release", metavar="CODE", help="open a frozen table again, if nothing is wrong with it any more"
    )


def run(arguments: argparse.Namespace) -> int:
    """Checks what is asked for and says what is wrong."""
    if arguments.data and not arguments.data.is_dir():
        return complain(f"{arguments.data}: there is no such folder")
    try:
        settings = read_settings(data=arguments.data, database_url=arguments.database, with_key=bool(arguments.release))
        url = make_url(settings.database_url)
        if settings.is_sqlite and not Path(url.database or "").is_file():
            return complain(f"{url.database}: there is no such file")
        if settings.is_sqlite and is_decided(Path(url.database or "")):
            return complain(f"{url.database}: a restore was cut short; start the room, which ends it")
        return _release(settings, arguments.release) if arguments.release else _verify(settings, arguments)
    except SQLAlchemyError as error:
        return complain(f"snug: {getattr(error, 'orig', error)}")
    except (BadSettings, OSError) as error:
        return complain(f"snug: {error}")


def _verify(settings: Settings, arguments: argparse.Namespace) -> int:
    began, tables, tournaments, faults = time.monotonic(), 0, 0, 0
    with closing(Database(settings.database_url, pooled=settings.is_pooled)) as database:
        with database.reader.connect() as connection:
            if wrong := misfit(connection):
                return complain(f"snug: {wrong}")
        is_all = arguments.table is None and arguments.tables is None
        contests = check_tournaments(database) if is_all else iter(())
        found = check_tables(database, code=arguments.table, most=arguments.tables)
        for is_table, checked in chain(((True, one) for one in found), ((False, one) for one in contests)):
            tables, tournaments = tables + is_table, tournaments + (not is_table)
            faults += len(checked.faults)
            for fault in checked.faults:
                print(f"{checked.name}: {fault}", flush=True)
    if arguments.table and not tables:
        return complain(f"there is no table {arguments.table}")
    seconds = time.monotonic() - began
    outcome = f"{faults} faults" if faults else "everything is sound"
    print(f"{tables} tables and {tournaments} tournaments checked in {seconds:.1f} s: {outcome}.")
    return FAULTY if faults else 0


def _release(settings: Settings, code: str) -> int:
    context = open_context(settings)
    try:
        context.write(release, code)
    except ServiceError as error:
        print(f"snug: {error.sentence}", file=sys.stderr)
        return MISUSED if error.status == 404 else FAULTY
    finally:
        context.writer.close()
        context.database.close()
    print(f"Table {code} is open again.")
    return 0
