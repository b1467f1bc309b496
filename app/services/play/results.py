"""What finished matches came to, kept per seat, because who sits there may change later."""

from typing import Any, Final

from sqlalchemy import insert

from app.services.table import chain
from app.services.table.events import MatchFinished
from app.services.table.held_table import HeldTable
from app.storage import models

_RESULT: Final = insert(models.Result)
_SITTER: Final = insert(models.Sitter)


def store_sitters(table: HeldTable, match_id: int) -> None:
    """Keeps whose names a match bears that begins now."""
    people = [(seat.number, seat.player_id) for seat in table.seats if seat.player_id is not None]
    rows = [{"match_id": match_id, "seat": number, "player_id": player_id} for number, player_id in people]
    if rows:
        table.transaction.store(_SITTER, *rows)


def store_results(event: MatchFinished) -> None:
    """Keeps the places and points of a match that is over; they are of whoever holds the seats now."""
    table, live = event.table, event.table.round
    results = live.match.results
    rows: list[dict[str, Any]] = [
        {
            "match_id": live.match_id,
            "seat": seat.number,
            "player_id": seat.player_id,
            "bot": seat.bot,
            "name": seat.name,
            **results[seat.number]._asdict(),
            "finished_at": table.context.now(),
        }
        for seat in table.seats
    ]
    columns = table.link(chain.RESULTS, chain.of_results(live.match_number, rows))
    table.transaction.store(_RESULT, *(row | columns for row in rows))
