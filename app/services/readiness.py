"""Whether the room does its work: it reads and writes its memory, attends what is due, and its thinkers think."""

from typing import Final

from sqlalchemy import Float, bindparam, func, select

from app.services.context import AppContext
from app.storage.models import Table

_SILENT: Final = 10.0  # seconds without a heartbeat: the disk is full, or the database takes nothing
_LATE: Final = 30.0  # seconds after which bots and clocks are late for everybody to see
_DUE: Final = select(func.min(Table.due_at)).where(Table.due_at <= bindparam("now", type_=Float))


def trouble(context: AppContext) -> str:
    """What is wrong, in a line for whoever keeps the room; empty while it is ready. Raises OperationalError where the
    database cannot be read."""
    now = context.room_time()
    with context.database.reading() as connection:
        due = connection.execute(_DUE, {"now": now}).scalar()
    if context.room_time.silence > _SILENT:
        return f"nothing was written for {context.room_time.silence:.0f} s"
    if due is not None and now - due > _LATE:
        return f"what is due waits for {now - due:.0f} s"
    if context.thinkers.delay > _LATE:
        return f"bots wait for a thought for {context.thinkers.delay:.0f} s"
    return ""
