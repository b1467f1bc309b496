"""Everything that a room has stored, checked table by table; and how a frozen table is opened again."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, select, update

from app.services.context import AppContext
from app.services.errors import Conflict, or_not_found
from app.services.integrity.tables import faults_of_table
from app.services.integrity.tournaments import faults_of_tournament
from app.services.quarantine import ENDED
from app.services.table.clocks import COUNTDOWN
from app.services.table.held_table import PLAYING, SCORES
from app.services.table.snapshot import NO_TABLE
from app.storage import models
from app.storage.db import Database
from app.storage.pubsub import notify_processes
from app.storage.writer import Transaction
from snug.words import Message, gettext

_BATCH = 500


class Checked(NamedTuple):
    """A table or a tournament by its code, and what is wrong with it."""

    name: Message
    faults: Sequence[Message]


def check_tables(database: Database, *, code: str | None = None, most: int | None = None) -> Iterator[Checked]:
    """Every table, or that with this `code`, or so many at random. That a table is frozen is a fault, too."""
    table = models.Table
    query = select(table.id, table.code, table.quarantined_at, table.quarantined_why)
    if most is not None:
        with database.reading() as connection:
            known = connection.execute(select(table.id)).scalars().all()
        chosen = Random().sample(known, min(most, len(known)))
        query = query.where(table.id.in_(chosen))
    if code is not None:
        query = query.where(table.code == code.upper())
    for row in _rows(database, query):
        faults = _read(database, faults_of_table, row.id)
        if row.quarantined_at is not None and row.quarantined_why != ENDED:
            at = datetime.fromtimestamp(row.quarantined_at, UTC).strftime("%Y-%m-%d %H:%M UTC")
            faults = [gettext("frozen since %(at)s: %(why)s", at=at, why=row.quarantined_why), *faults]
        yield Checked(gettext("table %(code)s", code=row.code), faults)


def check_tournaments(database: Database) -> Iterator[Checked]:
    """Every tournament."""
    contest = models.Tournament
    for row in _rows(database, select(contest.id, contest.code, contest.name)):
        called = gettext("tournament %(code)s", code=row.code or row.name)
        yield Checked(called, _read(database, faults_of_tournament, row.id))


def _read(database: Database, faults_of: Callable[[Connection, int], list[Message]], which: int) -> list[Message]:
    with database.reading() as connection:
        return faults_of(connection, which)


def _rows(database: Database, query: Select[*tuple[Any, ...]]) -> Iterator[Row[*tuple[Any, ...]]]:
    """What a query finds, a few at a time: their first column is the id by which they come."""
    by, last = query.selected_columns[0], 0
    while True:
        with database.reading() as connection:
            found = connection.execute(query.where(by > last).order_by(by).limit(_BATCH)).all()
        yield from found
        if len(found) < _BATCH:
            return
        last = found[-1][0]


def release(context: AppContext, transaction: Transaction, code: str) -> None:
    """Opens a frozen table again; no clock ran meanwhile. Raises NotFound; Conflict for one not frozen, or unsound."""
    connection, table, seat = transaction.connection, models.Table, models.Seat
    named = select(table.id, table.slug, table.status, table.quarantined_at).where(table.code == code.upper())
    row = or_not_found(connection.execute(named.with_for_update()).one_or_none(), NO_TABLE)
    if row.quarantined_at is None:
        raise Conflict("This table is not frozen.")
    if faults := faults_of_table(connection, row.id):
        raise Conflict("This table stays frozen: %(fault)s.", fault=faults[0])
    now = context.now()
    at = connection.execute(select(models.Heartbeat.at)).scalar_one_or_none() or context.room_time()
    due = {PLAYING: at, SCORES: at + COUNTDOWN}
    moved = update(seat).where(seat.table_id == row.id, seat.due_at.is_not(None))
    connection.execute(moved.values(due_at=seat.due_at + (now - row.quarantined_at)))
    opened = {"quarantined_at": None, "quarantined_why": None, "due_at": due.get(row.status)}
    counted = {"version": table.version + 1, "changes": table.changes + 1}
    this = update(table).where(table.id == row.id)
    version = connection.execute(this.values(**opened, **counted).returning(table.version)).scalar_one()
    notify_processes(transaction, row.slug, version, due.get(row.status))
    transaction.after_commit(lambda: context.snapshots.drop(row.slug, version))
    transaction.after_commit(lambda: context.pubsub.announce(row.slug, version, due.get(row.status)))
