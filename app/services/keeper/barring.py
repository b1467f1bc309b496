"""Bars that hold: who is barred loses the seat before the start; in a game a bot plays on. At a table that is for good;
who is barred from the room has the seats again when the bar is lifted. With a bar from a table its link is renewed."""

from sqlalchemy import delete, insert, select, union, update

from app.services.context import AppContext
from app.services.errors import Conflict, NotFound
from app.services.players.bars import tell_all
from app.services.seats.away import leave_to_bot
from app.services.seats.create import new_code
from app.services.seats.hosts import heir_of, succeed
from app.services.seats.seat_loss import forget_guest, withdraw_link
from app.services.seats.seats import bot_for, empty_seat
from app.services.table import clocks
from app.services.table.held_table import FINISHED, GATHERING, HeldTable
from app.services.table.open_table import open_table
from app.storage import models
from app.storage.writer import Transaction
from snug.bots.levels import STEADY
from snug.words import gettext

_ALREADY = gettext("This guest is barred there already.")
_NOT_BARRED = gettext("This guest is not barred there.")


def bar_from_room(context: AppContext, transaction: Transaction, player_id: int, *, wide: bool) -> None:
    """The guest may only look after what is theirs. If the bar is `wide`, nobody new comes from their household."""
    _keep(context, transaction, player_id, None, wide=wide)
    table, seat, waiting = models.Table, models.Seat, models.WaitingGuest
    theirs = union(
        select(seat.table_id).where(seat.player_id == player_id),
        select(waiting.table_id).where(waiting.player_id == player_id),
    )
    open_ones = select(table.id).where(table.id.in_(theirs), table.status != FINISHED, table.quarantined_at.is_(None))
    for table_id in transaction.connection.execute(open_ones.order_by(table.id)).scalars().all():
        with open_table(context, transaction, table_id) as held:
            _put_out(held, player_id, for_good=False)


def bar_from_table(context: AppContext, transaction: Transaction, player_id: int, row: models.Table) -> None:
    """The guest, and whoever is new from their household, may not come to this table any more, whose link is new: the
    old one leads nobody in who is not there already."""
    _keep(context, transaction, player_id, row.id, wide=True)
    if row.quarantined_at is None:
        with open_table(context, transaction, row.id) as table:
            table.set(door=new_code())
            _put_out(table, player_id, for_good=True)
    else:
        transaction.connection.execute(update(models.Table).filter_by(id=row.id).values(door=new_code()))


def _keep(context: AppContext, transaction: Transaction, player_id: int, table_id: int | None, *, wide: bool) -> None:
    bar = models.Bar
    if transaction.connection.execute(select(bar.id).filter_by(player_id=player_id, table_id=table_id)).first():
        raise Conflict(_ALREADY)
    made = {"player_id": player_id, "table_id": table_id, "wide": wide, "made_at": context.now()}
    transaction.connection.execute(insert(bar).values(**made))
    tell_all(context, transaction)


def _put_out(table: HeldTable, player_id: int, *, for_good: bool) -> None:
    seat = table.seat_of(player_id)
    forget_guest(table, player_id)
    table.set()
    if table.row.host_id == player_id and (heir := heir_of(table.seats, player_id)):
        succeed(table, heir)
        table.set(webhook=None)
        seat = table.seat_of(player_id)
    if seat is None:
        return
    table.change_seat(seat, cohost=False)
    if table.row.status in (GATHERING, FINISHED):
        if table.row.status == GATHERING:
            empty_seat(table, seat)
    elif for_good:
        withdraw_link(table, seat)
        leave_to_bot(table, seat, bot_for(table, STEADY))
    elif not seat.stand_in:
        table.change_seat(seat, stand_in=clocks.AWAY, ready=True)
        table.restart_clock(seat.number)


def unbar(context: AppContext, transaction: Transaction, player_id: int, row: models.Table | None) -> None:
    """The guest may come again, to the room or to this table. Raises NotFound."""
    gone = delete(models.Bar).filter_by(player_id=player_id, table_id=row.id if row else None)
    if not transaction.connection.execute(gone).rowcount:
        raise NotFound(_NOT_BARRED)
    tell_all(context, transaction)
