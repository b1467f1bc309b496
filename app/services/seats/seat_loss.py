"""Seats that change hands: which links to them work, and who had one before, so that the device is told. Whom a
host has removed stays out of the table until a host lets them in again."""

import msgspec
from sqlalchemy import delete, insert, select

from app.services.context import AppContext
from app.services.errors import Forbidden
from app.services.table.held_table import HeldTable
from app.services.table.open_table import GATHERING, open_table
from app.services.table.rounds import CurrentRound
from app.services.table.snapshot import StoredLink, StoredLoss, TableSnapshot
from app.services.table.table_now import Viewer, live_at
from app.storage import models
from app.storage.writer import Transaction
from snug.words import gettext

HANDED, REISSUED, REPLACED, WITHDREW = "handed", "reissued", "replaced", "withdrew"
ANNULLED = "annulled"  # what is played there counts no more
REMOVED, TURNED_AWAY = "removed", "turned_away"  # before the game, or while waiting for a seat
_BY_A_HOST = (REPLACED, REMOVED, TURNED_AWAY)
STAYS_OUT = gettext("You were removed from this table. A host can let you in again.")
ASKED, AGREED, ALONE = "asked", "agreed", "alone"  # a link to come, one agreed upon, one on a host's word alone


def record_loss(table: HeldTable, seat: models.Seat, kind: str) -> None:
    """Keeps how this seat's player lost it; a link to the seat stops working with it."""
    withdraw_link(table, seat)
    if seat.player_id is not None:
        note_loss(table, seat.player_id, kind, seat.number)


def note_loss(table: HeldTable, player_id: int, kind: str, number: int = 0) -> None:
    """Keeps how a player lost seat `number`, or (0) the place among those who wait for one."""
    forget_guest(table, player_id)
    lost = {"table_id": table.row.id, "player_id": player_id, "seat": number, "kind": kind}
    table.connection.execute(insert(models.SeatLoss).values(**lost))


def refuse_removed(table: HeldTable) -> None:
    """Raises Forbidden for whom a host has removed from the table and nobody has let in again."""
    lost = select(models.SeatLoss.kind).filter_by(table_id=table.row.id, player_id=table.by)
    if table.connection.execute(lost.where(models.SeatLoss.kind.in_(_BY_A_HOST))).first():
        raise Forbidden(STAYS_OUT)


def let_in(context: AppContext, transaction: Transaction, slug: str, player_id: int, removed: int) -> None:
    """A host lets a player in again who was removed. Doing so twice changes nothing. Raises Forbidden."""
    with open_table(context, transaction, slug, by=player_id, host=True) as table:
        gone = delete(models.SeatLoss).where(
            models.SeatLoss.table_id == table.row.id,
            models.SeatLoss.player_id == removed,
            models.SeatLoss.kind.in_(_BY_A_HOST),
        )
        if table.connection.execute(gone).rowcount:
            table.set()


def forget_guest(table: HeldTable, player_id: int) -> None:
    """Who sits here again neither waits for a seat nor has lost one."""
    for kind in (models.WaitingGuest, models.SeatLoss):
        table.connection.execute(delete(kind).filter_by(table_id=table.row.id, player_id=player_id))


def withdraw_link(table: HeldTable, seat: models.Seat) -> bool:
    """No link to this seat works any more; whether one did."""
    return table.connection.execute(delete(models.SeatTransfer).filter_by(seat_id=seat.id)).rowcount > 0


def word_counts(seat: models.Seat, live: CurrentRound | None) -> bool:
    """Whether this seat's player may vouch for another seat's: somebody who sat here before the cards were dealt.
    Whoever came since may have been let in for that, and whoever took a seat over on a host's word alone may be that
    host."""
    is_late = live is not None and seat.seated_at is not None and seat.seated_at > live.began_at
    return seat.player_id is not None and seat.closed_to is None and not is_late


class Waiting(msgspec.Struct, frozen=True):
    """Somebody who waits for a seat."""

    number: int
    name: str
    is_me: bool


class Transfer(msgspec.Struct, frozen=True, kw_only=True):
    """Who comes to seats and who has lost one, for one pair of eyes. `waiting` are the guests who wait for a seat, in
    the order in which they will get one; `may_wait` says whether this person may, for the game has begun without them.
    `removed`, which only hosts read, are those whom they can let in again, and `is_removed` says that one is among
    them; `lost` is the seat that was this person's, and `lost_how` how it changed hands."""

    waiting: tuple[Waiting, ...] = ()
    may_wait: bool = False
    removed: tuple[StoredLoss, ...] = ()
    is_removed: bool = False
    lost: int | None = None
    lost_how: str = ""

    @property
    def i_wait(self) -> Waiting | None:
        """This person's place among those who wait for a seat."""
        return next((guest for guest in self.waiting if guest.is_me), None)

    @property
    def guests_ahead(self) -> int:
        """How many guests come before this person when there is a seat to give."""
        return self.waiting.index(self.i_wait) if self.i_wait else len(self.waiting)


def removed_from(table: TableSnapshot) -> tuple[StoredLoss, ...]:
    """Who has to stay out of a table until a host lets them in."""
    return tuple(row for row in table.losses if row.kind in _BY_A_HOST)


def links_at(context: AppContext, table: TableSnapshot) -> dict[int, StoredLink]:
    """The seats to which a link works or is asked for, with it."""
    now = context.now()
    return {link.number: link for link in table.links if link.until > now}


def loss_of(table: TableSnapshot, player_id: int) -> StoredLoss | None:
    """How somebody lost a seat here in a game."""
    lost = next((row for row in table.losses if row.player_id == player_id), None)
    return lost if lost and lost.kind not in (REMOVED, TURNED_AWAY) else None


def transfer_at(table: TableSnapshot, viewer: Viewer) -> Transfer:
    """Who waits for a seat at a table, and who has lost one."""
    me, live, removed = viewer.player_id, live_at(table), table.once(removed_from)
    is_removed = not viewer.is_seated and any(one.player_id == me for one in removed)
    lost = loss_of(table, me) if me and live and not viewer.is_seated else None
    has_begun = table.row.status != GATHERING
    return Transfer(
        waiting=tuple(Waiting(row.id, row.name, row.player_id == me) for row in table.waiting) if live else (),
        may_wait=has_begun and not (viewer.is_seated or table.has_place or is_removed),
        removed=removed if viewer.may_host else (),
        is_removed=is_removed,
        lost=lost.seat if lost else None,
        lost_how=lost.kind if lost else "",
    )
