"""Who is at a table just now, as its polls tell, and what follows: a host who has vanished is followed by another.

Each process knows its own polls only, so what it knows is kept beside the seats, coarsely: a roll call every so often.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress

from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.errors import Frozen
from app.services.players.players import hash_of
from app.services.seats.hosts import heir_of, succeed
from app.services.table.clocks import DAYS, MISSING, clock_of
from app.services.table.open_table import open_table
from app.storage import models
from app.storage.writer import Transaction

EVERY = 20.0  # seconds between two roll calls
GONE = 60.0  # who has not been seen for so long is not there
HOST_GONE = 300.0  # a host who has not been seen for so long is followed by somebody who has been there as long,
HOST_GONE_DAYS = 3 * 24 * 3600.0  # but not so soon where a move may take days
_CHUNK = 400


def open_pages(context: AppContext, connection: Connection) -> dict[str, list[int]]:
    """The players who have a page of a table open in this process, and the tables where somebody has left, by slug."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    tables = context.presence.tables()
    for start in range(0, len(tables), _CHUNK):
        tokens = {
            (slug, hash_of(context, token))
            for slug in tables[start : start + _CHUNK]
            for token in context.presence.tokens(slug)
        }
        rows = connection.execute(
            select(models.Table.slug, models.Device.token_hash, models.Seat.player_id)
            .join(models.Seat, models.Seat.table_id == models.Table.id)
            .join(models.Device, models.Device.player_id == models.Seat.player_id)
            .where(models.Table.slug.in_({slug for slug, _ in tokens}))
        )
        for slug, token_hash, player_id in rows:
            if player_id is not None and (slug, token_hash) in tokens:
                found[slug].append(player_id)
    left = select(models.Table.slug).join(models.Seat, models.Seat.table_id == models.Table.id)
    for slug in connection.execute(left.where(models.Seat.here, models.Seat.seen_at < context.now() - GONE)).scalars():
        found[slug] += ()
    return dict(found)


def update_presence(context: AppContext, transaction: Transaction, slug: str, players: Collection[int]) -> None:
    """Keeps who is at the table now. Pages are drawn anew when somebody comes or goes, or the host's role passes on."""
    with suppress(Frozen), open_table(context, transaction, slug) as table:
        now = context.now()
        for seat in table.seats:
            if seat.player_id is not None:
                seen_at = now if seat.player_id in players else seat.seen_at
                here = seen_at is not None and seen_at >= now - GONE
                came_at = seat.came_at if seat.here or (here, seen_at) == (seat.here, seat.seen_at) else now
                quietly = here == seat.here
                if here and seat.stand_in == MISSING and not table.is_closed_to(seat):
                    table.change_seat(seat, stand_in=None)  # came late: a bot has played so long
                    table.restart_clock(seat.number)
                table.change_seat(seat, quietly=quietly, here=here, seen_at=seen_at, came_at=came_at)
        if heir := _heir(table.row, table.seats, now):
            succeed(table, heir)


def _heir(table: models.Table, seats: Sequence[models.Seat], now: float) -> models.Seat | None:
    """Who becomes host because the host has vanished: somebody who has waited for him."""
    host = next((seat for seat in seats if seat.player_id == table.host_id), None)
    patience = HOST_GONE_DAYS if clock_of(table).clock == DAYS else HOST_GONE
    if host is None or (host.seen_at or table.created_at) > now - patience:
        return None
    waiting = [seat for seat in seats if seat.here and seat.came_at is not None and seat.came_at <= now - HOST_GONE]
    return heir_of(waiting, table.host_id)
