"""How a table is kept, beside the rules of its game."""

import msgspec

from app.services.table.clocks import ClockRules, clock_of
from app.services.table.settings import FREE, MOVES_STAND
from app.services.table.snapshot import TableSnapshot

_NO_CLOCK = ClockRules()


class HowKept(msgspec.Struct, frozen=True):
    """What hosts have chosen beside the rules of the game. Where a tournament has its own word, that is told where it
    takes effect."""

    bot_pace: str = "relaxed"
    watchers: str = "open"
    talk: str = FREE
    watchers_talk: bool = False
    undo: str = MOVES_STAND
    hints: bool = False
    clock: ClockRules = _NO_CLOCK


def kept_at(snapshot: TableSnapshot) -> HowKept:
    """How this one is kept."""
    row = snapshot.row
    return HowKept(row.bot_pace, row.watchers, row.talk, row.watchers_talk, row.undo, row.hints, clock_of(row))
