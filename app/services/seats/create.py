"""Opening a table, by a host or by a tournament."""

import secrets
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from sqlalchemy import select, update

from app.services.context import AppContext
from app.services.errors import or_not_found
from app.services.fairness.deals import place_of_table, seal
from app.services.players.players import count_opened, prefer
from app.services.seats.seats import NOBODY, fill_seats, sitting, start
from app.services.seats.setup import Setup
from app.services.table.held_table import GATHERING
from app.services.table.settings import TableSetup
from app.storage import models
from app.storage.rows import store_rows
from app.storage.writer import Transaction
from snug.bots.levels import STEADY
from snug.games import GAMES

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no look-alikes when read aloud
_CODE_LENGTH = 8
_USUAL: Final = TableSetup()
_PLAY_NOW: Final = TableSetup(hints=True)


def create_table(
    context: AppContext,
    transaction: Transaction,
    player_id: int,
    game_key: str,
    seats: int,
    options: Mapping[str, Any],
    setup: TableSetup = _USUAL,
    *,
    is_chosen: bool = True,
) -> str:
    """Opens a table with the player as host on seat 1, remembers rules that were chosen for the next one, and gives its
    slug. `options` may be form texts. Raises NotFound for an unknown game and Refused for rules that cannot be."""
    game = or_not_found(GAMES.get(game_key), "There is no such game in this room.")
    columns = Setup(seats, options, setup).columns(game)
    connection = transaction.connection
    name = connection.execute(select(models.Player.name).where(models.Player.id == player_id)).scalar_one()
    chairs = [sitting(context, player_id, name), *[NOBODY] * (seats - 1)]
    ((row, _),) = set_tables(context, transaction, [({"game": game_key, "host_id": player_id, **columns}, chairs)])
    commitment = seal(context, transaction, place_of_table(row.id), "1.1")
    connection.execute(update(models.Table).where(models.Table.id == row.id).values(commitment=commitment))
    if is_chosen:
        kept = {"seats": seats, "options": columns["options"], **columns["settings"]}
        prefer(context, transaction, player_id, {f"rules:{game_key}": kept})
    count_opened(context, transaction, player_id)
    return row.slug


def play_now(context: AppContext, transaction: Transaction, player_id: int, game_key: str, level: str = STEADY) -> str:
    """Opens a table with the game's quick rules, at which one may ask for hints, puts bots on the other seats and
    begins; gives its slug. Raises NotFound for an unknown game, and Refused for an unknown level."""
    game = or_not_found(GAMES.get(game_key), "There is no such game in this room.")
    quick = next((preset.options for preset in game.presets[1:]), {})
    low, high = game.seats
    seats = min(max(low, game.usual_seats), high)
    slug = create_table(context, transaction, player_id, game_key, seats, quick, _PLAY_NOW, is_chosen=False)
    fill_seats(context, transaction, slug, player_id, level)
    start(context, transaction, slug, player_id)
    return slug


def new_code() -> str:
    """A code to read aloud."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(_CODE_LENGTH))


def set_tables(
    context: AppContext,
    transaction: Transaction,
    tables: Sequence[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]],
) -> list[tuple[models.Table, tuple[models.Seat, ...]]]:
    """Sets tables, with a statement for all tables and one for all seats: of each the columns that are its game, its
    rules and how it is kept, and what is known of each seat. Gives them as they are stored; the matches have still to
    begin."""
    columns = [
        {"slug": secrets.token_urlsafe(16), "code": new_code(), "version": 1, "created_at": context.now()}
        | {"status": GATHERING, **given}
        for given, _ in tables
    ]
    rows = store_rows(transaction.connection, models.Table, columns, "slug")
    numbered = [
        {"table_id": row.id, "number": number, **seat}
        for row, (_, seats) in zip(rows, tables, strict=True)
        for number, seat in enumerate(seats, 1)
    ]
    chairs = iter(store_rows(transaction.connection, models.Seat, numbered, "table_id", "number"))
    return [(row, tuple(islice(chairs, len(seats)))) for row, (_, seats) in zip(rows, tables, strict=True)]
