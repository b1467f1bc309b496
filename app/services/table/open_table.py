"""A table's row and the seats at it, held while something is done to it."""

from sqlalchemy import func, select, update

from app.services.errors import Conflict, Forbidden, NotFound
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction

GATHERING, PLAYING, SCORES, FINISHED = "gathering", "playing", "scores", "finished"

CLOSED = "These cards stay closed until the next deal: a bot plays them until then."
MOVED_ON = "The table has moved on since your page was drawn. Here it is as it stands now."


def lock_table(transaction: Transaction, slug: str) -> AnyRow:
    """The table's row, held until the transaction ends. Raises NotFound."""
    row = transaction.connection.execute(
        select(models.Table).where(models.Table.slug == slug).with_for_update()
    ).one_or_none()
    if row is None:
        raise NotFound("There is no such table. Perhaps a letter of the link got lost?")
    return row


def seat_of_player(transaction: Transaction, table: AnyRow, player_id: int) -> AnyRow:
    """The player's seat at a table. Raises Forbidden, and Conflict while its cards are closed to the player."""
    seat = transaction.connection.execute(
        select(models.Seat).where(models.Seat.table_id == table.id, models.Seat.player_id == player_id)
    ).one_or_none()
    if seat is None:
        raise Forbidden("You have no seat at this table.")
    if is_closed(transaction, table, seat):
        raise Conflict(CLOSED)
    return seat


def is_closed(transaction: Transaction, table: AnyRow, seat: AnyRow) -> bool:
    """Whether a round is being played whose cards are closed to the seat's player."""
    if table.stage != PLAYING or seat.closed_to is None:
        return False
    match = models.Match
    rounds = select(func.max(models.Round.id)).join(match, match.id == models.Round.match_id)
    current = transaction.connection.execute(rounds.where(match.table_id == table.id)).scalar_one()
    return bool(current == seat.closed_to)


def refuse_if_paused(table: AnyRow) -> None:
    """Raises Conflict while the game is paused."""
    if table.paused_at:
        raise Conflict(f"{table.paused_by} has paused the game: everything waits until a host goes on.")


def is_back(transaction: Transaction, table: AnyRow, seat: int) -> None:
    """No bot stands in for this seat any more."""
    where = (models.Seat.table_id == table.id, models.Seat.number == seat, models.Seat.stand_in.is_not(None))
    transaction.connection.execute(update(models.Seat).where(*where).values(stand_in=None))
