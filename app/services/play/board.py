"""What a round shows to one pair of eyes."""

from collections.abc import Sequence
from typing import Any

import msgspec

from app.services.play.score_sheet import Sheet, sheet_of
from app.services.quarantine import quarantine_on_error
from app.services.table.rounds import Log
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import Viewer, live_at
from snug.engine.game import Event, View
from snug.engine.match import Match


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A round as one person sees it: the `view` (None where there is none to see), and the `log`, one tuple of events a
    move, of which this person made `last_move` (0: none). `orders` are the standing orders of their seat, `hand_order`
    is how its hand lies."""

    round_id: int | None = None
    view: View | None = None
    log: Log = ()
    last_move: int = 0
    sheet: Sheet | None = None
    orders: dict[str, Any] | None = None
    hand_order: dict[str, Any] | None = None

    @property
    def befell(self) -> tuple[Event, ...]:
        """What befell this person since their last move, in order."""
        seat = self.view.seat if self.view else None
        return tuple(one for events in self.log[self.last_move :] for one in events if seat and one.befalls(seat))

    @property
    def order_number(self) -> int:
        """Which of the orders of this hand that is (0: the game's own)."""
        number: int = (self.hand_order or {}).get("number", 0)
        return number


def board_at(snapshot: TableSnapshot, viewer: Viewer) -> Board:
    """The board of a table, if there is one and this person may see it."""
    live = live_at(snapshot)
    if live is None or not viewer.may_see:
        return Board()
    return snapshot.once(seen_from, viewer.seat, viewer.viewpoint(live.round_id))


def seen_from(snapshot: TableSnapshot, seat: int | None, eyes: int | None) -> Board:
    """What whoever sits there sees through these eyes."""
    live, mine = live_at(snapshot), snapshot.seat(seat)
    assert live
    with quarantine_on_error(snapshot.row.slug):
        view, log = live.match.game.view(live.match.round, eyes), live.log_for(eyes)
    return Board(
        round_id=live.round_id,
        view=still(view) if snapshot.row.paused_by else view,
        log=log,
        last_move=live.last_by(seat),
        sheet=sheet_of(live.match, snapshot.names, seat),
        orders=mine.orders if mine else None,
        hand_order=mine.hand_order if mine else None,
    )


def board_of(match: Match, names: Sequence[str], seat: int | None, log: Log) -> Board:
    """That of a match which is looked at from a seat, with the log as it was seen from there, move by move."""
    view = match.game.view(match.round, seat)
    return Board(view=view, log=log, last_move=len(log), sheet=sheet_of(match, names, seat))


def still(view: View) -> View:
    """What is seen where nobody may do anything."""
    return msgspec.structs.replace(view, to_act=(), legal=())
