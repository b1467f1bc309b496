"""Who may arrange things at a table: the host, who opened it or was given the role, and the co-hosts he names."""

from collections.abc import Sequence

from sqlalchemy import update

from app.services.context import AppContext
from app.services.errors import Forbidden, Refused
from app.services.table.activity import OTHER, Guest, add_activity
from app.services.table.clocks import seats_of
from app.services.table.open_table import FINISHED, lock_table
from app.services.table.permissions import ONLY_HOST
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction


def _hosted(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    table = lock_table(transaction, slug)
    if table.host_id != player_id:
        raise Forbidden(ONLY_HOST)
    return table


def name_cohost(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, wanted: bool
) -> None:
    """The host names a seated player co-host, or no longer, at any stage."""
    table = _hosted(transaction, slug, player_id)
    seat = next((seat for seat in seats_of(transaction, table) if seat.number == number), None)
    if seat is None or seat.player_id in (None, table.host_id):
        raise Refused("Only another person at the table can be a co-host.", "NOT_A_PLAYER")
    if seat.cohost != wanted:
        _set_cohost(transaction, seat, wanted)
        done = f"made {OTHER} a co-host" if wanted else f"took the co-host’s role from {OTHER}"
        add_activity(context, transaction, table, player_id, done, seat)
        context.touch(transaction, table.id, table.slug, table.version + 1)


def hand_over(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The host makes another seated player the host, at any stage."""
    table = _hosted(transaction, slug, player_id)
    heir = next((seat for seat in seats_of(transaction, table) if seat.number == number), None)
    if heir is None or heir.player_id is None:
        raise Refused("Only a person at the table can be the host.", "NOT_A_PLAYER")
    _set_cohost(transaction, heir, False)
    add_activity(context, transaction, table, player_id, f"made {OTHER} the host", heir)
    context.touch(transaction, table.id, table.slug, table.version + 1, host_id=heir.player_id)


def pass_on(
    context: AppContext, transaction: Transaction, table: AnyRow, player_id: int, heir_id: int, name: str
) -> None:
    """Whatever the player may arrange at a table, whose row is held, ends; if he is its host, the role goes to an heir
    of this name, who need not sit there."""
    seats = [seat for seat in seats_of(transaction, table) if seat.player_id in (player_id, heir_id)]
    if table.host_id == player_id and table.stage != FINISHED:
        add_activity(context, transaction, table, player_id, f"made {OTHER} the host", Guest(name, heir_id))
    for seat in seats:
        if seat.player_id == player_id or table.host_id == player_id:
            _set_cohost(transaction, seat, False)
    host_id = heir_id if table.host_id == player_id else table.host_id
    context.touch(transaction, table.id, table.slug, table.version + 1, host_id=host_id)


def heir_of(seats: Sequence[AnyRow], host_id: int) -> AnyRow | None:
    """Who follows the host: the first co-host, else whoever has been seated longest."""
    people = [seat for seat in seats if seat.player_id not in (None, host_id)]
    return min(people, key=lambda seat: (not seat.cohost, seat.seated_at or 0.0, seat.number), default=None)


def succeed(
    context: AppContext, transaction: Transaction, table: AnyRow, seats: Sequence[AnyRow], heir: AnyRow, host_id: int
) -> None:
    """The role passes on by itself. The host who had it stays co-host, and so may do as before when he is back."""
    _set_cohost(transaction, heir, False)
    add_activity(context, transaction, table, heir.player_id, "became the host")
    for seat in seats:
        if seat.player_id == host_id:
            _set_cohost(transaction, seat, True)


def _set_cohost(transaction: Transaction, seat: AnyRow, cohost: bool) -> None:
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(cohost=cohost))
