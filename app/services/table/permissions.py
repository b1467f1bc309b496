"""Who may arrange things at a table."""

from sqlalchemy import select

from app.services.errors import Forbidden
from app.services.table.open_table import lock_table
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction

ONLY_HOST = "Only the host of this table may do that."


def hosting(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    """The table's row, held until the transaction ends, for its host or a co-host. Raises NotFound and Forbidden."""
    table = lock_table(transaction, slug)
    refuse_unless_hosting(transaction, table, player_id)
    return table


def refuse_unless_hosting(transaction: Transaction, table: AnyRow, player_id: int) -> None:
    """Raises Forbidden for anybody but the host and the co-hosts."""
    cohost = select(models.Seat.id).where(
        models.Seat.table_id == table.id, models.Seat.player_id == player_id, models.Seat.cohost
    )
    if table.host_id != player_id and transaction.connection.execute(cohost).first() is None:
        raise Forbidden(ONLY_HOST)
