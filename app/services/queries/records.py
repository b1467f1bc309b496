"""Finished matches as records that the referee and the replay read."""

from typing import Any

from sqlalchemy import Connection, select

from app.services.table.rounds import stands
from app.services.tournaments import tables as tournament_tables
from app.storage import models


def match_record(connection: Connection, slug: str) -> dict[str, Any]:
    """The record of a table's last match, the dealer's moves included, those taken back left out: for finished
    matches only. Raises Forbidden while other tables of a tournament play the same deal."""
    match = connection.execute(
        select(models.Match, models.Table.game)
        .join(models.Table, models.Table.id == models.Match.table_id)
        .where(models.Table.slug == slug)
        .order_by(models.Match.number.desc())
        .limit(1)
    ).one()
    tournament_tables.refuse_while_dealt_elsewhere(connection, match.table_id)
    moves = connection.execute(
        select(models.Move.seat, models.Move.move)
        .join(models.Round, models.Round.id == models.Move.round_id)
        .where(models.Round.match_id == match.id, stands())
        .order_by(models.Round.number, models.Move.number)
    )
    return {
        "game": match.game,
        "seats": len(match.names),
        "options": match.options,
        "host": match.host_seat,
        "moves": [{"seat": seat, **move} for seat, move in moves],
    }
