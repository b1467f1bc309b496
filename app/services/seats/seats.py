"""Tables before and between games: opening one, taking seats, the host's arrangements, the start."""

import secrets
from typing import Any

from sqlalchemy import select, update

from app.games import bots
from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.play.play import begin_match
from app.services.players.names import clean_name, marked_name
from app.services.seats.hosts import heir_of
from app.services.seats.waiting_list import add_seats, seat_waiting_guests
from app.services.table.open_table import FINISHED, GATHERING, is_back, lock_table
from app.services.table.permissions import refuse_unless_hosting
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction

_NOBODY: dict[str, Any] = {
    "player_id": None,
    "bot": None,
    "name": "",
    "ready": False,
    "link_hash": None,
    "stand_in": None,
    "cohost": False,
    "here": False,
    "seen_at": None,
    "came_at": None,
    "seated_at": None,
}
_BOT_NAMES = ("Nora", "Fintan", "Maeve", "Cormac", "Bridie", "Oisín", "Dervla", "Malachy")


def sit_down(
    context: AppContext, transaction: Transaction, table_id: int, number: int, player_id: int, name: str
) -> None:
    now = context.now()
    transaction.connection.execute(
        update(models.Seat)
        .where(models.Seat.table_id == table_id, models.Seat.number == number)
        .values(
            **_NOBODY
            | {"player_id": player_id, "name": name, "here": True, "seen_at": now, "came_at": now, "seated_at": now}
        )
    )


def _seats(transaction: Transaction, table: AnyRow) -> list[AnyRow]:
    return list(
        transaction.connection.execute(
            select(models.Seat).where(models.Seat.table_id == table.id).order_by(models.Seat.number)
        )
    )


def _gathering(transaction: Transaction, slug: str) -> AnyRow:
    table = lock_table(transaction, slug)
    if table.stage != GATHERING:
        raise Conflict("The game has begun: seats stay as they are until it is over.")
    return table


def _hosted(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    table = _gathering(transaction, slug)
    refuse_unless_hosting(transaction, table, player_id)
    return table


def _changed(context: AppContext, transaction: Transaction, table: AnyRow, **changes: object) -> None:
    context.touch(transaction, table.id, table.slug, table.version + 1, **changes)


def take_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, name: str) -> None:
    """The player sits down, or moves to another empty seat. Raises Conflict when it has just been taken. Where the
    host has left and nobody was there to follow him, whoever sits down next is the host."""
    table = _gathering(transaction, slug)
    seats = _seats(transaction, table)
    wanted = next((seat for seat in seats if seat.number == number), None)
    if wanted is None:
        raise NotFound("There is no such seat.")
    if wanted.player_id == player_id:
        return
    if wanted.player_id or wanted.bot:
        raise Conflict("Somebody has just taken that seat. Please choose another.")
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    if mine:
        _swap(transaction, mine, wanted)
    else:
        taken = [seat.name for seat in seats if seat.name]
        sit_down(context, transaction, table.id, number, player_id, marked_name(clean_name(name), taken))
    host_sits = any(seat.player_id == table.host_id for seat in seats)
    _changed(context, transaction, table, host_id=table.host_id if host_sits else player_id)


def _swap(transaction: Transaction, one: AnyRow, other: AnyRow) -> None:
    """Two seats exchange who sits there; emptied first, because nobody may sit twice even for a moment."""
    for seat, occupant in ((one, None), (other, None), (one, other), (other, one)):
        values = (
            {key: getattr(occupant, key) for key in _NOBODY} if occupant else {"player_id": None, "link_hash": None}
        )
        transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(**values))


def empty_seat(transaction: Transaction, seat: AnyRow) -> None:
    """Nobody sits there any more; the seat link dies with it."""
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(**_NOBODY))


def leave_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """The player stands up before the start. A host who leaves hands the role to the first co-host, else to
    whoever has been seated longest, if anybody."""
    table = _gathering(transaction, slug)
    seats = _seats(transaction, table)
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    if mine is None:
        return
    empty_seat(transaction, mine)
    heir = heir_of(seats, player_id) if table.host_id == player_id else None
    _changed(context, transaction, table, host_id=heir.player_id if heir else table.host_id)


def seat_bot(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, level: str) -> None:
    """The host puts a bot on an empty seat."""
    table = _hosted(transaction, slug, player_id)
    wanted = next((seat for seat in _seats(transaction, table) if seat.number == number), None)
    if wanted is None:
        raise NotFound("There is no such seat.")
    if wanted.player_id or wanted.bot:
        raise Conflict("That seat is taken.")
    _seat_bot(transaction, table, wanted, level)
    _changed(context, transaction, table)


def _seat_bot(transaction: Transaction, table: AnyRow, seat: AnyRow, level: str) -> None:
    name = bot_name(transaction, table, level)
    transaction.connection.execute(
        update(models.Seat).where(models.Seat.id == seat.id).values(bot=level, name=name, ready=True)
    )


def bot_name(transaction: Transaction, table: AnyRow, level: str) -> str:
    """A name that nobody at the table has, for a bot of this level. Raises Refused where there is no such level."""
    if level not in bots.LEVELS:
        raise Refused("Bots play at one of these levels: " + ", ".join(bots.LEVELS) + ".", "BAD_LEVEL")
    taken = [other.name for other in _seats(transaction, table) if other.name]
    names = (name for name in _BOT_NAMES if marked_name(name, taken) == name)
    return next(names, marked_name(_BOT_NAMES[0], taken))


def fill_seats(context: AppContext, transaction: Transaction, slug: str, player_id: int, level: str) -> None:
    """The host puts a bot on every empty seat."""
    table = _hosted(transaction, slug, player_id)
    for seat in _seats(transaction, table):
        if not seat.name:
            _seat_bot(transaction, table, seat, level)
    _changed(context, transaction, table)


def clear_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The host removes a player or a bot before the start; the player's seat link dies with it."""
    table = _hosted(transaction, slug, player_id)
    seat = next((seat for seat in _seats(transaction, table) if seat.number == number), None)
    if seat is None:
        raise NotFound("There is no such seat.")
    if seat.player_id == player_id:
        raise Refused("To leave your own seat, stand up.", "OWN_SEAT")
    if seat.player_id == table.host_id:
        raise Refused("Nobody removes the host.", "IS_HOST")
    empty_seat(transaction, seat)
    _changed(context, transaction, table)


def move_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, to: int) -> None:
    """The host lets two seats change places."""
    table = _hosted(transaction, slug, player_id)
    seats = {seat.number: seat for seat in _seats(transaction, table)}
    if number not in seats or to not in seats:
        raise NotFound("There is no such seat.")
    if number != to:
        _swap(transaction, seats[number], seats[to])
        _changed(context, transaction, table)


def shuffle_seats(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """The host seats everybody at random; each order is equally likely."""
    table = _hosted(transaction, slug, player_id)
    count = len(_seats(transaction, table))
    for last in range(count, 1, -1):
        seats = _seats(transaction, table)
        other = 1 + secrets.randbelow(last)
        if other != last:
            _swap(transaction, seats[last - 1], seats[other - 1])
    _changed(context, transaction, table)


def start(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """The host closes the door and the first round is dealt. Raises Refused while a seat is empty."""
    table = _hosted(transaction, slug, player_id)
    seats = _seats(transaction, table)
    empty = [seat.number for seat in seats if not seat.name]
    if empty:
        raise Refused(f"Seat {empty[0]} is still empty: wait for a friend, or put a bot there.", "SEATS_EMPTY")
    _begin(context, transaction, table, seats)


def rematch(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """Any player of a finished match starts the next one: same seats, same rules, and with guests who have waited."""
    table = lock_table(transaction, slug)
    seats = _seats(transaction, table)
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    if mine is None:
        raise Forbidden("You have no seat at this table.")
    if table.stage != FINISHED:
        raise Conflict("A game is being played at this table already.")
    is_back(transaction, table, mine.number)
    seat_waiting_guests(context, transaction, table)
    add_seats(context, transaction, table)
    _begin(context, transaction, table, _seats(transaction, table))


def begin_at(context: AppContext, transaction: Transaction, table_id: int) -> None:
    """Begins the match at a table that was set; seat 1 counts as the host's, whoever that is."""
    table = transaction.connection.execute(select(models.Table).where(models.Table.id == table_id)).one()
    names = [seat.name for seat in _seats(transaction, table)]
    begin_match(context, transaction, table, names, 1, table.options)


def _begin(context: AppContext, transaction: Transaction, table: AnyRow, seats: list[AnyRow]) -> None:
    host_seat = next((seat.number for seat in seats if seat.player_id == table.host_id), 1)
    begin_match(context, transaction, table, [seat.name for seat in seats], host_seat, table.options)
