"""`snug room`: what whoever keeps the room asks about it."""

import argparse
import time
from datetime import UTC, datetime
from functools import partial
from typing import Final

from app.cli.arguments import add_storage
from app.cli.reading import with_database, with_settings
from app.services.keeper import KeptTable, guests_of, tables_of
from app.settings import Settings
from app.storage.db import Database

DETAILS: Final = "Reads only, while the room is open; of cards it tells nothing."
_SPANS: Final = (("days", 86_400), ("h", 3600), ("min", 60), ("s", 1))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is asked."""
    questions = parser.add_subparsers(title="questions", metavar="QUESTION", required=True)
    tables = questions.add_parser("tables", help="the tables: who, since when, the last move, whether frozen")
    tables.add_argument("--all", action="store_true", help="also those that are over")
    tables.set_defaults(ask=_tables)
    guests = questions.add_parser("guests", help="the guests: their numbers, since when, at how many tables")
    guests.add_argument("name", nargs="?", default="", metavar="NAME", help="those in whose name this occurs")
    guests.set_defaults(ask=_guests)
    for question in (tables, guests):
        add_storage(question)


def run(arguments: argparse.Namespace) -> int:
    """Prints what is known."""

    def ask(settings: Settings) -> int:
        return with_database(partial(arguments.ask, arguments), settings)

    return with_settings(ask, arguments)


def _tables(arguments: argparse.Namespace, database: Database) -> int:
    with database.reading() as connection:
        found = tables_of(connection, with_finished=arguments.all)
    now = time.time()
    for table in found:
        moved = "no move yet" if table.moved_at is None else f"last move {_span(now - table.moved_at)} ago"
        since = _span(now - table.opened_at)
        print(f"{table.code}  {table.game}, {_status(table)}; open for {since}, {moved}; {', '.join(table.names)}")
    print(f"{len(found)} tables.")
    return 0


def _status(table: KeptTable) -> str:
    if table.frozen is not None:
        return f"FROZEN ({table.frozen})"
    return f"paused by {table.paused_by}" if table.paused_by else table.status


def _guests(arguments: argparse.Namespace, database: Database) -> int:
    with database.reading() as connection:
        found = guests_of(connection, arguments.name)
    for guest in found:
        came = datetime.fromtimestamp(guest.came_at, UTC)
        print(f"{guest.number:>6}  {guest.name}, since {came:%Y-%m-%d %H:%M} UTC, at {guest.tables} tables")
    print(f"{len(found)} guests.")
    return 0


def _span(seconds: float) -> str:
    name, length = next((span for span in _SPANS if seconds >= 2 * span[1]), _SPANS[-1])
    return f"{max(0, int(seconds // length))} {name}"
