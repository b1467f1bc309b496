"""Guests who come when the game has begun: they wait at the table, and get a bot's place when the next round is dealt,
or a place of their own when the next match begins."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from app.services.players.names import marked_name
from app.services.seats.seat_loss import forget_guest
from app.services.table.activity import add_activity
from app.services.table.held_table import HeldTable
from app.storage import models
from app.storage.rows import all_of
from snug.engine.game import BadSetup, read_options
from snug.games import GAMES


def _queue(connection: Connection, table_id: int) -> Sequence[models.WaitingGuest]:
    guest = models.WaitingGuest
    return all_of(connection, select(guest).filter_by(table_id=table_id).order_by(guest.id))


def seat_waiting_guests(table: HeldTable) -> None:
    """Those who wait get the places of bots, from the first seat on; the cards are dealt after this."""
    if table.nobody_waits:
        return
    bots = [seat for seat in table.seats if seat.bot is not None]
    for guest, seat in zip(_queue(table.connection, table.row.id), bots, strict=False):
        _seat(table, guest, seat)
        add_activity(table, guest.player_id, "took_place", seat)


def add_seats(table: HeldTable) -> None:
    """Those who still wait get seats of their own, as far as the rules allow; a match begins after this."""
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
