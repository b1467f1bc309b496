"""Finished matches as records that the referee and the replay read."""

from typing import Any

import msgspec
from sqlalchemy import Connection, select

from app.services.queries.proofs import proof_of
from app.services.table.chain import chain_of
from app.services.table.rounds import stands
from app.services.tournaments import tables as tournament_tables
from app.storage import models
from app.storage.rows import one_of


def match_record(connection: Connection, slug: str) -> dict[str, Any]:
    """The record of a table's last match, the dealer's moves included, those taken back left out: for finished
    matches only; with the head of the table's chain, and the proof of its deals where they were sealed. Raises
    Forbidden while other tables of a tournament play the same deal."""
    table = one_of(connection, select(models.Table).where(models.Table.slug == slug))
    matches = select(models.Match).where(models.Match.table_id == table.id)
    match = one_of(connection, matches.order_by(models.Match.number.desc()).limit(1))
    tournament_tables.refuse_while_dealt_elsewhere(connection, table.id)
    moves = connection.execute(
        select(models.Move.seat, models.Move.move)
        .join(models.Round, models.Round.id == models.Move.round_id)
        .where(models.Round.match_id == match.id, stands())
        .order_by(models.Round.number, models.Move.number)
    )
    links, head = chain_of(table)
    proof = proof_of(connection, table, match)
    return {
        "game": table.game,
        "seats": len(match.names),
        "options": match.options,
        "host": match.host_seat,
        "moves": [{"seat": seat, **move} for seat, move in moves],
        "chain": {"links": links, "head": head},
        **({"proof": msgspec.to_builtins(proof)} if proof else {}),
    }
