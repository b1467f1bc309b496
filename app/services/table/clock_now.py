"""What there is to say of the time at a table: whose clock counts, and whether it stands."""

import math

import msgspec

from app.services.context import AppContext
from app.services.table.clocks import MOST_REQUESTS, ClockRules, clock_in, moment_of, plays_itself
from app.services.table.held_table import pauser_of
from app.services.table.hours import is_open
from app.services.table.open_table import PLAYING, SCORES
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import Viewer, settings_at


class ClockNow(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks for one pair of eyes, by these `rules`: the seconds that are `left` of the others' for whom one
    counts, by seat, and of `mine`. `is_told` says whether there is anything to say: a pause, a clock, somebody who is
    away. Clocks stand while `paused_by` is somebody's name, or outside table hours. `asked` is how often this person
    has asked for more time in this round, `wait` the number of seconds to the next round, if a countdown runs."""

    rules: ClockRules = ClockRules()
    is_told: bool = False
    left: dict[int, int] = {}
    mine: int | None = None
    stands: bool = False
    paused_by: str | None = None
    asked: int = 0
    wait: int | None = None

    @property
    def requests_left(self) -> int:
        """How often this person may still ask for more time in this round."""
        return MOST_REQUESTS - self.asked


def clock_at(context: AppContext, snapshot: TableSnapshot, viewer: Viewer) -> ClockNow:
    """The clocks now; none counts for who does not see the board."""
    row, mine = snapshot.row, snapshot.seat(viewer.seat)
    rules = clock_in(snapshot.once(settings_at))
    hours, now = rules.hours, moment_of(context, row.paused_at)
    counts = row.stage == PLAYING and viewer.may_see
    left = {
        seat.number: math.ceil(now.running(hours, seat.due_at))
        for seat in snapshot.seats
        if counts and seat.due_at and not plays_itself(seat)
    }
    return ClockNow(
        rules=rules,
        is_told=bool(left or row.paused_by) or any(seat.stand_in for seat in snapshot.seats),
        mine=left.pop(viewer.seat, None) if viewer.seat else None,
        left=left,
        stands=bool(row.paused_at) or not is_open(hours, now.wall),
        paused_by=pauser_of(row),
        asked=mine.asked if mine else 0,
        wait=max(0, round(row.due_at - now.room)) if row.stage == SCORES and row.due_at else None,
    )
