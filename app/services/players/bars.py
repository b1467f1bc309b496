"""Whom the keeper has barred, from the room or from one table: asked at the door, of every request, before anything is
done. Who is barred keeps what is theirs: they may read it, take it with them and have it deleted. With a bar from a
table its link is renewed: whoever has only the old one stays outside."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import (
    CompoundSelect,
    Connection,
    Select,
    String,
    bindparam,
    exists,
    null,
    or_,
    select,
    union_all,
    update,
)

from app.services.context import AppContext
from app.services.players.players import hash_of
from app.storage import models
from app.storage.db import as_of
from app.storage.models.columns import Id
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
NEW_LINK: Final = gettext("This table has a new link: ask whoever invited you for it.")
_PLAYER: Final = bindparam("player", type_=Id)


@dataclass(frozen=True)
class Bars:
    """The guests who are barred from the room, and those from tables, by the slug; the households from which nobody
    new comes, by slug (none: the room), and since when; whose household is still to be learnt; the doors of the tables
    whose link was renewed, by slug."""

    room: frozenset[int] = frozenset()
    tables: frozenset[tuple[str, int]] = frozenset()
    households: Mapping[tuple[str, str], float] = field(default_factory=dict)
    unknown: frozenset[int] = frozenset()
    doors: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.room or self.tables or self.doors)

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


def _everything() -> CompoundSelect[Any]:
    bar, table = models.Bar, models.Table
    bars = select(bar.player_id, bar.wide, bar.household, bar.made_at, table.slug, null().label("door"))
    doors = select(null(), null(), null(), null(), table.slug, table.door).where(table.door.is_not(None))
    return union_all(bars.outerjoin(table, table.id == bar.table_id), doors)


_EVERYTHING: Final = _everything()


def bars_of(context: AppContext, connection: Connection) -> Bars:
    """Every bar there is."""
    kept: Bars | None = context.bars.get(_ALL) if context.hears_all else None
    if kept is None:
        found = connection.execute(_EVERYTHING).all()
        rows = [row for row in found if row.door is None]
        kept = Bars(
            frozenset(row.player_id for row in rows if row.slug is None),
            frozenset((row.slug, row.player_id) for row in rows if row.slug is not None),
            {(row.slug or "", row.household): row.made_at for row in rows if row.household},
            frozenset(row.player_id for row in rows if row.wide and not row.household),
            {row.slug: row.door for row in found if row.door is not None},
        )
        context.bars.keep(_ALL, kept, as_of(connection))
    return kept


def bars_at_hand(context: AppContext) -> Bars | None:
    """The same, if it costs nothing."""
    kept: Bars | None = context.bars.get(_ALL)
    return kept


def pass_for(context: AppContext, slug: str, door: str) -> str:
    """What a browser that came in by this door of a table shows there: nobody can make it who guesses at codes."""
    return hash_of(context, f"door {slug} {door}")


def _belongs() -> Select[int]:
    table, member, place = models.Table, models.CircleMember, models.TournamentTable
    seat, guest, entry, contest = models.Seat, models.WaitingGuest, models.TournamentEntry, models.Tournament
    in_circle = exists().where(member.circle_id == table.circle_id, member.left_at.is_(None))
    here = exists().where(place.table_id == table.id)
    known = (
        table.host_id == _PLAYER,
        exists().where(seat.table_id == table.id, seat.player_id == _PLAYER),
        exists().where(guest.table_id == table.id, guest.player_id == _PLAYER),
        in_circle.where(member.player_id == _PLAYER),
        here.where(entry.tournament_id == place.tournament_id, entry.player_id == _PLAYER),
        here.where(contest.id == place.tournament_id, contest.organiser_id == _PLAYER),
    )
    return select(table.id).where(table.slug == bindparam("slug", type_=String), or_(*known))


_BELONGS: Final = _belongs()


def belongs(connection: Connection, slug: str, player_id: int) -> bool:
    """Whether a player needs no link to a table: who hosts it, sits there or waits for a seat, is in the circle or in
    the tournament that it belongs to."""
    return connection.execute(_BELONGS, {"slug": slug, "player": player_id}).first() is not None


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
