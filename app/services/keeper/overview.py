"""What whoever keeps the room may see of it: which tables there are and who came. Nothing of any card."""

from typing import NamedTuple

from sqlalchemy import Connection, exists, func, select

from app.services.quarantine import ENDED
from app.services.table.held_table import FINISHED
from app.storage import models


class KeptTable(NamedTuple):
    """A table from outside: its status, when it was opened and last played at, why it is frozen, who has a chair."""

    code: str
    game: str
    status: str
    host: str
    opened_at: float
    moved_at: float | None
    paused_by: str | None
    frozen: str | None
    names: list[str]

    @property
    def is_ended(self) -> bool:
        """Whether the keeper has ended it."""
        return self.frozen == ENDED


class KeptGuest(NamedTuple):
    """A guest: the number that tells two of a name apart, when they came, at how many tables they have a chair."""

    number: int
    name: str
    came_at: float
    tables: int
    barred: bool


class KeptBar(NamedTuple):
    """Who is barred from where (no code: the room), and whether with the household."""

    number: int
    name: str
    code: str | None
    has_household: bool
    made_at: float


def tables_of(connection: Connection, *, with_finished: bool = False) -> list[KeptTable]:
    """The tables that are not over, or all; whoever played last comes first."""
    table, seat = models.Table, models.Seat
    moved = (
        select(models.Match.table_id, func.max(models.Move.made_at).label("at"))
        .join(models.Round, models.Round.match_id == models.Match.id)
        .join(models.Move, models.Move.round_id == models.Round.id)
        .group_by(models.Match.table_id)
        .subquery()
    )
    own = (table.created_at, moved.c.at, table.paused_by, table.quarantined_why)
    wanted = (
        select(table.code, table.game, table.status, models.Player.name, *own, table.id)
        .join(models.Player, models.Player.id == table.host_id)
        .outerjoin(moved, moved.c.table_id == table.id)
        .order_by(func.coalesce(moved.c.at, table.created_at).desc())
    )
    if not with_finished:
        wanted = wanted.where(table.status != FINISHED, table.quarantined_why.is_distinct_from(ENDED))
    chairs: dict[int, list[str]] = {}
    taken = (seat.player_id.is_not(None)) | (seat.bot.is_not(None))
    for table_id, name in connection.execute(select(seat.table_id, seat.name).where(taken).order_by(seat.number)):
        chairs.setdefault(table_id, []).append(name)
    return [KeptTable._make((*row, chairs.get(number, []))) for *row, number in connection.execute(wanted)]


def guests_of(connection: Connection, name: str = "") -> list[KeptGuest]:
    """The guests in whose name this occurs, the newest first."""
    player, seat = models.Player, models.Seat
    tables = select(func.count()).where(seat.player_id == player.id).scalar_subquery()
    barred = exists().where(models.Bar.player_id == player.id, models.Bar.table_id.is_(None))
    wanted = select(player.id, player.name, player.created_at, tables, barred).order_by(
        player.created_at.desc(), player.id
    )
    if name:
        wanted = wanted.where(func.lower(player.name).contains(name.lower(), autoescape=True))
    return [KeptGuest(*row) for row in connection.execute(wanted)]


def bars_on(connection: Connection) -> list[KeptBar]:
    """Who is barred, the newest first."""
    bar, player, table = models.Bar, models.Player, models.Table
    wanted = select(player.id, player.name, table.code, bar.wide, bar.made_at).join(player, player.id == bar.player_id)
    found = wanted.select_from(bar).outerjoin(table, table.id == bar.table_id).order_by(bar.id.desc())
    return [KeptBar(*row) for row in connection.execute(found)]
