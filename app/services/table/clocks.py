"""Turn clocks: when the room acts for a seat that is to act, be it a bot's or a player's.

Each seat has a clock of its own. It starts when the game begins to wait for that seat, nobody else's move starts it
anew, and its own move ends it. Seats that are asked together so have the same time each.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import select, update

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.table.hours import DAY, Hours, next_change, read_hours, run_out
from app.services.table.rounds import CurrentRound
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction

PACES = {"instant": (0.0, 0.0), "brisk": (0.5, 1.1), "relaxed": (1.2, 2.6)}
COURTESY = 2.5  # seconds that bots wait longer while anybody may speak up, so that people get a chance
OFF, RELAXED, BRISK, DAYS = "off", "relaxed", "brisk", "days"
BOT, MOVE, WAIT = "bot", "move", "wait"
CLOCKS = (OFF, RELAXED, BRISK, DAYS)
AT_ZERO = (BOT, MOVE, WAIT)
STAND_IN = "good"
MOST_REQUESTS = 3
_DAY = 60.0 * DAY
_TIMES = {RELAXED: (120.0, 60.0), BRISK: (30.0, 20.0), DAYS: (2 * _DAY, _DAY)}


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

    @property
    def columns(self) -> dict[str, object]:
        """As the table's row keeps them."""
        hours = msgspec.to_builtins(self.hours) if self.hours else None
        return {"clock": self.clock, "at_zero": self.at_zero, "hours": hours}


def read_clock(given: Mapping[str, str]) -> ClockRules:
    """The clock from form texts: clock, at_zero, opens, closes, zone. Raises Refused."""
    rules = ClockRules(given["clock"], given["at_zero"])
    if rules.clock not in CLOCKS:
        raise Refused("The turn clock is one of: " + ", ".join(CLOCKS) + ".", "BAD_CLOCK")
    if rules.at_zero not in AT_ZERO:
        raise Refused("When time is up, one of these happens: " + ", ".join(AT_ZERO) + ".", "BAD_CLOCK")
    return msgspec.structs.replace(rules, hours=read_hours(given["opens"], given["closes"], given["zone"]))


def clock_of(table: AnyRow) -> ClockRules:
    """The clock of a stored table."""
    return clock_of_columns({"clock": table.clock, "at_zero": table.at_zero, "hours": table.hours})


def clock_of_columns(columns: Mapping[str, Any]) -> ClockRules:
    """The clock as `ClockRules.columns` gave it."""
    hours = columns["hours"]
    return ClockRules(columns["clock"], columns["at_zero"], Hours(**hours) if hours else None)


def seats_of(transaction: Transaction, table: AnyRow) -> Sequence[AnyRow]:
    """The seats of a table in order."""
    return transaction.connection.execute(
        select(models.Seat).where(models.Seat.table_id == table.id).order_by(models.Seat.number)
    ).all()


def plays_itself(seat: AnyRow) -> str | None:
    """The level of the bot that plays this seat, or plays on for its absent player."""
    level: str | None = seat.bot or seat.stand_in
    return level


def schedule_turns(
    context: AppContext, transaction: Transaction, table: AnyRow, live: CurrentRound, moved: int = 0
) -> float | None:
    """Sets when the room acts for each seat, after a move of seat `moved`, and gives when it does so first (None:
    never, or not while the game is paused). Clocks that run already go on running."""
    now = table.paused_at or context.now()
    rules = clock_of(table)
    view = live.match.game.view(live.match.round, None)
    to_act = live.match.to_act
    dues: list[tuple[AnyRow, float | None]] = []
    for seat in seats_of(transaction, table):
        due_at = seat.due_at if seat.number != moved else None
        if seat.number not in to_act:
            due_at = None
        elif plays_itself(seat):
            due_at = due_at or now + _thought(table.bot_pace) + COURTESY * (len(to_act) > len(view.awaited))
        elif not rules.runs or seat.number not in view.awaited:
            due_at = None
        else:
            due_at = due_at or run_out(rules.hours, now, rules.allowance)
        if due_at != seat.due_at:
            set_due(transaction, seat, due_at)
        dues.append((seat, due_at))
    return first_due(table, dues, now)


def set_due(transaction: Transaction, seat: AnyRow, due_at: float | None) -> None:
    """Keeps when the room acts for a seat."""
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(due_at=due_at))


def first_due(table: AnyRow, dues: Sequence[tuple[AnyRow, float | None]], now: float) -> float | None:
    """When the scheduler is to look after a table whose seats are due then; also when table hours begin and end while
    a clock runs, because then it stops and starts."""
    if table.paused_at:
        return None
    rules = clock_of(table)
    moments = [due_at for seat, due_at in dues if due_at and (plays_itself(seat) or rules.at_zero != WAIT)]
    clocks = [due_at for seat, due_at in dues if due_at and due_at > now and not plays_itself(seat)]
    if rules.hours and clocks:
        moments.append(next_change(rules.hours, now))
    return min(moments, default=None)


def due_seat(transaction: Transaction, table: AnyRow, to_act: Sequence[int], now: float) -> AnyRow | None:
    """The seat for which the room is to act now, if there is one."""
    due = [
        seat
        for seat in seats_of(transaction, table)
        if seat.number in to_act
        and seat.due_at is not None
        and seat.due_at <= now
        and (plays_itself(seat) or table.at_zero != WAIT)
    ]
    return min(due, key=lambda seat: (seat.due_at, seat.number), default=None)


def _thought(pace: str) -> float:
    """How long a bot thinks."""
    low, high = PACES[pace]
    return low + (high - low) * secrets.randbelow(1000) / 1000
