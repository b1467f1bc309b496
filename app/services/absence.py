"""Absent players and pauses: stepping away and coming back, more time, what hosts do by hand."""

from sqlalchemy import select, update

from app import models
from app.db import AnyRow
from app.rules import GAMES
from app.services import clocks
from app.services.clocks import ClockRules
from app.services.departures import REPLACED, bid_farewell
from app.services.errors import Conflict, NotFound, Refused
from app.services.hosts import hosting, refuse_unless_hosting
from app.services.hours import run_out, running
from app.services.house import House
from app.services.news import OTHER, note
from app.services.play import (
    CLOSED,
    MOVED_ON,
    PLAYING,
    SCORES,
    go_on,
    is_closed,
    lock_table,
    play_neutral,
    refuse_if_paused,
    seat_of_player,
    settle,
)
from app.services.replays import LiveRound, load_live
from app.services.tables import bot_name
from app.writer import Transaction


def _live(house: House, transaction: Transaction, table: AnyRow) -> LiveRound:
    live = load_live(house.replays, transaction.connection, table.id, table.game, table.version, committed=False)
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


def follow(house: House, transaction: Transaction, table: AnyRow, seat: int) -> None:
    """What follows when somebody else plays a seat from now on: its clock begins anew."""
    if table.stage == PLAYING:
        live = _live(house, transaction, table)
        settle(house, transaction, table, live, moved=seat)
    elif table.stage == SCORES:
        go_on(house, transaction, table)
    else:
        house.touch(transaction, table.id, table.slug, table.version + 1)


def step_away(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """A bot plays on for a seat until its player is back. Players do so for themselves, hosts for anybody."""
    table = lock_table(transaction, slug)
    seat = _seat(transaction, table, number)
    if seat.player_id != player_id:
        refuse_unless_hosting(transaction, table, player_id)
    _refuse_unless_playing(table)
    if not seat.stand_in:
        if seat.player_id == player_id:
            note(house, transaction, table, player_id, "stepped away: a bot plays on")
        else:
            note(house, transaction, table, player_id, f"let a bot play on for {OTHER}", seat)
        _change(transaction, seat, stand_in=clocks.STAND_IN, ready=True)
        follow(house, transaction, table, seat.number)


def come_back(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
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
            note(house, transaction, table, player_id, "came back")
        _change(transaction, seat, stand_in=None, ready=seat.ready and table.stage != SCORES)
        follow(house, transaction, table, seat.number)


def more_time(house: House, transaction: Transaction, slug: str, player_id: int, asked: int) -> None:
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
            f"More time can be had {clocks.MOST_REQUESTS} times a {GAMES[table.game].ROUND}, and you have.",
            "NO_MORE_TIME",
        )
    due_at = run_out(rules.hours, max(seat.due_at, house.now()), rules.more)
    _change(transaction, seat, due_at=due_at, asked=seat.asked + 1)
    live = _live(house, transaction, table)
    settle(house, transaction, table, live)


def skip(house: House, transaction: Transaction, slug: str, player_id: int, number: int, seen: int) -> None:
    """A host has the neutral move played for a player at once. Raises Conflict when the player has moved since the
    host's page of version `seen`."""
    table = hosting(transaction, slug, player_id)
    seat = _seat(transaction, table, number)
    refuse_if_paused(table)
    if table.stage != PLAYING:
        raise Conflict(MOVED_ON)
    live = _live(house, transaction, table)
    moved = select(models.Move.number).where(
        models.Move.round_id == live.round_id, models.Move.seat == number, models.Move.version > seen
    )
    if not live.began <= seen <= table.version or transaction.connection.execute(moved).first():
        raise Conflict(MOVED_ON)
    if number not in live.match.rules.view(live.match.round, None).awaited:
        raise Refused(f"It is not {seat.name}’s turn.", "NOT_THEIR_TURN")
    note(house, transaction, table, player_id, f"had the game’s harmless move played for {OTHER}", seat)
    play_neutral(house, transaction, table, live, number)


def replace(house: House, transaction: Transaction, slug: str, player_id: int, number: int, level: str) -> None:
    """A host gives a player's seat to a bot for good; the player's seat link dies with it. Nobody replaces the host."""
    table = hosting(transaction, slug, player_id)
    seat = _seat(transaction, table, number)
    _refuse_unless_playing(table)
    if seat.player_id == table.host_id:
        raise Refused("The host cannot be replaced: somebody else must be the host first.", "IS_HOST")
    name = bot_name(transaction, table, level)
    bid_farewell(transaction, table, seat, REPLACED)
    note(house, transaction, table, player_id, f"gave the seat of {OTHER} to a bot", seat)
    leave_to_bot(transaction, seat, level, name, house.now())
    follow(house, transaction, table, seat.number)


def leave_to_bot(transaction: Transaction, seat: AnyRow, level: str, name: str, now: float) -> None:
    """Gives a player's seat to a bot for good, `now`; what follows at the table is `follow`."""
    left = {"player_id": None, "link_hash": None, "stand_in": None, "cohost": False, "here": False, "orders": None}
    _change(transaction, seat, **left, closed_to=None, bot=level, name=name, ready=True, seated_at=now)


def pause(house: House, transaction: Transaction, slug: str, player_id: int) -> None:
    """A host stops the game: nobody moves, no bot plays, every clock stands."""
    table = hosting(transaction, slug, player_id)
    _refuse_unless_playing(table)
    if table.paused_at:
        return
    name = _name(transaction, table, player_id)
    note(house, transaction, table, player_id, "paused the game")
    stopped = {"paused_at": house.now(), "paused_by": name, "pauser_id": player_id, "due_at": None}
    house.touch(transaction, table.id, table.slug, table.version + 1, **stopped)


def resume(house: House, transaction: Transaction, slug: str, player_id: int) -> None:
    """A host lets the game go on; clocks go on where they stood."""
    table = hosting(transaction, slug, player_id)
    if not table.paused_at:
        return
    note(house, transaction, table, player_id, "let the game go on")
    going = {"paused_at": None, "paused_by": None, "pauser_id": None}
    transaction.connection.execute(update(models.Table).where(models.Table.id == table.id).values(**going))
    going_on = lock_table(transaction, slug)
    if table.stage == PLAYING:
        put_off(house, transaction, table, table.paused_at)
        live = _live(house, transaction, table)
        settle(house, transaction, going_on, live)
    else:
        go_on(house, transaction, going_on)


def put_off(house: House, transaction: Transaction, table: AnyRow, stopped_at: float, grace: float = 0.0) -> None:
    """Gives every clock of a table the time back that passed since `stopped_at`, and players a little `grace`."""
    hours = clocks.clock_of(table).hours
    for seat in clocks.seats_of(transaction, table):
        if seat.due_at is not None:
            bound, late = (None, 0.0) if clocks.plays_itself(seat) else (hours, grace)
            left = running(bound, stopped_at, seat.due_at)
            clocks.set_due(transaction, seat, run_out(bound, house.now() + late, left))


def set_clock(house: House, transaction: Transaction, slug: str, player_id: int, rules: ClockRules) -> None:
    """A host sets the table's clock, at any stage. Clocks that run begin anew with the time they have now."""
    table = hosting(transaction, slug, player_id)
    if rules == clocks.clock_of(table):
        return
    note(house, transaction, table, player_id, "set the clock anew")
    transaction.connection.execute(update(models.Table).where(models.Table.id == table.id).values(**rules.columns))
    for seat in clocks.seats_of(transaction, table):
        if seat.due_at is not None and not clocks.plays_itself(seat):
            clocks.set_due(transaction, seat, None)
    table = lock_table(transaction, slug)
    if table.stage == PLAYING:
        live = _live(house, transaction, table)
        settle(house, transaction, table, live)
    else:
        house.touch(transaction, table.id, table.slug, table.version + 1)
