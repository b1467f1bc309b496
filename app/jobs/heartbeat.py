"""The room's heartbeat: kept while it runs, so that its time goes on where it stood (`services.room_time`).

What else a gap changes is put right by the first beat after it: players get a little time to find the way back to the
table, nobody counts as gone, and what goes by the time of the day, as table hours do, looks at the wall again.
"""

from typing import Final

from sqlalchemy import ColumnElement, or_, select, text, update

from app.services.context import AppContext
from app.services.idempotent import forget_requests
from app.services.room_time import OUTAGE
from app.services.seats.pause import put_off
from app.services.table.clocks import OFF, first_due, moment_of
from app.services.table.held_table import PLAYING
from app.services.table.hours import RoomMoment
from app.services.table.open_table import open_table
from app.services.tournaments.stages import look_at_the_wall
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction

APART: Final = 10.0  # so far apart the wall clocks of two machines never are: one was set, or slept
GRACE: Final = 20.0  # seconds at most to find the way back to the table; never more than the outage took
_KEEP = text(
    "INSERT INTO heartbeat (id, at, wall) VALUES (1, :at, :wall) ON CONFLICT (id) DO UPDATE SET at = :at, wall = :wall"
)


def beat(context: AppContext, transaction: Transaction) -> None:
    """The room is running: its time goes on, and what it need not know any more goes."""
    pulse = select(models.Heartbeat.at, models.Heartbeat.wall).with_for_update()
    last = transaction.connection.execute(pulse).one_or_none()
    missed = not context.room_time.is_kept or context.room_time.has_stalled
    now = RoomMoment(context.room_time.beat(last.at if last else None), context.now())
    transaction.connection.execute(_KEEP, {"at": now.room, "wall": now.wall})
    if last is not None:
        _after(context, transaction, RoomMoment(last.at, last.at if last.wall is None else last.wall), now, missed)
    forget_requests(context, transaction)


def _after(context: AppContext, transaction: Transaction, last: RoomMoment, now: RoomMoment, missed: bool) -> None:
    """Puts right what passed between two beats, if anything did. `missed`: by this process alone."""
    gap = now.wall - last.wall
    is_set = abs(gap - (now.room - last.room)) > APART
    grace = min(GRACE, gap) if gap > OUTAGE and (missed or is_set) else 0.0
    if not grace and not is_set:
        return
    shift = {"seen_at": now.wall, "came_at": models.Seat.came_at + gap - (now.room - last.room)}
    transaction.connection.execute(update(models.Seat).where(models.Seat.here).values(**shift))
    waits: list[ColumnElement[bool]] = [models.Table.settings["hours"]["zone"].as_string().is_not(None)]
    if grace:
        waits.append(models.Table.settings["clock"].as_string() != OFF)
    running = select(models.Table).filter_by(status=PLAYING, paused_at=None, quarantined_at=None)
    for row in all_of(transaction.connection, running.where(or_(*waits)).order_by(models.Table.id)):
        with open_table(context, transaction, row.id) as table:
            put_off(table, last._replace(wall=last.wall + now.room - last.room, room=now.room), grace)
            table.set(due_at=first_due(table.row, table.seats, moment_of(context)))
    look_at_the_wall(context, transaction)
