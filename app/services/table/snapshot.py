"""A table at one version with everything stored of it that its pages need, made once for all who look."""

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

import msgspec
from sqlalchemy import Connection, String, bindparam, exists, select

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.quarantine import quarantine_on_error, refuse_quarantined
from app.services.table.chain import GONE
from app.services.table.rounds import CurrentRound, load_current
from app.storage import models
from app.storage.db import as_of
from app.storage.models.columns import Id
from app.storage.rows import all_of, find_one, seats_at
from snug.words import gettext

NO_TABLE: Final = gettext("There is no such table. Perhaps a letter of the link got lost?")
Given = ParamSpec("Given")
Made = TypeVar("Made")
LINES: Final = 40  # newest lines of the log that a page shows

_SLUG: Final = bindparam("slug", type_=String)
_ID: Final = bindparam("table_id", type_=Id)
_CHANGES = select(models.Table.changes).where(models.Table.id == _ID)
_ROW = select(models.Table).where(models.Table.slug == _SLUG)
_LINKS = (
    select(models.Seat.number, models.SeatTransfer.kind, models.SeatTransfer.asked_by, models.SeatTransfer.until)
    .join(models.Seat, models.Seat.id == models.SeatTransfer.seat_id)
    .where(models.Seat.table_id == _ID)
)
_LOSSES = (
    select(models.SeatLoss.player_id, models.Player.name, models.SeatLoss.seat, models.SeatLoss.kind)
    .join(models.Player, models.Player.id == models.SeatLoss.player_id)
    .where(models.SeatLoss.table_id == _ID)
    .order_by(models.SeatLoss.player_id)
)
_WAITING = select(models.WaitingGuest).where(models.WaitingGuest.table_id == _ID).order_by(models.WaitingGuest.id)
_MESSAGES = (
    select(models.Message)
    .where(models.Message.table_id == _ID, models.Message.kind != GONE)
    .order_by(models.Message.number.desc())
)
_NEWEST = _MESSAGES.limit(LINES)
_MUTED = select(models.Mute.player_id).where(models.Mute.table_id == _ID)
_HAS_PLACE = select(exists().where(models.TournamentTable.table_id == _ID))


class StoredLink(NamedTuple):
    """A link to seat `number`, of which kind, for how long, and which seat asked for it."""

    number: int
    kind: str
    asked_by: int | None
    until: float


class StoredLoss(NamedTuple):
    """How a player of this name lost a seat, or (0) the place among those who wait for one."""

    player_id: int
    name: str
    seat: int
    kind: str


class TableSnapshot(msgspec.Struct, frozen=True, dict=True):
    """Rows as they are stored. `messages` are the newest first; `muted` are the players who hear nobody here;
    `has_place` says that the table belongs to a tournament. Nothing but moves was made since the change
    `arranged_version`."""

    row: models.Table
    seats: tuple[models.Seat, ...]
    round: CurrentRound | None
    links: tuple[StoredLink, ...]
    losses: tuple[StoredLoss, ...]
    waiting: tuple[models.WaitingGuest, ...]
    messages: tuple[models.Message, ...]
    muted: frozenset[int]
    has_place: bool
    arranged_version: int

    def once(
        self, make: Callable[Concatenate["TableSnapshot", Given], Made], *given: Given.args, **more: Given.kwargs
    ) -> Made:
        """What follows from the table, for one seat perhaps, whoever looks and when: made for the first who does."""
        key = make, given, *more.items()
        if key not in self._made:
            self._made[key] = make(self, *given, **more)
        made: Made = self._made[key]
        return made

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Those of the seats."""
        return tuple(seat.name for seat in self.seats)

    def after(self, row: models.Table, seats: tuple[models.Seat, ...], live: CurrentRound) -> "TableSnapshot | None":
        """The table when these have changed; None where more may have."""
        if self.waiting and not (self.round and live.round_id == self.round.round_id):
            return None  # whoever waits for a seat may have got one with the round
        return msgspec.structs.replace(self, row=row, seats=seats, round=live)

    def seat(self, number: int | None) -> models.Seat | None:
        """The seat of this number."""
        return self.seats[number - 1] if number else None

    def seat_of(self, player_id: int | None) -> models.Seat | None:
        """A player's seat."""
        return next((seat for seat in self.seats if player_id is not None and seat.player_id == player_id), None)


def new_snapshot(row: models.Table, seats: tuple[models.Seat, ...], *, has_place: bool) -> TableSnapshot:
    """A table that has just been set, of which nothing else is stored."""
    return TableSnapshot(row, seats, None, (), (), (), (), frozenset(), has_place, row.changes + 1)


def load_snapshot(
    context: AppContext, connection: Connection, slug: str, heard_since: int | None = None
) -> TableSnapshot:
    """The table as it stands. Where nobody else can change it that costs no statement while it is at hand; elsewhere
    one, for its version, unless it may be as this process has heard, from the version `heard_since` on. Raises NotFound
    and Frozen."""
    if kept := _kept(context, connection, slug, heard_since):
        return kept
    with quarantine_on_error(slug):
        row = find_one(connection, _ROW, slug=slug)
        if row is None:
            raise NotFound(NO_TABLE)
        refuse_quarantined(row)
        snapshot = _read(context, connection, row)
    context.snapshots.keep_read(slug, row.version, snapshot, as_of(connection))
    context.pubsub.heard(slug, row.version)
    return snapshot


def _kept(context: AppContext, connection: Connection, slug: str, heard_since: int | None) -> TableSnapshot | None:
    """The table, if it is at hand as it stands."""
    if context.database.is_owned:
        return at_hand(context, slug)
    if heard_since is not None and (heard := as_heard(context, slug, heard_since)):
        return heard
    kept: TableSnapshot | None = context.snapshots.newest(slug)
    changes = connection.execute(_CHANGES, {"table_id": kept.row.id}).scalar_one_or_none() if kept else None
    return kept if kept and kept.row.changes == changes else None


def at_hand(context: AppContext, slug: str) -> TableSnapshot | None:
    """The table at the newest version that this process has heard of, if it is at hand."""
    found: TableSnapshot | None = context.snapshots.get(slug, context.pubsub.version(slug))
    return found


def as_heard(context: AppContext, slug: str, since: int) -> TableSnapshot | None:
    """The same while this process hears of every change, and if whoever asks has seen nothing newer: they may have been
    told by another process, of which this one has still to hear."""
    kept = at_hand(context, slug) if context.hears_all else None
    return kept if kept and kept.row.version >= since else None


def _read(context: AppContext, connection: Connection, row: models.Table) -> TableSnapshot:
    this = {"table_id": row.id}
    return TableSnapshot(
        row=row,
        seats=tuple(seats_at(connection, row.id)),
        round=load_current(context.rounds, connection, row.id, row.game, row.version),
        links=tuple(StoredLink(*link) for link in connection.execute(_LINKS, this)),
        losses=tuple(StoredLoss(*loss) for loss in connection.execute(_LOSSES, this)),
        waiting=tuple(all_of(connection, _WAITING, **this)),
        messages=tuple(all_of(connection, _NEWEST, **this)),
        muted=frozenset(connection.execute(_MUTED, this).scalars()),
        has_place=bool(connection.execute(_HAS_PLACE, this).scalar_one()),
        arranged_version=row.changes,
    )


def all_messages(connection: Connection, table_id: int) -> Sequence[models.Message]:
    """Every line that the log remembers, the newest first."""
    return all_of(connection, _MESSAGES, table_id=table_id)
