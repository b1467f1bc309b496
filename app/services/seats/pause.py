"""Standing still: clocks are put off, and given back what a pause took."""

from sqlalchemy import update

from app.services.context import AppContext
from app.services.play.play import go_on, settle
from app.services.seats.away import _live, _name, _refuse_unless_playing
from app.services.table import clocks
from app.services.table.activity import add_activity
from app.services.table.clocks import ClockRules
from app.services.table.hours import run_out, running
from app.services.table.open_table import PLAYING, lock_table
from app.services.table.permissions import hosting
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction


def pause(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """A host stops the game: nobody moves, no bot plays, every clock stands."""
    table = hosting(transaction, slug, player_id)
    _refuse_unless_playing(table)
    if table.paused_at:
        return
    name = _name(transaction, table, player_id)
    add_activity(context, transaction, table, player_id, "paused the game")
    stopped = {"paused_at": context.now(), "paused_by": name, "pauser_id": player_id, "due_at": None}
    context.touch(transaction, table.id, table.slug, table.version + 1, **stopped)


def resume(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """A host lets the game go on; clocks go on where they stood."""
    table = hosting(transaction, slug, player_id)
    if not table.paused_at:
        return
    add_activity(context, transaction, table, player_id, "let the game go on")
    going = {"paused_at": None, "paused_by": None, "pauser_id": None}
    transaction.connection.execute(update(models.Table).where(models.Table.id == table.id).values(**going))
    going_on = lock_table(transaction, slug)
    if table.stage == PLAYING:
        put_off(context, transaction, table, table.paused_at)
        live = _live(context, transaction, table)
        settle(context, transaction, going_on, live)
    else:
        go_on(context, transaction, going_on)


def put_off(
    context: AppContext, transaction: Transaction, table: AnyRow, stopped_at: float, grace: float = 0.0
) -> None:
    """Gives every clock of a table the time back that passed since `stopped_at`, and players a little `grace`."""
    hours = clocks.clock_of(table).hours
    for seat in clocks.seats_of(transaction, table):
        if seat.due_at is not None:
            bound, late = (None, 0.0) if clocks.plays_itself(seat) else (hours, grace)
            left = running(bound, stopped_at, seat.due_at)
            clocks.set_due(transaction, seat, run_out(bound, context.now() + late, left))


def set_clock(context: AppContext, transaction: Transaction, slug: str, player_id: int, rules: ClockRules) -> None:
    """A host sets the table's clock, at any stage. Clocks that run begin anew with the time they have now."""
    table = hosting(transaction, slug, player_id)
    if rules == clocks.clock_of(table):
        return
    add_activity(context, transaction, table, player_id, "set the clock anew")
    transaction.connection.execute(update(models.Table).where(models.Table.id == table.id).values(**rules.columns))
    for seat in clocks.seats_of(transaction, table):
        if seat.due_at is not None and not clocks.plays_itself(seat):
            clocks.set_due(transaction, seat, None)
    table = lock_table(transaction, slug)
    if table.stage == PLAYING:
        live = _live(context, transaction, table)
        settle(context, transaction, table, live)
    else:
        context.touch(transaction, table.id, table.slug, table.version + 1)
