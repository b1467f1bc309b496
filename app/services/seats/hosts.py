"""Who may arrange things at a table: the host, who opened it or was given the role, and the co-hosts he names."""

from collections.abc import Sequence

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.table.activity import Guest, add_activity
from app.services.table.held_table import FINISHED, HeldTable
from app.services.table.open_table import open_table
from app.storage import models
from app.storage.writer import Transaction


def name_cohost(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, wanted: bool
) -> None:
    """The host names a seated player co-host, or no longer, at any stage."""
    with open_table(context, transaction, slug, by=player_id, host=True, cohost=False) as table:
        seat = table.seat(number)
        if seat.player_id in (None, table.row.host_id):
            raise Refused("NOT_A_PLAYER", "Only another person at the table can be a co-host.")
        if seat.cohost != wanted:
            table.change_seat(seat, cohost=wanted)
            deed = "named_cohost" if wanted else "dropped_cohost"
            add_activity(table, player_id, deed, seat)


def hand_over(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The host makes another seated player the host, at any stage."""
    with open_table(context, transaction, slug, by=player_id, host=True, cohost=False) as table:
        heir = table.seat(number)
        if heir.player_id is None:
            raise Refused("NOT_A_PLAYER", "Only a person at the table can be the host.")
        add_activity(table, player_id, "handed_host", heir)
        make_host(table, heir.player_id)


def make_host(table: HeldTable, player_id: int) -> None:
    """The role is this player's from now on, who need not sit there. The former host's webhook ends with it."""
    if seat := table.seat_of(player_id):
        table.change_seat(seat, cohost=False)
    table.set(host_id=player_id, webhook=None)


def pass_on(context: AppContext, transaction: Transaction, slug: str, player_id: int, heir_id: int, name: str) -> None:
    """What the player may arrange ends; a host's role goes to an heir of this name, who need not sit there."""
    with open_table(context, transaction, slug) as table:
        is_host = table.row.host_id == player_id
        if is_host and table.row.status != FINISHED:
            add_activity(table, player_id, "handed_host", Guest(name, heir_id))
        if seat := table.seat_of(player_id):
            table.change_seat(seat, cohost=False)
        if is_host:
            make_host(table, heir_id)


def heir_of(seats: Sequence[models.Seat], host_id: int) -> models.Seat | None:
    """Who follows the host: the first co-host, else whoever has been seated longest."""
    people = [seat for seat in seats if seat.player_id not in (None, host_id)]
    return min(people, key=lambda seat: (not seat.cohost, seat.seated_at or 0.0, seat.number), default=None)


def succeed(table: HeldTable, heir: models.Seat) -> None:
    """The role passes on by itself. The host who had it stays co-host, and so may do as before when he is back."""
    assert heir.player_id is not None
    table.change_seat(heir, cohost=False)
    add_activity(table, heir.player_id, "became_host")
    if host := table.seat_of(table.row.host_id):
        table.change_seat(host, cohost=True)
    table.set(host_id=heir.player_id)
