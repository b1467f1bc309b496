"""Moves at a table: the one write path from a click, a bot or a clock to the log."""

from contextlib import suppress
from typing import Any

from app.services.context import AppContext
from app.services.errors import Conflict, NotFound, Refused
from app.services.quarantine import quarantine_on_error
from app.services.table import clocks, dealing, thoughts
from app.services.table.held_table import PLAYING, SCORES, HeldTable
from app.services.table.open_table import MOVED_ON, open_table
from app.services.table.settle import deal_next_round
from app.storage import models
from app.storage.counts import counts
from app.storage.writer import Transaction
from snug.engine import match as matches
from snug.engine.game import InvalidMove, Move, RefusedMove, read_move


def play(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, raw: dict[str, Any], seen: int
) -> bool:
    """Plays the move `{"move": verb, …}` made on a page of version `seen`; False if it had been played before (the
    same click sent twice). Who plays is back, if a bot stood in. Raises NotFound, Forbidden, Conflict and Refused, and
    then nothing is changed."""
    with open_table(context, transaction, slug, by=player_id, seated=True, only_plays=True) as table:
        live = table.round
        try:
            move = read_move(live.match.game, raw, strict=False)
        except InvalidMove as error:
            raise Refused(error.code, error.sentence) from error
        if _answered_before(table, move, seen):
            return False
        if table.row.status != PLAYING:
            raise Conflict(MOVED_ON)
        table.apply(table.me.number, move, seen)
        table.is_back(table.me)
    return True


def _answered_before(table: HeldTable, move: Move, seen: int) -> bool:
    """Whether this very move was already made on this page. A seat that moved since, or in a later round than the
    page shows, gets a Conflict: its click answered a question that no longer stands. So does a page drawn before
    something was taken back, and a page yet to come."""
    live, seat = table.round, table.me.number
    if live.taken_back_at > seen:
        raise Conflict(MOVED_ON)
    later = None
    for made in reversed(live.made):
        if made.version <= seen:
            break
        later = made if made.seat == seat else later
    if later is not None and later.seen == seen and later.move == move:
        return True
    if later is not None or not live.began <= seen <= table.row.version:
        raise Conflict(MOVED_ON)
    return False


def say_why_not(context: AppContext, transaction: Transaction, slug: str, player_id: int, raw: dict[str, Any]) -> None:
    """Says why a move may not be made that the page holds for wrong, and never makes it. Raises what `play` would: the
    rule's refusal; a Conflict where the rules allow it, for then the table has moved on since the page was drawn."""
    with open_table(context, transaction, slug, by=player_id, seated=True, only_plays=True) as table:
        live = table.round
        if table.row.status == PLAYING:
            table.refuse_if_paused()
            try:
                matches.play(live.match, table.me.number, read_move(live.match.game, raw, strict=False))
            except RefusedMove as error:
                raise Refused(error.code, error.sentence) from error
        raise Conflict(MOVED_ON)


def set_ready(context: AppContext, transaction: Transaction, slug: str, player_id: int, cut: str = "") -> None:
    """A player has seen the scores, is back if a bot stood in, and may `cut` the deck. When everybody has, the next
    round is dealt; the first starts a countdown."""
    with open_table(context, transaction, slug, by=player_id, only_plays=True) as table:
        if table.row.status != SCORES:
            return
        table.refuse_if_paused()
        dealing.cut(table, table.me, cut)
        table.change_seat(table.me, stand_in=None, ready=True)
        table.goes_on = True


def hurry(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """Bots that think for show move at once, unless a person may still act before them; else nothing is done. Raises
    Forbidden for who has no seat."""
    with open_table(context, transaction, slug, by=player_id, seated=True, only_plays=True) as table:
        if table.row.status != PLAYING or table.row.paused_at:
            return
        to_act, now = table.round.match.to_act, context.room_time()
        seats = [seat for seat in table.seats if seat.number in to_act]
        if all(clocks.plays_itself(seat) for seat in seats) and any((seat.due_at or now) > now for seat in seats):
            for seat in seats:
                table.change_seat(seat, quietly=True, due_at=now)
            table.set(quietly=True, due_at=now)
            transaction.after_commit(context.pubsub.tell_due)


def run_due(context: AppContext, transaction: Transaction, which: str | int) -> None:
    """What is due at a table now: a bot's move, also one that was due and is thought out by now, a clock that has run
    out, or the end of the countdown. Nothing if it is not due after all, so that several schedulers may call it at
    once."""
    with (
        suppress(NotFound),
        quarantine_on_error(which, unasked=True),
        open_table(context, transaction, which, only_plays=True) as table,
    ):
        if table.row.due_at is None:
            return
        if table.row.due_at > context.room_time():
            if seat := thoughts.has_waited(table):
                _act_for(table, seat)
            return
        late = context.room_time() - table.row.due_at
        transaction.after_commit(lambda: counts.attended(late))
        if table.row.status == SCORES:
            deal_next_round(table)
        elif table.row.status == PLAYING:
            _act_for_a_seat(table)
        else:
            table.set(due_at=None, quietly=True)


def _act_for_a_seat(table: HeldTable) -> None:
    """A bot's move, or what the table does when a player's time is up. Where nothing is due for any seat, table hours
    have begun or ended, and every page is to show it."""
    match, context = table.round.match, table.context
    seat = clocks.due_seat(table.row, table.seats, match.to_act, context.room_time())
    if seat is None:
        table.restart_clock()
    else:
        _act_for(table, seat)


def _act_for(table: HeldTable, seat: models.Seat) -> None:
    match = table.round.match
    if level := clocks.plays_itself(seat):
        if move := thoughts.move_of(table, seat, level):
            table.apply(seat.number, move)
    elif clocks.clock_of(table.row).at_zero == clocks.MOVE:
        table.apply(seat.number, match.game.view(match.round, seat.number).neutral)
    else:
        table.change_seat(seat, stand_in=clocks.MISSING if seat.seen_at is None else clocks.AWAY)
        table.restart_clock(seat.number)
