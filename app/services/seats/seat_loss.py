"""Seats that change hands: which links to them work, and who had one before, so that the device is told."""

from sqlalchemy import Connection, delete, insert, select

from app.services.context import AppContext
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction

HANDED, REISSUED, REPLACED = "handed", "reissued", "replaced"
ASKED, AGREED, ALONE = "asked", "agreed", "alone"  # a link to come, one agreed upon, one on a host's word alone


def record_loss(transaction: Transaction, table: AnyRow, seat: AnyRow, kind: str) -> None:
    """Keeps how this seat's player lost it; a link to the seat stops working with it."""
    withdraw_link(transaction, seat)
    if seat.player_id is not None:
        forget_guest(transaction, table, seat.player_id)
        lost = {"table_id": table.id, "player_id": seat.player_id, "seat": seat.number, "kind": kind}
        transaction.connection.execute(insert(models.SeatLoss).values(**lost))


def forget_guest(transaction: Transaction, table: AnyRow, player_id: int) -> None:
    """Who sits here again neither waits for a seat nor has lost one."""
    for kind in (models.WaitingGuest, models.SeatLoss):
        mine = (kind.table_id == table.id, kind.player_id == player_id)
        transaction.connection.execute(delete(kind).where(*mine))


def withdraw_link(transaction: Transaction, seat: AnyRow) -> bool:
    """No link to this seat works any more; whether one did."""
    link = models.SeatTransfer.seat_id == seat.id
    return transaction.connection.execute(delete(models.SeatTransfer).where(link)).rowcount > 0


def links_at(context: AppContext, connection: Connection, table_id: int) -> dict[int, AnyRow]:
    """The seats to which a link works or is asked for, with its kind and who asked for it (`asked_by`)."""
    rows = connection.execute(
        select(models.Seat.number, models.SeatTransfer.kind, models.SeatTransfer.asked_by)
        .join(models.Seat, models.Seat.id == models.SeatTransfer.seat_id)
        .where(models.Seat.table_id == table_id, models.SeatTransfer.until > context.now())
    )
    return {row.number: row for row in rows}


def loss_of(connection: Connection, table_id: int, player_id: int) -> AnyRow | None:
    """Which seat (`seat`) somebody lost here, and how (`kind`)."""
    mine = (models.SeatLoss.table_id == table_id, models.SeatLoss.player_id == player_id)
    return connection.execute(select(models.SeatLoss.seat, models.SeatLoss.kind).where(*mine)).one_or_none()
