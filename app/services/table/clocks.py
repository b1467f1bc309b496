"""Turn clocks: when the room acts for a seat that is to act, be it a bot's or a player's.

Each seat has a clock of its own. It starts when the game begins to wait for that seat, nobody else's move starts it
anew, and its own move ends it. Seats that are asked together so have the same time each.
"""

import math
from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from app.services.context import AppContext
from app.services.table.held_table import PLAYING, SCORES, pauser_of
from app.services.table.hours import DAY, Hours, RoomMoment, is_open
from app.services.table.rounds import CurrentRound
from app.services.table.settings import TableSetup, read_setup, setup_of
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import Viewer, settings_at
from app.storage import models
from snug.bots.levels import SHARP, STEADY
from snug.engine.game import DEALER

PACES = {"instant": (0.0, 0.0), "brisk": (0.5, 1.1), "relaxed": (1.2, 2.6)}
COUNTDOWN = 30.0  # seconds from the first who is ready to the next round
COURTESY = 2.5  # seconds that bots wait longer while anybody may speak up, so that people get a chance
OFF, RELAXED, BRISK, DAYS = "off", "relaxed", "brisk", "days"
BOT, MOVE, WAIT = "bot", "move", "wait"
STAND_IN = STEADY  # how a bot plays on for somebody,
AWAY, MISSING, LEFT = "away", "missing", "left"  # and why: only who is missing is back by being seen
MOST_REQUESTS = 3
_DAY = 60.0 * DAY
_TIMES = {RELAXED: (120.0, 60.0), BRISK: (30.0, 20.0), DAYS: (2 * _DAY, _DAY)}


def moment_of(context: AppContext, at: float | None = None) -> RoomMoment:
    """A moment in room time, or now."""
    room = context.room_time()
    at = room if at is None else at
    return RoomMoment(at, context.now() - room + at)


class ClockRules(msgspec.Struct, frozen=True):
    """A table's turn clock, what happens when it runs out, and the hours in which it runs (None: always)."""

    clock: str = OFF
    at_zero: str = BOT
    hours: Hours | None = None

    @property
    def runs(self) -> bool:
        """Whether there is a clock at all."""
        return self.clock != OFF

    @property
    def allowance(self) -> float:
        """Seconds for a move. With table hours a day is an evening."""
        return self._of_a_day(_TIMES[self.clock][0])

    @property
    def more(self) -> float:
        """Seconds that a request for more time adds."""
        return self._of_a_day(_TIMES[self.clock][1])

    def _of_a_day(self, seconds: float) -> float:
        return seconds * self.hours.minutes / DAY if self.hours and self.clock == DAYS else seconds


def clock_in(setup: TableSetup) -> ClockRules:
    """The clock of a table that is set up so."""
    return ClockRules(setup.clock, setup.at_zero, setup.hours)


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


def read_clock(given: Mapping[str, str]) -> ClockRules:
    """The clock from form texts: clock, at_zero, opens, closes, zone. Raises Refused."""
    return clock_in(read_setup(given, TableSetup))


def clock_of(table: models.Table) -> ClockRules:
    """The clock of a stored table."""
    return clock_in(setup_of(table))


def plays_itself(seat: models.Seat) -> str | None:
    """The level of the bot that plays this seat, or plays on for its absent player."""
    return seat.bot or (STAND_IN if seat.stand_in else None)


def clock_at(context: AppContext, snapshot: TableSnapshot, viewer: Viewer) -> ClockNow:
    """The clocks now; none counts for who does not see the board."""
    row, mine = snapshot.row, snapshot.seat(viewer.seat)
    rules, now = clock_in(snapshot.once(settings_at)), moment_of(context, row.paused_at)
    counts = row.status == PLAYING and viewer.may_see
    left = {
        seat.number: math.ceil(now.running(rules.hours, seat.due_at))
        for seat in snapshot.seats
        if counts and seat.due_at and not plays_itself(seat)
    }
    return ClockNow(
        rules=rules,
        is_told=bool(left or row.paused_by) or any(seat.stand_in for seat in snapshot.seats),
        mine=left.pop(viewer.seat, None) if viewer.seat else None,
        left=left,
        stands=bool(row.paused_at) or not is_open(rules.hours, now.wall),
        paused_by=pauser_of(row),
        asked=mine.asked if mine else 0,
        wait=max(0, round(row.due_at - now.room)) if row.status == SCORES and row.due_at else None,
    )


def turn_ends(
    table: models.Table, seat: models.Seat, live: CurrentRound, now: RoomMoment, running: float | None, chance: Random
) -> float | None:
    """When the room acts for a seat, None for never. A clock that is `running` goes on running while the game waits for
    the seat. `chance` is how long a bot thinks, beside what everybody sees."""
    match = live.match
    if seat.number not in match.to_act:
        return None
    awaited = match.game.view(match.round, None).awaited
    if level := plays_itself(seat):
        courtesy = COURTESY if len(match.to_act) > len(awaited) else 0.0
        moved = [made.seat for made in live.made if made.seat != DEALER]
        return running or now.room + courtesy + _thought(setup_of(table).bot_pace, level, moved, seat.number, chance)
    rules = clock_of(table)
    if not rules.runs or seat.number not in awaited:
        return None
    return running or now.run_out(rules.hours, rules.allowance)


def first_due(table: models.Table, seats: Sequence[models.Seat], now: RoomMoment) -> float | None:
    """When the scheduler is to look after a table with these seats (None: never, or not while the game is paused); also
    when table hours begin and end while a clock runs, because then it stops and starts."""
    if table.paused_at:
        return None
    rules = clock_of(table)
    moments = [seat.due_at for seat in seats if seat.due_at and (plays_itself(seat) or rules.at_zero != WAIT)]
    clocks = [seat for seat in seats if seat.due_at and seat.due_at > now.room and not plays_itself(seat)]
    if rules.hours and clocks:
        moments.append(now.next_change(rules.hours))
    return min(moments, default=None)


def due_seat(
    table: models.Table, seats: Sequence[models.Seat], to_act: Sequence[int], now: float
) -> models.Seat | None:
    """The seat for which the room is to act now, if there is one."""
    due = [
        (seat.due_at, seat.number, seat)
        for seat in seats
        if seat.number in to_act
        and seat.due_at is not None
        and seat.due_at <= now
        and (plays_itself(seat) or clock_of(table).at_zero != WAIT)
    ]
    return min(due)[2] if due else None


def _thought(pace: str, level: str, moved: Sequence[int], seat: int, chance: Random) -> float:
    """How long a bot thinks, never less than people need to follow. What it may do depends on cards that others do not
    see, and so it must not matter: whoever hesitates has a choice, whoever does not has none. It takes longest over its
    first move of a round, when everybody sorts his cards, is quick to go on with a turn, and a sharp one takes its
    time: that much everybody knows. The rest is chance."""
    low, high = PACES[pace]
    share = chance.randrange(1000) / 1000
    if moved and moved[-1] == seat:
        share *= 0.4
    elif seat not in moved:
        share = 0.4 + 0.6 * share
    if level == SHARP:
        share = 0.2 + 1.1 * share
    return low + (high - low) * share
