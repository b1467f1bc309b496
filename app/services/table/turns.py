"""For whom a table waits: what the pages of those people tell at other tables."""

from collections.abc import Collection
from functools import partial

from app.services.table.held_table import PLAYING, SCORES, HeldTable
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import awaited_at
from app.storage.pubsub import tell_turns
from app.storage.turns import Waiting


def tell_who_is_awaited(table: HeldTable, after: TableSnapshot | None) -> None:
    """Lets those know, once it is stored, whom the table has begun or ceased to wait for."""
    if not table.is_changed:
        return
    row, turns, seats = table.row, table.context.pubsub.turns, table.seats
    awaited, round_id = _awaited(table, after)
    players = {seat.player_id: seat for seat in seats if seat.player_id}
    waiting = {
        player_id
        for player_id, seat in players.items()
        if seat.number in awaited and not seat.stand_in and (round_id is None or seat.closed_to != round_id)
    }
    changed = turns.changes(row.slug, waiting, players)
    if changed:
        here = Waiting(row.slug, row.game, next((seat.name for seat in seats if seat.player_id == row.host_id), ""))
        tell_turns(table.transaction, row.slug, changed)
        table.transaction.after_commit(partial(turns.tell, here, waiting, changed))


def _awaited(table: HeldTable, after: TableSnapshot | None) -> tuple[Collection[int], int | None]:
    """The seats to act, and the round, which may be closed to their players."""
    if table.row.paused_at or table.row.status not in (PLAYING, SCORES):
        return (), None
    if table.row.status == SCORES:
        return [seat.number for seat in table.seats if not seat.ready], None
    live = table.round
    return after.once(awaited_at) if after else live.match.game.view(live.match.round, None).awaited, live.round_id
