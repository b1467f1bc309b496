"""Guests who come when the game has begun: they wait at the table, and get a bot's place when the next round is dealt,
or a place of their own when the next match begins."""

from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from app.engine.game import BadSetup, read_options
from app.games import GAMES
from app.services.context import AppContext
from app.services.players.names import marked_name
from app.services.seats.seat_loss import forget_guest
from app.services.table.activity import OTHER, add_activity
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction


class Waiting(msgspec.Struct, frozen=True):
    """Somebody who waits for a seat."""

    number: int
    name: str
    is_me: bool


def waiting_at(connection: Connection, table_id: int, player_id: int | None) -> tuple[Waiting, ...]:
    """Who waits for a seat, in the order in which they will get one; `player_id` is who asks."""
    return tuple(Waiting(row.id, row.name, row.player_id == player_id) for row in _queue(connection, table_id))


def _queue(connection: Connection, table_id: int) -> list[AnyRow]:
    found = select(models.WaitingGuest).where(models.WaitingGuest.table_id == table_id).order_by(models.WaitingGuest.id)
    return list(connection.execute(found))


def seat_waiting_guests(context: AppContext, transaction: Transaction, table: AnyRow) -> None:
    """Those who wait get the places of bots, from the first seat on; the cards are dealt after this."""
    connection = transaction.connection
    bots = connection.execute(
        select(models.Seat)
        .where(models.Seat.table_id == table.id, models.Seat.bot.is_not(None))
        .order_by(models.Seat.number)
    ).all()
    for guest, seat in zip(_queue(connection, table.id), bots, strict=False):
        _seat(context, transaction, table, guest, seat.number)
        add_activity(context, transaction, table, guest.player_id, f"took the place of {OTHER}", seat)


def add_seats(context: AppContext, transaction: Transaction, table: AnyRow) -> None:
    """Those who still wait get seats of their own, as many as the game and the table's rules allow: a match begins
    after this."""
    game = GAMES[table.game]
    for guest in _queue(transaction.connection, table.id):
        mine = models.Seat.table_id == table.id
        number = (
            1 + transaction.connection.execute(select(func.count()).select_from(models.Seat).where(mine)).scalar_one()
        )
        try:
            read_options(game, number, table.options)
        except BadSetup:
            return
        empty: dict[str, Any] = {"table_id": table.id, "number": number, "name": "", "ready": False}
        transaction.connection.execute(insert(models.Seat).values(**empty))
        _seat(context, transaction, table, guest, number)
        add_activity(context, transaction, table, guest.player_id, "joined the table")


def _seat(context: AppContext, transaction: Transaction, table: AnyRow, guest: AnyRow, number: int) -> None:
    connection, now = transaction.connection, context.now()
    others = select(models.Seat.name).where(models.Seat.table_id == table.id, models.Seat.number != number)
    name = marked_name(guest.name, list(connection.execute(others).scalars()))
    sits = {"player_id": guest.player_id, "bot": None, "name": name, "ready": True}
    seen = {"here": True, "seen_at": now, "came_at": now, "seated_at": now}
    seat = (models.Seat.table_id == table.id, models.Seat.number == number)
    connection.execute(update(models.Seat).where(*seat).values(**sits, **seen))
    forget_guest(transaction, table, guest.player_id)
