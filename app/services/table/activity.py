"""The lines of a table's log: what people say there, and what became of its seats, its host and its clock."""

from typing import NamedTuple

from sqlalchemy import delete, func, insert, select

from app.services.table.held_table import HeldTable
from app.storage import models

NEWS = "news"
OTHER = "{}"  # where the other person's name stands in a piece of news
_KEPT = 500  # lines a table remembers


class Guest(NamedTuple):
    """Somebody whom a line means and who need not have a seat at the table."""

    name: str
    player_id: int


def add_activity(
    table: HeldTable,
    player_id: int,
    done: str,
    other: models.Seat | Guest | None = None,
    *,
    name: str | None = None,
) -> None:
    """Keeps that a player did something to the table, for everybody to read: `done` goes on from the name, in the past
    tense, with OTHER where the name of `other`, a seat or a guest, stands. Without a `name` it is that of the player's
    seat."""
    if name is None:
        seat = table.seat_of(player_id)
        name = seat.name if seat else "The host"
    add_line(table, player_id, None, name, NEWS, done, other)


def add_line(
    table: HeldTable,
    player_id: int,
    seat: int | None,
    name: str,
    kind: str,
    text: str,
    other: models.Seat | Guest | None = None,
) -> None:
    """Keeps a line with the move after which it came."""
    mine = models.Message.table_id == table.row.id
    number = 1 + (table.connection.execute(select(func.max(models.Message.number)).where(mine)).scalar_one() or 0)
    live = table.round if table.has_begun else None
    table.connection.execute(
        insert(models.Message).values(
            table_id=table.row.id,
            number=number,
            player_id=player_id,
            seat=seat,
            name=name,
            kind=kind,
            text=text,
            other=other.name if other else None,
            other_id=other.player_id if other else None,
            round_id=live.round_id if live else None,
            moves=live.moves if live else 0,
            made_at=table.context.now(),
        )
    )
    if number > _KEPT:
        table.connection.execute(delete(models.Message).where(mine, models.Message.number <= number - _KEPT))
    table.set()
