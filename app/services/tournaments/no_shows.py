"""Who has not come to the table in time: a bot plays until he does."""

from contextlib import suppress

from sqlalchemy import exists, select

from app.services.context import AppContext
from app.services.errors import Frozen
from app.services.table.clocks import MISSING
from app.services.table.held_table import PLAYING, SCORES, HeldTable
from app.services.table.open_table import open_table
from app.services.tournaments.tables import tables_of
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction


def play_for_the_missing(context: AppContext, row: models.Tournament) -> None:
    """A bot plays on for everybody who has neither been seen at his table nor moved there."""
    with context.database.reading() as connection:
        playing = tables_of(row).where(models.Table.status.in_((PLAYING, SCORES)))
        tables = [table.id for table in all_of(connection, playing)]
    for table_id in tables:
        with suppress(Frozen):
            context.write(_play_for_the_missing, table_id)


def _play_for_the_missing(context: AppContext, transaction: Transaction, table_id: int) -> None:
    with open_table(context, transaction, table_id) as table:
        for seat in table.seats if table.row.paused_at is None else ():
            if seat.player_id and seat.seen_at is None and not seat.stand_in and not _has_moved(table, seat.number):
                table.change_seat(seat, stand_in=MISSING, ready=True)
                table.restart_clock(seat.number)


def _has_moved(table: HeldTable, number: int) -> bool:
    move, of_match = models.Move, models.Match.id == models.Round.match_id
    made = select(move.number).join(models.Round, models.Round.id == move.round_id).join(models.Match, of_match)
    mine = made.where(models.Match.table_id == table.row.id, move.seat == number)
    return bool(table.connection.execute(select(exists(mine))).scalar_one())
