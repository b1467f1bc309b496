"""What finished matches came to, kept per seat, because who sits there may change later."""

from sqlalchemy import insert, select

from app.services.context import AppContext
from app.services.table.rounds import CurrentRound
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction


def store_sitters(transaction: Transaction, table_id: int, match_id: int) -> None:
    """Keeps whose names a match bears that begins now."""
    people = transaction.connection.execute(
        select(models.Seat.number, models.Seat.player_id).where(
            models.Seat.table_id == table_id, models.Seat.player_id.is_not(None)
        )
    ).all()
    rows = [{"match_id": match_id, "seat": number, "player_id": player_id} for number, player_id in people]
    if rows:
        transaction.connection.execute(insert(models.Sitter), rows)


def store_results(context: AppContext, transaction: Transaction, table: AnyRow, live: CurrentRound) -> None:
    """Keeps the places and points of a match that is over; they are of whoever holds the seats now."""
    match = live.match
    teams = match.game.competitors(match.options, match.seats)
    sides = {seat: number for number, team in enumerate(teams, 1) for seat in team}
    places, totals = match.places, match.totals
    seats = transaction.connection.execute(select(models.Seat).where(models.Seat.table_id == table.id)).all()
    transaction.connection.execute(
        insert(models.Result),
        [
            {
                "match_id": live.match_id,
                "seat": seat.number,
                "side": sides[seat.number],
                "player_id": seat.player_id,
                "bot": seat.bot,
                "name": seat.name,
                "place": places[sides[seat.number] - 1],
                "points": totals[sides[seat.number] - 1],
                "finished_at": context.now(),
            }
            for seat in seats
        ],
    )
