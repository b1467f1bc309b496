"""The room's heartbeat: kept while it runs, so that it knows for how long nobody could play.

Between two beats hardly any time passes. If more has, the room was down, its machine slept or its wall clock was set;
if less than none, the clock was set back. Whatever runs out goes on where it stood, before anything is done because it
has run out. Where another process kept the pulse nothing was missed.
"""

from sqlalchemy import ColumnElement, Connection, or_, select, text, update

from app.services.context import AppContext
from app.services.once import forget_requests
from app.services.play import play
from app.services.seats.pause import put_off
from app.services.table.clocks import OFF, first_due
from app.services.table.held_table import PLAYING, SCORES
from app.services.table.open_table import open_table
from app.services.tournaments import log as tournament_log
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction

EVERY = 1.0  # seconds between two beats
OUTAGE = 2.5  # so long without a beat, and nobody was running the room
SET_BACK = 10.0  # so far apart the clocks of two machines never are: one was set back
GRACE = 20.0  # seconds on top, at most, to find the way back to the table; never more than the outage took


def is_steady(context: AppContext, connection: Connection) -> bool:
    """Whether the pulse has been kept until now, or there never was one. Who has just kept it need not ask."""
    if context.beat_at is not None and _is_steady(context.now() - context.beat_at):
        return True
    at = connection.execute(select(models.Heartbeat.at)).scalar_one_or_none()
    return at is None or _is_steady(context.now() - at)


def _is_steady(passed: float) -> bool:
    return -SET_BACK <= passed <= OUTAGE


def beat(context: AppContext, transaction: Transaction) -> None:
    """The room is running: what it missed since the last beat is given back, what it need not know any more goes."""
    connection = transaction.connection
    last = connection.execute(select(models.Heartbeat.at).with_for_update()).scalar_one_or_none()
    at = max(context.now(), last or 0.0)
    if last is not None and not _is_steady(context.now() - last):
        _give_back(context, transaction, last)
        at = context.now()  # that may have taken a while
    kept = "INSERT INTO pulse (id, at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET at = :at"
    connection.execute(text(kept), {"at": at})
    forget_requests(context, transaction)
    transaction.after_commit(lambda: setattr(context, "beat_at", at))


def attend(context: AppContext, transaction: Transaction, which: str | int) -> None:
    """`play.run_due`, but what the room missed is given back first: perhaps nothing is due then."""
    if not is_steady(context, transaction.connection):
        beat(context, transaction)
    play.run_due(context, transaction, which)


def _give_back(context: AppContext, transaction: Transaction, last: float) -> None:
    """Every clock, countdown and tournament goes on where it stood at `last`, clocks with a little grace. Nobody counts
    as gone for it. Bots at tables without a clock may as well move, but not wait for a clock that was set back."""
    connection, now = transaction.connection, context.now()
    connection.execute(update(models.Seat).where(models.Seat.here).values(seen_at=now))
    waits: list[ColumnElement[bool]] = [models.Table.clock != OFF, models.Table.stage == SCORES]
    if now < last:
        waits.append(models.Table.due_at.is_not(None))
    running = models.Table.stage.in_((PLAYING, SCORES)) & models.Table.paused_at.is_(None)
    running &= models.Table.frozen_at.is_(None)
    tables = select(models.Table).where(running, or_(*waits)).order_by(models.Table.id).with_for_update()
    for table in all_of(connection, tables):
        _go_on(context, transaction, table.id, last)
    due = select(models.Tournament).where(models.Tournament.due_at.is_not(None)).order_by(models.Tournament.id)
    for row in all_of(connection, due.with_for_update()):
        assert row.due_at is not None
        tournament_log.changed(context, transaction, row, due_at=_moved(row.due_at, last, now))


def _go_on(context: AppContext, transaction: Transaction, table_id: int, last: float) -> None:
    with open_table(context, transaction, table_id) as table:
        now, due_at = context.now(), table.row.due_at
        if table.row.stage == PLAYING:
            put_off(table, last, min(GRACE, max(0.0, now - last)))
            table.set(due_at=first_due(table.row, table.seats, now))
        elif due_at is not None:
            table.set(due_at=_moved(due_at, last, now))


def _moved(due_at: float, last: float, now: float) -> float:
    """As long after `now` as it was after `last`."""
    return now + max(0.0, due_at - last)
