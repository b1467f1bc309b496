"""Standing orders: a seat's wishes, kept until the round is over, that the room turns into ordinary moves."""

from typing import Any

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.table.held_table import PLAYING
from app.services.table.open_table import open_table
from app.services.table.settle import ordered
from app.storage.writer import Transaction
from snug.engine.game import RefusedMove


def set_orders(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, raw: dict[str, Any] | None
) -> None:
    """Keeps the standing orders of a seat (None: it has none any more), which answer at once what it is asked right
    now. Nobody else learns of them: the table's version only goes up if a move comes of it. Raises NotFound,
    Forbidden, Conflict and Refused, and then nothing is changed."""
    with open_table(context, transaction, slug, by=player_id, seated=True, status=PLAYING) as table:
        match = table.round.match
        try:
            orders = None if raw is None else match.game.view(match.round, table.me.number).read_orders(raw)
        except RefusedMove as error:
            raise Refused(error.code, error.sentence) from error
        table.change_seat(table.me, quietly=True, orders=orders)
        if ordered(table):
            table.restart_clock()
