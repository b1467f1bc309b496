"""What an organiser does in the hall while a stage is played: people moved between tables, tables that play again."""

from typing import Final

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.tournaments.conditions import conditions_of
from app.services.tournaments.corrections import reason_given
from app.services.tournaments.entries import refuse_with_bots
from app.services.tournaments.field import named
from app.services.tournaments.log import HeldTournament, find, organised
from app.services.tournaments.table_setting import clear_tables, counts_already, let_finished_table_count, set_tables
from app.services.tournaments.tables import due_when_done, tables_of
from app.storage import models
from app.storage.writer import Transaction
from snug.tournament.events import Annulled, AnyLogEvent, Moved, Reinstated
from snug.tournament.state import Tournament

_LONGEST_NUMBER: Final = 3


def move(context: AppContext, transaction: Transaction, slug: str, player_id: int, who: int | str, to: str) -> None:
    """The organiser moves an entry, known by number or name, `to` another table of the stage, by its number, or to the
    place of whom it names, who comes in exchange. Tables on screens are dealt anew; not once a deal of them counts.
    Raises Forbidden and Refused."""
    held = _held(context, transaction, slug, player_id)
    number = who if isinstance(who, int) else named(held.now, who, reserves=False)
    if number is None:
        raise Refused("BAD_NAME", "Nobody of this name is in: write it as it stands on the list.")
    _change(held, _move_to(held.now, number, to), player_id)


def _move_to(tournament: Tournament, number: int, to: str) -> Moved:
    wanted = " ".join(to.split())
    if wanted.isdecimal() and len(wanted) <= _LONGEST_NUMBER:
        return Moved(number, table=int(wanted))
    swap = named(tournament, wanted, reserves=False)
    if swap is None:
        raise Refused("BAD_PLACE", "Write the number of a table, or the name of who comes in exchange.")
    return Moved(number, swap=swap)


def annul(context: AppContext, transaction: Transaction, slug: str, player_id: int, table: int, reason: str) -> None:
    """The organiser has a table play again: what was played counts for nothing. Raises Forbidden and Refused."""
    held = _held(context, transaction, slug, player_id)
    held.append(Annulled(table, reason_given(reason)), player_id)
    _set_anew(held, [table])


def reinstate(context: AppContext, transaction: Transaction, slug: str, player_id: int, table: int) -> None:
    """The result that was annulled counts after all. Raises Forbidden and Refused."""
    held = _held(context, transaction, slug, player_id)
    held.append(Reinstated(table), player_id)
    clear_tables(held, [table])
    let_finished_table_count(held, table)
    held.store(**due_when_done(context, held))


def _held(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> HeldTournament:
    """The tournament, its tables before it: whoever plays there holds them first."""
    tables = tables_of(find(transaction.connection, slug)).with_only_columns(models.Table.id)
    transaction.connection.execute(tables.with_for_update())
    return organised(context, transaction, slug, player_id)


def _change(held: HeldTournament, event: AnyLogEvent, player_id: int) -> None:
    before = held.now.stage
    held.append(event, player_id)
    stage = held.now.stages[-1]
    pairs = enumerate(zip(before.tables if before else (), stage.tables, strict=True), 1)
    changed = [number for number, (was, now) in pairs if was != now]
    if any(stage.tables[number - 1].on_paper for number in changed):
        refuse_with_bots(held)
    for number in changed:
        if counts_already(held, number):
            raise Refused("COUNTS", "A deal of table %(table)s counts already: who plays there stays.", table=number)
    _set_anew(held, changed)


def _set_anew(held: HeldTournament, numbers: list[int]) -> None:
    clear_tables(held, numbers)
    set_tables(held, numbers)
    grace = conditions_of(held.row).grace
    held.store(due_at=held.context.room_time() + 60.0 * grace if grace else None)
