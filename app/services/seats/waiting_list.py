"""Guests who come when the game has begun: they wait at the table, and get a bot's place when the next round is dealt,
or a place of their own when the next match begins. And who has lost a seat."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from app.services.players.names import marked_name
from app.services.seats.seat_loss import Removed, forget_guest, loss_of, removed_from
from app.services.table.activity import add_activity
from app.services.table.held_table import HeldTable
from app.services.table.open_table import GATHERING
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import Viewer, live_at
from app.storage import models
from app.storage.rows import all_of
from snug.engine.game import BadSetup, read_options
from snug.games import GAMES


class Waiting(msgspec.Struct, frozen=True):
    """Somebody who waits for a seat."""

    number: int
    name: str
    is_me: bool


class Transfer(msgspec.Struct, frozen=True, kw_only=True):
    """Who comes to seats and who has lost one, for one pair of eyes. `waiting` are the guests who wait for a seat, in
    the order in which they will get one; `may_wait` says whether this person may, for the game has begun without them.
    `removed`, which only hosts read, are those whom they can let in again, and `is_removed` says that one is among
    them; `lost` is the seat that was this person's, and `lost_how` how it changed hands."""

    waiting: tuple[Waiting, ...] = ()
    may_wait: bool = False
    removed: tuple[Removed, ...] = ()
    is_removed: bool = False
    lost: int | None = None
    lost_how: str = ""

    @property
    def i_wait(self) -> Waiting | None:
        """This person's place among those who wait for a seat."""
        return next((guest for guest in self.waiting if guest.is_me), None)

    @property
    def guests_ahead(self) -> int:
        """How many guests come before this person when there is a seat to give."""
        return self.waiting.index(self.i_wait) if self.i_wait else len(self.waiting)


def transfer_at(table: TableSnapshot, viewer: Viewer) -> Transfer:
    """Who waits for a seat at a table, and who has lost one."""
    me, live, removed = viewer.player_id, live_at(table), table.once(removed_from)
    is_removed = not viewer.is_seated and any(one.player_id == me for one in removed)
    lost = loss_of(table, me) if me and live and not viewer.is_seated else None
    has_begun = table.row.stage != GATHERING
    return Transfer(
        waiting=tuple(Waiting(row.id, row.name, row.player_id == me) for row in table.waiting) if live else (),
        may_wait=has_begun and not (viewer.is_seated or table.has_place or is_removed),
        removed=removed if viewer.may_host else (),
        is_removed=is_removed,
        lost=lost.seat if lost else None,
        lost_how=lost.kind if lost else "",
    )


def _queue(connection: Connection, table_id: int) -> Sequence[models.WaitingGuest]:
    found = select(models.WaitingGuest).where(models.WaitingGuest.table_id == table_id).order_by(models.WaitingGuest.id)
    return all_of(connection, found)


def seat_waiting_guests(table: HeldTable) -> None:
    """Those who wait get the places of bots, from the first seat on; the cards are dealt after this."""
    if table.nobody_waits:
        return
    bots = [seat for seat in table.seats if seat.bot is not None]
    for guest, seat in zip(_queue(table.connection, table.row.id), bots, strict=False):
        _seat(table, guest, seat)
        add_activity(table, guest.player_id, "took_place", seat)


def add_seats(table: HeldTable) -> None:
    """Those who still wait get seats of their own, as many as the game and the table's rules allow: a match begins
    after this."""
    for guest in _queue(table.connection, table.row.id):
        try:
            read_options(GAMES[table.row.game], len(table.seats) + 1, table.row.options)
        except BadSetup:
            return
        _seat(table, guest, table.add_seat())
        add_activity(table, guest.player_id, "joined")


def _seat(table: HeldTable, guest: models.WaitingGuest, seat: models.Seat) -> None:
    now = table.context.now()
    name = marked_name(guest.name, [other.name for other in table.seats if other.number != seat.number])
    seen: dict[str, Any] = {"here": True, "seen_at": now, "came_at": now, "seated_at": now}
    table.change_seat(seat, player_id=guest.player_id, bot=None, name=name, ready=True, **seen)
    forget_guest(table, guest.player_id)
