"""The other tables that wait for a player: what every page tells, whatever it is about."""

import msgspec

from app.services.context import AppContext
from app.services.queries.lobby import tables_in_play
from app.storage.db import as_of
from app.storage.turns import Waiting, mark_of


class Elsewhere(msgspec.Struct, frozen=True):
    """How many tables wait, which one of them for longest, and the mark by which a poll asks whether it is others."""

    count: int
    next: Waiting | None
    mark: int


def elsewhere_of(context: AppContext, player_id: int, token: str, slug: str = "") -> Elsewhere:
    """The tables that wait for the player of this browser, who looks at the table of this slug."""
    turns = context.pubsub.turns
    turns.meet(token, player_id)
    slugs = turns.of(player_id)
    if slugs is None or any(turns.table(one) is None for one in slugs):
        slugs = _read(context, player_id)
    others = [one for one in slugs if one != slug]
    return Elsewhere(len(others), turns.table(others[0]) if others else None, mark_of(others))


def _read(context: AppContext, player_id: int) -> tuple[str, ...]:
    with context.database.reading() as connection:
        mine = tables_in_play(context, connection, player_id)
        tables = [Waiting(one.slug, one.game, one.host) for one in reversed(mine) if one.my_turn]
        context.pubsub.turns.keep(player_id, tables, as_of(connection))
    return tuple(table.slug for table in tables)
