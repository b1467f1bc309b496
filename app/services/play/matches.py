"""How a match begins."""

from sqlalchemy import func, insert, select

from app.services.play.results import store_sitters
from app.services.table import chain
from app.services.table.held_table import HeldTable
from app.services.table.rounds import CurrentRound
from app.services.table.settle import store_round
from app.storage import models
from snug.engine import match as matches
from snug.engine.game import read_options
from snug.games import GAMES


def begin_match(table: HeldTable, host_seat: int) -> None:
    """Stores the next match of a table; its first round is dealt when the table is left."""
    row, names = table.row, [seat.name for seat in table.seats]
    last = select(func.max(models.Match.number)).where(models.Match.table_id == row.id)
    number = (table.connection.execute(last).scalar_one() or 0) + 1
    stored = {"table_id": row.id, "number": number, "options": row.options, "names": names, "host_seat": host_seat}
    stored["created_at"] = table.context.now()
    stored |= table.link(chain.MATCH, chain.of_match(stored))
    match_id = table.connection.execute(insert(models.Match).values(**stored).returning(models.Match.id)).scalar_one()
    store_sitters(table, match_id)
    game = GAMES[row.game]
    match = matches.begin(game, read_options(game, len(names), row.options), len(names), host_seat)
    dealer = game.first_dealer(match.options, len(names), host_seat)
    round_id = store_round(table, match_id, 1, dealer, 0)
    began = table.next_version
    now = table.context.now()
    table.put_round(
        CurrentRound(match_id, number, round_id, began, 0, match, (), host_seat, tuple(names), began_at=now)
    )
