"""How a table is set up, and how a host changes that while seats are taken and between two matches."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.seats.agreement import change_of, note_change, seats_wanted, set_up
from app.services.seats.seats import resize
from app.services.table.events import SetupWanted
from app.services.table.held_table import GATHERING
from app.services.table.open_table import BETWEEN_MATCHES, MOVED_ON, open_table
from app.services.table.settings import TableSetup, setup_of, stored
from app.services.table.snapshot import load_snapshot
from app.storage.writer import Transaction
from snug.declared import marked
from snug.engine.game import BadSetup, Game, read_options
from snug.games import GAMES

_USUAL: Final = TableSetup()


class Setup(msgspec.Struct, frozen=True):
    """What a host chooses: how many seats, the rules (form texts, or as stored), and how the table is kept."""

    seats: int
    options: Mapping[str, Any]
    table: TableSetup = _USUAL

    def columns(self, game: Game[Any]) -> dict[str, Any]:
        """As a table's row keeps it. Raises Refused for what cannot be."""
        try:
            checked = read_options(game, self.seats, self.options, strict=False)
        except BadSetup as error:
            raise Refused(error.code, error.sentence) from error
        options = {name: value for name, value in msgspec.to_builtins(checked).items() if value is not None}
        needs = marked(TableSetup, "trait")  # what the game has not got is as it is without
        without = {name: getattr(_USUAL, name) for name, trait in needs.items() if not getattr(game, trait)}
        return {"options": options, "settings": stored(self.table) | without}


def change_setup(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, match: int, seen: int, setup: Setup
) -> None:
    """A host changes anything about the table while seats are taken, or after match number `match` (0: before the
    first), on a page of version `seen`. Chairs come and go at once before the first match, else when the next begins.
    Those who sit there are told and asked. Only the host says how people talk. Raises Forbidden, Refused, and Conflict
    where a match or another change has come between."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=BETWEEN_MATCHES) as table:
        context.handlers.tell(SetupWanted(table))
        row, now = table.row, len(table.seats)
        known = change_of(row)
        played = table.round.match_number if table.has_begun else 0
        if played != match or (known and known.version > seen):
            raise Conflict(MOVED_ON)
        people = sum(seat.player_id is not None for seat in table.seats)
        if setup.seats < people:
            raise Refused("SEATS_TAKEN", "There cannot be fewer seats than people: %(count)s sit here.", count=people)
        if row.host_id != player_id:
            held = setup_of(row)
            kept = {name: getattr(held, name) for name in marked(TableSetup, "host")}
            setup = replace(setup, table=replace(setup.table, **kept))
        columns = setup.columns(GAMES[row.game])
        before = set_up(row, seats_wanted(row, now))
        if changed := {name: value for name, value in columns.items() if getattr(row, name) != value}:
            table.set(**changed)
        if row.status == GATHERING:
            resize(table, setup.seats)
        note_change(table, before, setup.seats)


def setup_at(context: AppContext, connection: Connection, slug: str) -> dict[str, Any]:
    """How a table is set up for its coming match: the number of seats, its options and settings as they are kept,
    and the number of the last `match`. Raises NotFound."""
    table = load_snapshot(context, connection, slug)
    match = table.round.match_number if table.round else 0
    return {
        **table.row.settings,
        "options": table.row.options,
        "seats": seats_wanted(table.row, len(table.seats)),
        "match": match,
    }
