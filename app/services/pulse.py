"""The room's pulse: kept while it runs, so that it knows after an outage for how long nobody could play."""

from sqlalchemy import select, text, update

from app import models
from app.services.absence import put_off
from app.services.clocks import first_due, seats_of
from app.services.house import House
from app.services.once import forget_requests
from app.services.play import PLAYING
from app.writer import Transaction

EVERY = 10.0  # seconds between two beats
OUTAGE = 45.0  # so long without a beat, and nobody was running the room
GRACE = 20.0  # seconds on top, to find the way back to the table


def beat(house: House, transaction: Transaction) -> None:
    """The room is running, and forgets what it need not know any more."""
    transaction.connection.execute(
        text("INSERT INTO pulse (id, at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET at = :at"), {"at": house.now()}
    )
    forget_requests(house, transaction)


def wake_up(house: House, transaction: Transaction) -> None:
    """At the start of a process. After an outage all clocks are given back what it took, and nobody counts as gone for
    it; where another process kept the room running there was none."""
    last = transaction.connection.execute(select(models.Pulse.at).with_for_update()).scalar_one_or_none()
    beat(house, transaction)
    now = house.now()
    if last is None or now - last < OUTAGE:
        return
    transaction.connection.execute(update(models.Seat).where(models.Seat.here).values(seen_at=now))
    waiting = select(models.Table).where(models.Table.stage == PLAYING, models.Table.paused_at.is_(None))
    clocked = waiting.where(models.Table.clock != "off").order_by(models.Table.id).with_for_update()
    for table in transaction.connection.execute(clocked).all():
        put_off(house, transaction, table, last, GRACE)
        due_at = first_due(table, [(seat, seat.due_at) for seat in seats_of(transaction, table)], now)
        house.touch(transaction, table.id, table.slug, table.version + 1, due_at=due_at)
