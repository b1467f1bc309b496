"""Standing still: clocks are put off, and given back what a pause took."""

import msgspec

from app.services.context import AppContext
from app.services.table import clocks
from app.services.table.activity import add_activity
from app.services.table.clocks import ClockRules
from app.services.table.held_table import A_HOST, PLAYING, HeldTable
from app.services.table.hours import RoomMoment
from app.services.table.open_table import IN_PLAY, open_table
from app.services.table.settings import changed
from app.storage.writer import Transaction


def pause(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """A host stops the game: nobody moves, no bot plays, every clock stands."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=IN_PLAY) as table:
        if table.row.paused_at:
            return
        seat = table.seat_of(player_id)
        add_activity(table, player_id, "paused")
        name = seat.name if seat else str(A_HOST)
        table.set(paused_at=context.room_time(), paused_by=name, pauser_id=player_id, due_at=None)


def resume(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """A host lets the game go on; clocks go on where they stood."""
    with open_table(context, transaction, slug, by=player_id, host=True) as table:
        stopped_at = table.row.paused_at
        if not stopped_at:
            return
        add_activity(table, player_id, "resumed")
        table.set(paused_at=None, paused_by=None, pauser_id=None)
        if table.row.status == PLAYING:
            put_off(table, clocks.moment_of(context, stopped_at))
        table.restart_clock()


def put_off(table: HeldTable, stopped_at: RoomMoment, grace: float = 0.0) -> None:
    """Gives every clock of a table the time back that passed since `stopped_at`, and players a little `grace`."""
    hours, now = clocks.clock_of(table.row).hours, clocks.moment_of(table.context)
    for seat in table.seats:
        if seat.due_at is not None:
            bound, late = (None, 0.0) if clocks.plays_itself(seat) else (hours, grace)
            left = stopped_at.running(bound, seat.due_at)
            table.change_seat(seat, due_at=now.later(late).run_out(bound, left))


def set_clock(context: AppContext, transaction: Transaction, slug: str, player_id: int, rules: ClockRules) -> None:
    """A host sets the table's clock, at any stage. Clocks that run begin anew with the time they have now."""
    with open_table(context, transaction, slug, by=player_id, host=True) as table:
        if rules == clocks.clock_of(table.row):
            return
        add_activity(table, player_id, "set_clock")
        table.set(**changed(table.row, **msgspec.to_builtins(rules)))
        if table.row.status == PLAYING:
            table.restart_clock(*(seat.number for seat in table.seats if not clocks.plays_itself(seat)))
