"""Who may arrange things at a table: the host, who opened it or was given the role, and the co-hosts he names."""

from collections.abc import Sequence

from sqlalchemy import select, update

from app import models
from app.db import AnyRow
from app.services.clocks import seats_of
from app.services.errors import Forbidden, Refused
from app.services.house import House
from app.services.news import OTHER, Guest, note
from app.services.play import FINISHED, lock_table
from app.writer import Transaction

_ONLY_HOST = "Only the host of this table may do that."


def hosting(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    """The table's row, held until the transaction ends, for its host or a co-host. Raises NotFound and Forbidden."""
    table = lock_table(transaction, slug)
    refuse_unless_hosting(transaction, table, player_id)
    return table


def refuse_unless_hosting(transaction: Transaction, table: AnyRow, player_id: int) -> None:
    """Raises Forbidden for anybody but the host and the co-hosts."""
    cohost = select(models.Seat.id).where(
        models.Seat.table_id == table.id, models.Seat.player_id == player_id, models.Seat.cohost
    )
    if table.host_id != player_id and transaction.connection.execute(cohost).first() is None:
        raise Forbidden(_ONLY_HOST)


def _hosted(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    table = lock_table(transaction, slug)
    if table.host_id != player_id:
        raise Forbidden(_ONLY_HOST)
    return table


def name_cohost(house: House, transaction: Transaction, slug: str, player_id: int, number: int, wanted: bool) -> None:
    """The host names a seated player co-host, or no longer, at any stage."""
    table = _hosted(transaction, slug, player_id)
    seat = next((seat for seat in seats_of(transaction, table) if seat.number == number), None)
    if seat is None or seat.player_id in (None, table.host_id):
        raise Refused("Only another person at the table can be a co-host.", "NOT_A_PLAYER")
    if seat.cohost != wanted:
        _set_cohost(transaction, seat, wanted)
        deed = f"made {OTHER} a co-host" if wanted else f"took the co-host’s role from {OTHER}"
        note(house, transaction, table, player_id, deed, seat)
        house.touch(transaction, table.id, table.slug, table.version + 1)


def hand_over(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The host makes another seated player the host, at any stage."""
    table = _hosted(transaction, slug, player_id)
    heir = next((seat for seat in seats_of(transaction, table) if seat.number == number), None)
    if heir is None or heir.player_id is None:
        raise Refused("Only a person at the table can be the host.", "NOT_A_PLAYER")
    _set_cohost(transaction, heir, False)
    note(house, transaction, table, player_id, f"made {OTHER} the host", heir)
    house.touch(transaction, table.id, table.slug, table.version + 1, host_id=heir.player_id)


def pass_on(house: House, transaction: Transaction, table: AnyRow, player_id: int, heir_id: int, name: str) -> None:
    """Whatever the player may arrange at a table, whose row is held, ends; if he is its host, the role goes to an heir
    of this name, who need not sit there."""
    seats = [seat for seat in seats_of(transaction, table) if seat.player_id in (player_id, heir_id)]
    if table.host_id == player_id and table.stage != FINISHED:
        note(house, transaction, table, player_id, f"made {OTHER} the host", Guest(name, heir_id))
    for seat in seats:
        if seat.player_id == player_id or table.host_id == player_id:
            _set_cohost(transaction, seat, False)
    host_id = heir_id if table.host_id == player_id else table.host_id
    house.touch(transaction, table.id, table.slug, table.version + 1, host_id=host_id)


def heir_of(seats: Sequence[AnyRow], host_id: int) -> AnyRow | None:
    """Who follows the host: the first co-host, else whoever has been seated longest."""
    people = [seat for seat in seats if seat.player_id not in (None, host_id)]
    return min(people, key=lambda seat: (not seat.cohost, seat.seated_at or 0.0, seat.number), default=None)


def succeed(
    house: House, transaction: Transaction, table: AnyRow, seats: Sequence[AnyRow], heir: AnyRow, host_id: int
) -> None:
    """The role passes on by itself. The host who had it stays co-host, and so may do as before when he is back."""
    _set_cohost(transaction, heir, False)
    note(house, transaction, table, heir.player_id, "became the host")
    for seat in seats:
        if seat.player_id == host_id:
            _set_cohost(transaction, seat, True)


def _set_cohost(transaction: Transaction, seat: AnyRow, cohost: bool) -> None:
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(cohost=cohost))
