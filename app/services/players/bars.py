"""Whom the keeper has barred, from the room or from one table: asked at the door, of every request, before anything is
done. Who is barred keeps what is theirs: they may read it, take it with them and have it deleted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, select, update

from app.services.context import AppContext
from app.services.players.players import hash_of
from app.storage import models
from app.storage.db import as_of
from app.storage.pubsub import KEEPER, notify_processes
from app.storage.writer import Transaction
from snug.words import Message, gettext

_ALL: Final = "all"
_ROOM: Final = gettext(
    "Whoever keeps this room has closed it to you. What is yours is in My room: you can take it with you or have it "
    "deleted."
)
_TABLE: Final = gettext("Whoever keeps this room has closed this table to you. Every other is as open as before.")
_HOUSE: Final = gettext("Whoever keeps this room lets nobody new in from your house just now.")


@dataclass(frozen=True)
class Bars:
    """The guests who are barred from the room, and those from tables, by the slug; the households from which nobody
    new comes, by slug (none: the room), and since when; whose household is still to be learnt."""

    room: frozenset[int] = frozenset()
    tables: frozenset[tuple[str, int]] = frozenset()
    households: Mapping[tuple[str, str], float] = field(default_factory=dict)
    unknown: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.room or self.tables)

    def refuse(self, player_id: int | None, slug: str) -> Message | None:
        """Why this guest may not, at this table if it is one."""
        if player_id is None:
            return None
        if player_id in self.room:
            return _ROOM
        return _TABLE if (slug, player_id) in self.tables else None

    def refuse_household(self, household: str, slug: str, came_at: float | None) -> Message | None:
        """Why somebody from this household, which is a hash, may not, who became a guest then, or is none yet."""
        for where in {"", slug}:
            since = self.households.get((where, household))
            if since is not None and (came_at is None or came_at >= since):
                return _HOUSE
        return None


def bars_of(context: AppContext, connection: Connection) -> Bars:
    """Every bar there is."""
    kept: Bars | None = context.bars.get(_ALL) if context.hears_all else None
    if kept is None:
        bar = models.Bar
        wanted = select(bar, models.Table.slug).outerjoin(models.Table, models.Table.id == bar.table_id)
        rows = connection.execute(wanted).all()
        kept = Bars(
            frozenset(row.player_id for row in rows if row.table_id is None),
            frozenset((row.slug, row.player_id) for row in rows if row.table_id is not None),
            {(row.slug or "", row.household): row.made_at for row in rows if row.household},
            frozenset(row.player_id for row in rows if row.wide and not row.household),
        )
        context.bars.keep(_ALL, kept, as_of(connection))
    return kept


def bars_at_hand(context: AppContext) -> Bars | None:
    """The same, if it costs nothing."""
    kept: Bars | None = context.bars.get(_ALL)
    return kept


def learn(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """Somebody who is barred with their household asks from there."""
    bar = models.Bar
    of_these = update(bar).where(bar.player_id == player_id, bar.wide, bar.household.is_(None))
    transaction.connection.execute(of_these.values(household=hash_of(context, household)))
    tell_all(context, transaction)


def tell_all(context: AppContext, transaction: Transaction) -> None:
    """What holds for the room is changed here: what is at hand of it does not count any more."""
    transaction.after_commit(context.bars.forget)
    transaction.after_commit(context.house.forget)
    notify_processes(transaction, KEEPER, 1)
