"""Seats that change hands: which links to them work, and who had one before, so that the device is told."""

from typing import NamedTuple

from sqlalchemy import delete, insert

from app.services.context import AppContext
from app.services.table.held_table import HeldTable
from app.services.table.rounds import CurrentRound
from app.services.table.snapshot import TableSnapshot
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


def word_counts(seat: models.Seat, live: CurrentRound | None) -> bool:
    """Whether this seat's player may vouch for another seat's: somebody who sat here before the cards were dealt.
    Whoever came since may have been let in for that, and whoever took a seat over on a host's word alone may be that
    host."""
    is_late = live is not None and seat.seated_at is not None and seat.seated_at > live.began_at
    return seat.player_id is not None and seat.closed_to is None and not is_late


class Link(NamedTuple):
    """A link to a seat that works or is asked for: of which kind, and which seat asked for it."""

    kind: str
    asked_by: int | None


class Loss(NamedTuple):
    """Which seat somebody lost, and how."""

    seat: int
    kind: str


def links_at(context: AppContext, table: TableSnapshot) -> dict[int, Link]:
    """The seats to which a link works or is asked for, with it."""
    now = context.now()
    return {link.number: Link(link.kind, link.asked_by) for link in table.links if link.until > now}


def loss_of(table: TableSnapshot, player_id: int) -> Loss | None:
    """Which seat somebody lost here, and how."""
    return next((Loss(row.seat, row.kind) for row in table.losses if row.player_id == player_id), None)
