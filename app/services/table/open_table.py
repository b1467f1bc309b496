"""How a table is changed: opened with what must hold, changed, and left with everything that follows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Select, String, bindparam, select

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound
from app.services.quarantine import quarantine_on_error, refuse_quarantined
from app.services.table.dealing import seal_next
from app.services.table.held_table import FINISHED, GATHERING, PLAYING, SCORES, HeldTable
from app.services.table.settle import follow
from app.services.table.snapshot import NO_TABLE, TableSnapshot, at_hand
from app.services.table.turns import tell_who_is_awaited
from app.storage import models
from app.storage.models.columns import Id
from app.storage.pubsub import notify
from app.storage.rows import find_one
from app.storage.writer import BufferedTransaction, GatheredTransaction, Transaction
from snug.words import gettext

__all__ = ["FINISHED", "GATHERING", "PLAYING", "SCORES", "open_table", "refuse_unless_host"]

ONLY_HOST = gettext("Only the host of this table may do that.")
CLOSED = gettext("These cards stay closed until the next deal: a bot plays them until then.")
MOVED_ON = gettext("The table has moved on since your page was drawn. Here it is as it stands now.")
SET_UP_STAYS = gettext("A game is being played: its set-up stays as it is until it is over.")
IN_PLAY: Final = (PLAYING, SCORES)
BETWEEN_MATCHES: Final = (GATHERING, FINISHED)
_BY: Final[dict[type, Select[models.Table]]] = {
    int: select(models.Table).where(models.Table.id == bindparam("which", type_=Id)).with_for_update(),
    str: select(models.Table).where(models.Table.slug == bindparam("which", type_=String)).with_for_update(),
}
_NOT_NOW: Final = {
    (GATHERING,): gettext("The game has begun: seats stay as they are until it is over."),
    (PLAYING,): MOVED_ON,
    IN_PLAY: gettext("This is for a game that is being played."),
    BETWEEN_MATCHES: SET_UP_STAYS,
}


@contextmanager
def open_table(
    context: AppContext,
    transaction: Transaction,
    which: str | int,
    *,
    by: int | None = None,
    seated: bool = False,
    host: bool = False,
    cohost: bool = True,
    status: str | tuple[str, ...] | None = None,
    paused: bool = True,
    only_plays: bool = False,
) -> Iterator[HeldTable]:
    """The table with this slug or id, for player `by` to change, held until the transaction ends. Raises NotFound;
    Frozen for one on which the rules have failed; Forbidden for who is not `seated`, or neither the `host` nor, if they
    may, `cohost`; Conflict for the seated whose cards are closed, when it has another `status`, and where it may not be
    `paused` and is. When the block is left, what follows is done, everything is stored under one version more, and the
    pages are woken. After an exception nothing is. Who `only_plays` changes nothing but through the table, so that it
    is still at hand afterwards."""
    _keep_time(context, transaction)
    snapshot = _at_hand(context, transaction, which) if only_plays and isinstance(which, str) else None
    with quarantine_on_error(which):
        row = snapshot.row if snapshot else find_one(transaction.connection, _BY[type(which)], which=which)
    if row is None:
        raise NotFound(NO_TABLE)
    refuse_quarantined(row)
    if only_plays and snapshot is None:
        snapshot = _still_at_hand(context, transaction, row)
    transaction.held.add(row.slug)
    table = HeldTable(context, transaction, row, by, snapshot)
    if host:
        refuse_unless_host(table, cohost=cohost)
    if seated and table.is_closed_to(table.me):
        raise Conflict(CLOSED)
    wanted = (status,) if isinstance(status, str) else status
    if wanted and row.status not in wanted:
        raise Conflict(_NOT_NOW[wanted])
    if not paused:
        table.refuse_if_paused()
    yield table
    _leave(table)


@contextmanager
def open_new(
    context: AppContext, transaction: Transaction, snapshots: Sequence[TableSnapshot]
) -> Iterator[list[HeldTable]]:
    """Tables that were set in this transaction, so that nobody else has them, held until it ends. When the block is
    left, what follows is done at each of them, and what they come to is stored together."""
    _keep_time(context, transaction)
    gathered = GatheredTransaction(transaction)
    transaction.held.update(snapshot.row.slug for snapshot in snapshots)
    tables = [HeldTable(context, gathered, snapshot.row, None, snapshot) for snapshot in snapshots]
    yield tables
    for table in tables:
        _leave(table)
    gathered.hand_over(transaction)
    notify(transaction, *gathered.hints)


def _keep_time(context: AppContext, transaction: Transaction) -> None:
    if context.room_time.has_stalled:  # another process may have kept the time better
        at = transaction.connection.execute(select(models.Heartbeat.at)).scalar_one_or_none()
        if at:
            context.room_time.reach(at)


def _leave(table: HeldTable) -> None:
    if table.goes_on:
        with quarantine_on_error(table.row.slug):
            follow(table)
    seal_next(table)
    tell_who_is_awaited(table, table.store())


def _at_hand(context: AppContext, transaction: Transaction, slug: str) -> TableSnapshot | None:
    """The table as it was committed last, if that is at hand and this transaction, which may be many's, has not changed
    it. Where somebody else can have, only a buffered transaction believes it: whether it is so, storing tells."""
    if not (context.database.is_owned or isinstance(transaction, BufferedTransaction)) or slug in transaction.held:
        return None
    return at_hand(context, slug)


def _still_at_hand(context: AppContext, transaction: Transaction, row: models.Table) -> TableSnapshot | None:
    """The table whose row was just read, if it is at hand as it is stored."""
    kept = None if row.slug in transaction.held else at_hand(context, row.slug)
    return kept if kept and kept.row.changes == row.changes else None


def refuse_unless_host(table: HeldTable, *, cohost: bool = True, owner: int | None = None) -> None:
    """Raises Forbidden for anybody but the `owner` of what is changed, the host and, if they may, the co-hosts."""
    if (owner is None or owner != table.by) and not (table.is_hosted if cohost else table.row.host_id == table.by):
        raise Forbidden(ONLY_HOST)
