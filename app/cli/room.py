"""`snug room`: what whoever keeps the room asks about it and does to it."""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from app.cli.arguments import add_storage, complain, whole
from app.cli.reading import with_database, with_settings
from app.cli.serve import address
from app.main import open_context
from app.services.house import read_house
from app.services.keeper import inbox
from app.services.keeper.acts import LONGEST_LINK, Order, acts_of
from app.services.keeper.overview import KeptTable, bars_on, guests_of, tables_of
from app.services.keeper.reports import reports_of
from app.settings import Settings
from app.storage.db import AlreadyRunning, Database, UnsafeSQLite

DETAILS: Final = "While the room is open or not. Of cards it tells nothing; what it does stands in `snug room log`."
_SPANS: Final = (("days", 86_400), ("h", 3600), ("min", 60), ("s", 1))
_REFUSED: Final = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is asked, or to be done."""
    wishes = parser.add_subparsers(title="wishes", metavar="WISH", required=True)

    def wish(name: str, about: str, **how: Any) -> argparse.ArgumentParser:
        one = wishes.add_parser(name, help=about)
        one.set_defaults(wish=name, **how)
        add_storage(one)
        return one

    tables = wish("tables", "the tables: who, since when, the last move, whether frozen", ask=_tables)
    tables.add_argument("--all", action="store_true", help="also those that are over")
    guests = wish("guests", "the guests: their numbers, since when, at how many tables", ask=_guests)
    guests.add_argument("name", nargs="?", default="", metavar="NAME", help="those in whose name this occurs")
    reports = wish("reports", "what guests reported, with what was said around it", ask=_reports)
    reports.add_argument("--all", action="store_true", help="also those that are settled")
    wish("bars", "who is barred, and from where", ask=_bars)
    wish("log", "what was done by the command or on the keeper’s page", ask=_log)
    for name, about in (
        ("end", "end a table: nobody plays there any more, and what was played is kept"),
        ("delete", "delete a table with all that was played and said there"),
    ):
        wish(name, about).add_argument("table", metavar="CODE", help="its code, as `tables` tells it")
    for name, about in (
        ("bar", "bar a guest from the room, or from one table"),
        ("unbar", "let a guest come again"),
    ):
        one = wish(name, about)
        _add_number(one, "GUEST", "the number, as `guests` tells it")
        one.add_argument("--table", default="", metavar="CODE", help="only from this table")
    bar = wishes.choices["bar"]
    bar.add_argument("--household", dest="wide", action="store_true", help="and whoever is new from their house")
    for name, about in (
        ("export", "print all that is kept about a guest, as JSON"),
        ("forget", "forget a guest: the name and all that is theirs alone goes, games of others stay"),
    ):
        _add_number(wish(name, about), "GUEST", "the number, as `guests` tells it")
    _add_number(wish("settle", "put a report away"), "REPORT", "the number, as `reports` tells it")
    announce = wish("announce", "tell something on every page; without a text nothing any more")
    announce.add_argument("text", nargs="?", default="", metavar="TEXT", help="what to tell")
    maintenance = wish("maintenance", "open nothing new, and say so on every page")
    maintenance.add_argument("text", nargs="?", choices=("on", "off"), help="without it: which it is")
    link = wish("link", "make a link to the keeper’s page; the one made before ends")
    link.add_argument("--hours", type=whole(1, LONGEST_LINK), default=12, metavar="N", help="how long it works (12)")
    link.add_argument("--port", type=whole(1, 65535), metavar="N", help="where it is open, if it has no address (8000)")
    link.add_argument("--end", action="store_true", help="end the link that works, and make none")


def _add_number(parser: argparse.ArgumentParser, what: str, about: str) -> None:
    parser.add_argument("number", type=whole(1), metavar=what, help=about)


def run(arguments: argparse.Namespace) -> int:
    """Prints what is known, or does what is wanted."""
    ask = getattr(arguments, "ask", None)
    if ask is None and vars(arguments).get("text", "") is None:
        ask = _maintenance
    if ask is not None:
        return with_settings(lambda settings: with_database(partial(_tell, ask, arguments), settings), arguments)
    return with_settings(partial(_do, arguments), arguments, with_key=True)


def _tell(
    ask: Callable[[argparse.Namespace, Connection], Iterator[str]], arguments: argparse.Namespace, database: Database
) -> int:
    with database.reading() as connection:
        for line in ask(arguments, connection):
            print(line)
    return 0


def _do(arguments: argparse.Namespace, settings: Settings) -> int:
    given = vars(arguments)
    name = "end-link" if given.get("end") else arguments.wish
    wanted = {field: given[field] for field in ("table", "number", "text", "wide", "hours") if field in given}
    if wrong := with_database(lambda _database: 0, settings):
        return wrong
    try:
        answer = _sent(settings, Order(name, **wanted))
    except (inbox.NoAnswer, UnsafeSQLite) as error:
        return complain(f"snug: {error}")
    if not answer.done:
        return complain(answer.said, _REFUSED)
    print(f"{address(settings, None, arguments.port)}{answer.said}" if name == "link" else answer.said)
    return 0


def _sent(settings: Settings, order: Order) -> inbox.Answer:
    """What came of it: done by the room that is open on this file, else here."""
    with closing(Database(settings.database_url, pooled=settings.is_pooled)) as database, suppress(AlreadyRunning):
        database.own()
        context = open_context(replace(settings, thinkers=0), database)
        try:
            return inbox.done_by(context, order)
        finally:
            context.writer.close()
    folder = inbox.folder_of(settings.database_url)
    assert folder, "only a file is owned"
    return inbox.send(folder, order)


def _tables(arguments: argparse.Namespace, connection: Connection) -> Iterator[str]:
    found = tables_of(connection, with_finished=arguments.all)
    now = time.time()
    for table in found:
        moved = "no move yet" if table.moved_at is None else f"last move {_span(now - table.moved_at)} ago"
        since = _span(now - table.opened_at)
        yield f"{table.code}  {table.game}, {_status(table)}; open for {since}, {moved}; {', '.join(table.names)}"
    yield f"{len(found)} tables."


def _status(table: KeptTable) -> str:
    if table.is_ended:
        return "ended"
    if table.frozen is not None:
        return f"FROZEN ({table.frozen})"
    return f"paused by {table.paused_by}" if table.paused_by else table.status


def _guests(arguments: argparse.Namespace, connection: Connection) -> Iterator[str]:
    found = guests_of(connection, arguments.name)
    for guest in found:
        barred = ", BARRED" if guest.barred else ""
        yield f"{guest.number:>6}  {guest.name}, since {_moment(guest.came_at)}, at {guest.tables} tables{barred}"
    yield f"{len(found)} guests."


def _reports(arguments: argparse.Namespace, connection: Connection) -> Iterator[str]:
    found = reports_of(connection, with_settled=arguments.all)
    for one in found:
        settled = ", settled" if one.settled_at is not None else ""
        yield f"{one.number:>6}  {one.name} (guest {one.about}), table {one.code}, {_moment(one.made_at)}{settled}"
        yield f"        guest {one.by} says: {one.why or 'nothing more'}"
        for line in one.lines:
            yield f"        {'>' if line.meant else ' '} {line.name} ({line.player_id}): {line.text}"
    yield f"{len(found)} reports."


def _bars(_arguments: argparse.Namespace, connection: Connection) -> Iterator[str]:
    found = bars_on(connection)
    for bar in found:
        where = f"table {bar.code}" if bar.code else "the room"
        house = ", with the household" if bar.has_household else ""
        yield f"{bar.number:>6}  {bar.name}, from {where}{house}, since {_moment(bar.made_at)}"
    yield f"{len(found)} bars."


def _log(_arguments: argparse.Namespace, connection: Connection) -> Iterator[str]:
    found = acts_of(connection)
    for act in found:
        yield f"{_moment(act.made_at)}  {act.act}, by the {act.way}: {act.about}".rstrip(": ")
    yield f"{len(found)} acts."


def _maintenance(_arguments: argparse.Namespace, connection: Connection) -> Iterator[str]:
    house = read_house(connection)
    yield f"Maintenance is {'on' if house.maintenance else 'off'}; news: {house.news or 'none'}."


def _moment(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def _span(seconds: float) -> str:
    name, length = next((span for span in _SPANS if seconds >= 2 * span[1]), _SPANS[-1])
    return f"{max(0, int(seconds // length))} {name}"
