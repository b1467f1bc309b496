"""What nobody has touched for so long that nobody will: tables that never began, guests who never played.

Whatever was played is kept: a table of which there is a match, and everybody who has to do with one.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, delete, exists, or_, select, update
from sqlalchemy.schema import Column

from app.services.accounts.deletion import NOBODY, OWN, SOMEBODY
from app.services.context import AppContext
from app.services.fairness.deals import place_of_table
from app.services.players.players import changes
from app.services.quotas import forget_allowances
from app.services.table.held_table import GATHERING
from app.storage import models
from app.storage.pubsub import notify_processes
from app.storage.writer import Transaction

DAY: Final = 24 * 3600.0
_BATCH: Final = 20  # of which a transaction forgets so many, and then it is somebody else's turn
_REST: Final = 0.05  # seconds
_MOST: Final = 2_000  # a day


def forget_untouched(context: AppContext, is_over: Callable[[], bool] = lambda: False) -> tuple[int, int]:
    """Forgets tables and guests, a few at a time, until it `is_over`; gives how many of each."""
    context.write(forget_links)
    if not context.forget_after:
        return 0, 0
    tables = _forget_all(context, _tables, forget_tables, is_over)
    return tables, _forget_all(context, _guests, forget_guests, is_over)


def _forget_all(
    context: AppContext, find: Callable[[float], Select[int]], forget: Callable[..., int], is_over: Callable[[], bool]
) -> int:
    before, forgotten = context.now() - context.forget_after * DAY, 0
    with context.database.reading() as connection:
        ids = list(connection.execute(find(before).limit(_MOST)).scalars())
    for at in range(0, len(ids), _BATCH):
        if is_over():
            break
        forgotten += context.write(forget, ids[at : at + _BATCH], before)
        time.sleep(_REST)
    return forgotten


def _tables(before: float) -> Select[int]:
    """The ids of tables of which nobody has heard since, the oldest first."""
    return select(models.Table.id).where(_is_untouched(before)).order_by(models.Table.id)


def _guests(before: float) -> Select[int]:
    """The ids of guests who have nothing to do with anything that there is."""
    known = [models.Player.id.not_in(select(column).where(column.is_not(None))) for column in _mentions()]
    return select(models.Player.id).where(_is_a_name(before), *known).order_by(models.Player.id)


def _is_untouched(before: float) -> ColumnElement[bool]:
    """Whether a table never began, and nobody sat down or looked in or said anything since then."""
    table, seat = models.Table, models.Seat
    lately = or_(seat.seen_at >= before, seat.seated_at >= before)
    said = exists().where(models.Message.table_id == table.id, models.Message.made_at >= before)
    return (
        (table.status == GATHERING)
        & (table.created_at < before)
        & ~exists().where(seat.table_id == table.id, lately)
        & ~said
        & ~exists().where(models.Match.table_id == table.id)
        & ~exists().where(models.TournamentTable.table_id == table.id)
    )


def _is_a_name(before: float) -> ColumnElement[bool]:
    """Whether a guest came before then, has not come on another device since, and is not forgotten already."""
    player, device = models.Player, models.Device
    return (
        (player.created_at < before)
        & (player.name != SOMEBODY)
        & ~exists().where(device.player_id == player.id, device.created_at >= before)
    )


def _mentions() -> list[Column[Any]]:
    """Wherever a guest can be mentioned, but for what is the guest's own affair."""
    own = [model.__tablename__ for model in OWN]
    return [
        column
        for table in models.Base.metadata.sorted_tables
        for column in table.columns
        if table.name not in own and any(key.references(models.Player.__table__) for key in column.foreign_keys)  # type: ignore[arg-type]
    ]


def forget_tables(context: AppContext, transaction: Transaction, ids: Sequence[int], before: float) -> int:
    """Takes those of these tables away that are untouched still; how many that were."""
    of_these = models.Table.id.in_(ids), _is_untouched(before)
    return delete_tables(context, transaction, *of_these)


def delete_tables(context: AppContext, transaction: Transaction, *which: ColumnElement[bool]) -> int:
    """Takes these tables away with all that there is of them; how many that were."""
    connection = transaction.connection
    held = select(models.Table.id, models.Table.slug, models.Table.version).where(*which).with_for_update()
    gone = connection.execute(held).all()
    _delete_with_all(connection, models.Table.__table__, [table_id for table_id, _, _ in gone])
    places = [place_of_table(table_id) for table_id, _, _ in gone]
    connection.execute(delete(models.Deal).where(models.Deal.place.in_(places)))
    for _, slug, version in gone:
        notify_processes(transaction, slug, version + 1)
        transaction.after_commit(partial(context.pubsub.announce, slug, version + 1, None))
        transaction.after_commit(partial(context.pubsub.turns.close, slug))
    return len(gone)


def _delete_with_all(connection: Connection, table: Any, ids: Sequence[int]) -> None:
    """Rows by their ids, after what refers to them."""
    if not ids:
        return
    for other in models.Base.metadata.tables.values():
        for column in other.columns:
            if any(key.column.table is table for key in column.foreign_keys):
                theirs = column.in_(ids)
                if "id" in other.columns:
                    found = connection.execute(select(other.c.id).where(theirs)).scalars()
                    _delete_with_all(connection, other, list(found))
                else:
                    connection.execute(delete(other).where(theirs))
    connection.execute(delete(table).where(table.c.id.in_(ids)))


def forget_guests(context: AppContext, transaction: Transaction, ids: Sequence[int], before: float) -> int:
    """Forgets those of these guests who have not sat down meanwhile: their browsers are strangers again, and nothing is
    left but a number. How many that were."""
    connection, player = transaction.connection, models.Player
    sat = or_(*(exists().where(column == player.id) for column in _mentions() if column.index))
    of_these = player.id.in_(ids), _is_a_name(before), ~sat
    gone = list(connection.execute(select(player.id).where(*of_these).with_for_update()).scalars())
    for model in OWN:
        connection.execute(delete(model).where(model.player_id.in_(gone)))
    connection.execute(update(player).where(player.id.in_(gone)).values(**NOBODY))
    changes(context, transaction)
    return len(gone)


def forget_links(context: AppContext, transaction: Transaction) -> None:
    """Links to seats that nobody followed in time, and what was taken in hours that are over."""
    transaction.connection.execute(delete(models.SeatTransfer).where(models.SeatTransfer.until < context.now() - DAY))
    forget_allowances(context, transaction)
