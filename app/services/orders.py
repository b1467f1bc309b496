"""Standing orders: a seat's wishes, kept until the round is over, that the room turns into ordinary moves."""

from typing import Any

from sqlalchemy import update

from app import models
from app.rules.game import RefusedMove
from app.services.errors import Conflict, Refused
from app.services.house import House
from app.services.play import PLAYING, lock_table, ordered, seat_of_player, settle
from app.services.replays import load_live
from app.writer import Transaction


def set_orders(house: House, transaction: Transaction, slug: str, player_id: int, raw: dict[str, Any] | None) -> None:
    """Keeps the standing orders of a seat (None: it has none any more), which answer at once what it is asked right
    now. Nobody else learns of them: the table's version only goes up if a move comes of it. Raises NotFound,
    Forbidden, Conflict and Refused, and then nothing is changed."""
    table = lock_table(transaction, slug)
    connection = transaction.connection
    seat = seat_of_player(transaction, table, player_id)
    if table.stage != PLAYING:
        raise Conflict("Standing orders can be given while cards are being played.")
    live = load_live(house.replays, connection, table.id, table.game, table.version, committed=False)
    assert live is not None
    try:
        orders = None if raw is None else live.match.rules.view(live.match.round, seat.number).read_orders(raw)
    except RefusedMove as error:
        raise Refused(error.sentence, error.code) from error
    connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(orders=orders))
    if ordered(transaction, table, live):
        settle(house, transaction, table, live)
