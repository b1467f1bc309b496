"""`snug verify`: checks what is stored."""

import argparse
import time
from functools import partial
from itertools import chain
from typing import Final

from app.cli.arguments import MISUSED, add_storage, complain, whole
from app.cli.reading import with_database, with_settings
from app.main import open_context
from app.services.errors import ServiceError
from app.services.integrity.room import check_tables, check_tournaments, release
from app.settings import Settings
from app.storage.db import Database

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

    def check(settings: Settings) -> int:
        if arguments.release:
            return _release(settings, arguments.release)
        return with_database(partial(_verify, arguments), settings)

    return with_settings(check, arguments, with_key=bool(arguments.release))


def _verify(arguments: argparse.Namespace, database: Database) -> int:
    began, tables, tournaments, faults = time.monotonic(), 0, 0, 0
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
        return complain(f"snug: {error.sentence}", MISUSED if error.status == 404 else FAULTY)
    finally:
        context.writer.close()
        context.database.close()
    print(f"Table {code} is open again.")
    return 0
