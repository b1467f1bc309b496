"""Seats that change hands: which links to them work, and who had one before, so that the device is told."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from app.services.context import AppContext
from app.services.table.held_table import HeldTable
from app.storage import models

HANDED, REISSUED, REPLACED = "handed", "reissued", "replaced"
ASKED, AGREED, ALONE = "asked", "agreed", "alone"  # a link to come, one agreed upon, one on a host's word alone


def record_loss(table: HeldTable, seat: models.Seat, kind: str) -> None:
    """Keeps how this seat's player lost it; a link to the seat stops working with it."""
    withdraw_link(table, seat)
    if seat.player_id is not None:
        forget_guest(table, seat.player_id)
        lost = {"table_id": table.row.id, "player_id": seat.player_id, "seat": seat.number, "kind": kind}
        table.connection.execute(insert(models.SeatLoss).values(**lost))


def forget_guest(table: HeldTable, player_id: int) -> None:
    """Who sits here again neither waits for a seat nor has lost one."""
    for kind in (models.WaitingGuest, models.SeatLoss):
        mine = (kind.table_id == table.row.id, kind.player_id == player_id)
        table.connection.execute(delete(kind).where(*mine))


def withdraw_link(table: HeldTable, seat: models.Seat) -> bool:
    """No link to this seat works any more; whether one did."""
    link = models.SeatTransfer.seat_id == seat.id
    return table.connection.execute(delete(models.SeatTransfer).where(link)).rowcount > 0


class Link(NamedTuple):
    """A link to a seat that works or is asked for: of which kind, and which seat asked for it."""

    kind: str
    asked_by: int | None


class Loss(NamedTuple):
    """Which seat somebody lost, and how."""

    seat: int
    kind: str


def links_at(context: AppContext, connection: Connection, table_id: int) -> dict[int, Link]:
    """The seats to which a link works or is asked for, with it."""
    rows = connection.execute(
        select(models.Seat.number, models.SeatTransfer.kind, models.SeatTransfer.asked_by)
        .join(models.Seat, models.Seat.id == models.SeatTransfer.seat_id)
        .where(models.Seat.table_id == table_id, models.SeatTransfer.until > context.now())
    )
    return {number: Link(kind, asked_by) for number, kind, asked_by in rows}


def loss_of(connection: Connection, table_id: int, player_id: int) -> Loss | None:
    """Which seat somebody lost here, and how."""
    mine = (models.SeatLoss.table_id == table_id, models.SeatLoss.player_id == player_id)
    row = connection.execute(select(models.SeatLoss.seat, models.SeatLoss.kind).where(*mine)).one_or_none()
    return Loss(*row) if row else None
