"""Standing orders: a seat's wishes, kept until the round is over, that the room turns into ordinary moves."""

from typing import Any

from sqlalchemy import update

from app.engine.game import RefusedMove
from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.play.play import ordered, settle
from app.services.table.open_table import PLAYING, lock_table, seat_of_player
from app.services.table.rounds import load_current
from app.storage import models
from app.storage.writer import Transaction


def set_orders(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, raw: dict[str, Any] | None
) -> None:
    """Keeps the standing orders of a seat (None: it has none any more), which answer at once what it is asked right
    now. Nobody else learns of them: the table's version only goes up if a move comes of it. Raises NotFound,
    Forbidden, Conflict and Refused, and then nothing is changed."""
    table = lock_table(transaction, slug)
    connection = transaction.connection
    seat = seat_of_player(transaction, table, player_id)
    if table.stage != PLAYING:
        raise Conflict("Standing orders can be given while cards are being played.")
    live = load_current(context.rounds, connection, table.id, table.game, table.version, committed=False)
    assert live is not None
    try:
        orders = None if raw is None else live.match.game.view(live.match.round, seat.number).read_orders(raw)
    except RefusedMove as error:
        raise Refused(error.sentence, error.code) from error
    connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(orders=orders))
    if ordered(transaction, table, live):
        settle(context, transaction, table, live)
