"""How a match begins."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from app.services.play.results import store_sitters
from app.services.table import chain
from app.services.table.held_table import HeldTable
from app.services.table.rounds import CurrentRound
from app.storage import models
from app.storage.rows import store_rows
from snug.engine import match as matches
from snug.engine.game import read_options
from snug.games import GAMES


def begin_match(table: HeldTable, host_seat: int) -> None:
    """Stores the next match of a table; its first round is dealt when the table is left."""
    begin_matches(table.connection, [table], host_seat)


def begin_matches(connection: Connection, tables: Sequence[HeldTable], host_seat: int) -> None:
    """The same at several tables, with a statement for all of each kind."""
    here = models.Match.table_id
    last = select(here, func.max(models.Match.number).label("last")).where(here.in_([table.row.id for table in tables]))
    before = {row.table_id: row.last for row in connection.execute(last.group_by(here))}
    begun = [_match(table, before.get(table.row.id, 0) + 1, host_seat) for table in tables]
    stored = store_rows(connection, models.Match, begun, "table_id")
    played, first = [], []
    for table, row in zip(tables, stored, strict=True):
        store_sitters(table, row.id)
        game, seats = GAMES[table.row.game], len(row.names)
        match = matches.begin(game, read_options(game, seats, row.options), seats, host_seat)
        dealer = game.first_dealer(match.options, seats, host_seat)
        played.append(match)
        first.append({"match_id": row.id, "number": 1, "dealer": dealer, "version": table.next_version})
    rounds = store_rows(connection, models.Round, first, "match_id")
    for table, row, match, one in zip(tables, stored, played, rounds, strict=True):
        began_at, names = table.context.now(), tuple(row.names)
        this = CurrentRound(row.id, row.number, one.id, one.version, 0, match, (), host_seat, names, began_at=began_at)
        table.put_round(this)


def _match(table: HeldTable, number: int, host_seat: int) -> dict[str, Any]:
    names = [seat.name for seat in table.seats]
    values = {"table_id": table.row.id, "number": number, "options": table.row.options, "names": names}
    values |= {"host_seat": host_seat, "created_at": table.context.now()}
    return values | table.link(chain.MATCH, chain.of_match(values))
