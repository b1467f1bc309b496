"""Absent players and pauses: stepping away and coming back, more time, what hosts do by hand."""

from sqlalchemy import select, update

from app.games import GAMES
from app.services.context import AppContext
from app.services.errors import Conflict, NotFound, Refused
from app.services.play.play import go_on, play_neutral, settle
from app.services.seats.seat_loss import REPLACED, record_loss
from app.services.seats.seats import bot_name
from app.services.table import clocks
from app.services.table.activity import OTHER, add_activity
from app.services.table.hours import run_out
from app.services.table.open_table import (
    CLOSED,
    MOVED_ON,
    PLAYING,
    SCORES,
    is_closed,
    lock_table,
    refuse_if_paused,
    seat_of_player,
)
from app.services.table.permissions import hosting, refuse_unless_hosting
from app.services.table.rounds import CurrentRound, load_current
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction


def _live(context: AppContext, transaction: Transaction, table: AnyRow) -> CurrentRound:
    live = load_current(context.rounds, transaction.connection, table.id, table.game, table.version, committed=False)
    assert live is not None
    return live


def _refuse_unless_playing(table: AnyRow) -> None:
    if table.stage not in (PLAYING, SCORES):
        raise Conflict("This is for a game that is being played.")


def _seat(transaction: Transaction, table: AnyRow, number: int) -> AnyRow:
    seat = next((seat for seat in clocks.seats_of(transaction, table) if seat.number == number), None)
    if seat is None:
        raise NotFound("There is no such seat.")
    if seat.player_id is None:
        raise Refused("A bot has that seat anyway.", "NOT_A_PLAYER")
    return seat


def _name(transaction: Transaction, table: AnyRow, player_id: int) -> str:
    seats = clocks.seats_of(transaction, table)
    return next((seat.name for seat in seats if seat.player_id == player_id), "The host")


def _change(transaction: Transaction, seat: AnyRow, **values: object) -> None:
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(**values))


def follow(context: AppContext, transaction: Transaction, table: AnyRow, seat: int) -> None:
    """What follows when somebody else plays a seat from now on: its clock begins anew."""
    if table.stage == PLAYING:
        live = _live(context, transaction, table)
        settle(context, transaction, table, live, moved=seat)
    elif table.stage == SCORES:
        go_on(context, transaction, table)
    else:
        context.touch(transaction, table.id, table.slug, table.version + 1)


def step_away(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """A bot plays on for a seat until its player is back. Players do so for themselves, hosts for anybody."""
    table = lock_table(transaction, slug)
    seat = _seat(transaction, table, number)
    if seat.player_id != player_id:
        refuse_unless_hosting(transaction, table, player_id)
    _refuse_unless_playing(table)
    if not seat.stand_in:
        if seat.player_id == player_id:
            add_activity(context, transaction, table, player_id, "stepped away: a bot plays on")
        else:
            add_activity(context, transaction, table, player_id, f"let a bot play on for {OTHER}", seat)
        _change(transaction, seat, stand_in=clocks.STAND_IN, ready=True)
        follow(context, transaction, table, seat.number)


def come_back(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The player plays again: because he says so, or because a host gives him the seat back. Raises Conflict while the
    cards are closed to him."""
    table = lock_table(transaction, slug)
    seat = _seat(transaction, table, number)
    if seat.player_id != player_id:
        refuse_unless_hosting(transaction, table, player_id)
    if is_closed(transaction, table, seat):
        raise Conflict(CLOSED)
    if seat.stand_in:
        if seat.player_id == player_id:
            add_activity(context, transaction, table, player_id, "came back")
        _change(transaction, seat, stand_in=None, ready=seat.ready and table.stage != SCORES)
        follow(context, transaction, table, seat.number)


def more_time(context: AppContext, transaction: Transaction, slug: str, player_id: int, asked: int) -> None:
    """Adds to the clock of the player's seat, a few times a round. `asked` is how often the page says he has asked:
    the same click sent twice adds once."""
    table = lock_table(transaction, slug)
    seat = seat_of_player(transaction, table, player_id)
    rules = clocks.clock_of(table)
    refuse_if_paused(table)
    if table.stage != PLAYING or seat.due_at is None or seat.stand_in or not rules.runs:
        raise Conflict("Your clock is not running.")
    if asked != seat.asked:
        return
    if seat.asked >= clocks.MOST_REQUESTS:
        raise Refused(
            f"More time can be had {clocks.MOST_REQUESTS} times a {GAMES[table.game].round_word}, and you have.",
            "NO_MORE_TIME",
        )
    due_at = run_out(rules.hours, max(seat.due_at, context.now()), rules.more)
    _change(transaction, seat, due_at=due_at, asked=seat.asked + 1)
    live = _live(context, transaction, table)
    settle(context, transaction, table, live)


def skip(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, seen: int) -> None:
    """A host has the neutral move played for a player at once. Raises Conflict when the player has moved since the
    host's page of version `seen`."""
    table = hosting(transaction, slug, player_id)
    seat = _seat(transaction, table, number)
    refuse_if_paused(table)
    if table.stage != PLAYING:
        raise Conflict(MOVED_ON)
    live = _live(context, transaction, table)
    moved = select(models.Move.number).where(
        models.Move.round_id == live.round_id, models.Move.seat == number, models.Move.version > seen
    )
    if not live.began <= seen <= table.version or transaction.connection.execute(moved).first():
        raise Conflict(MOVED_ON)
    if number not in live.match.game.view(live.match.round, None).awaited:
        raise Refused(f"It is not {seat.name}’s turn.", "NOT_THEIR_TURN")
    add_activity(context, transaction, table, player_id, f"had the game’s harmless move played for {OTHER}", seat)
    play_neutral(context, transaction, table, live, number)


def replace(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, level: str) -> None:
    """A host gives a player's seat to a bot for good; the player's seat link dies with it. Nobody replaces the host."""
    table = hosting(transaction, slug, player_id)
    seat = _seat(transaction, table, number)
    _refuse_unless_playing(table)
    if seat.player_id == table.host_id:
        raise Refused("The host cannot be replaced: somebody else must be the host first.", "IS_HOST")
    name = bot_name(transaction, table, level)
    record_loss(transaction, table, seat, REPLACED)
    add_activity(context, transaction, table, player_id, f"gave the seat of {OTHER} to a bot", seat)
    leave_to_bot(transaction, seat, level, name, context.now())
    follow(context, transaction, table, seat.number)


def leave_to_bot(transaction: Transaction, seat: AnyRow, level: str, name: str, now: float) -> None:
    """Gives a player's seat to a bot for good, `now`; what follows at the table is `follow`."""
    left = {"player_id": None, "link_hash": None, "stand_in": None, "cohost": False, "here": False, "orders": None}
    _change(transaction, seat, **left, closed_to=None, bot=level, name=name, ready=True, seated_at=now)
