"""Moves at a table: the one write path from a click, a bot or the dealer to the log, and what follows from it."""

import secrets
from typing import Any

import msgspec
from sqlalchemy import func, insert, select, update

from app.engine import match as matches
from app.engine.chance import Chance
from app.engine.game import DEALER, IllegalMove, InvalidMove, Move, plain, read_move, read_options
from app.games import GAMES, bots
from app.services.context import AppContext, TableEvent
from app.services.errors import Conflict, Refused
from app.services.play import results
from app.services.seats.waiting_list import seat_waiting_guests
from app.services.table import clocks
from app.services.table.open_table import (
    FINISHED,
    MOVED_ON,
    PLAYING,
    SCORES,
    is_back,
    lock_table,
    refuse_if_paused,
    seat_of_player,
)
from app.services.table.rounds import CurrentRound, load_current
from app.services.table.settings import MOVES_STAND
from app.services.tournaments import tables as tournament_tables
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction

COUNTDOWN = 30.0


def play(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, raw: dict[str, Any], seen: int
) -> bool:
    """Plays the move `{"move": verb, …}` made on a page of version `seen`; False if it had been played before (the
    same click sent twice). Who plays is back, if a bot stood in. Raises NotFound, Forbidden, Conflict and Refused, and
    then nothing is changed."""
    table = lock_table(transaction, slug)
    seat = seat_of_player(transaction, table, player_id).number
    live = load_current(context.rounds, transaction.connection, table.id, table.game, table.version, committed=False)
    if live is None:
        raise Conflict("The game has not begun yet.")
    try:
        move = read_move(GAMES[table.game], raw, strict=False)
        if _answered_before(transaction, table, live, seat, move, seen):
            return False
        if table.stage != PLAYING:
            raise Conflict(MOVED_ON)
        live = _apply(context, transaction, table, live, seat, move, seen)
    except InvalidMove as error:
        raise Refused(error.sentence, error.code) from error
    except IllegalMove as error:
        raise Refused(error.sentence, error.code) from error
    is_back(transaction, table, seat)
    settle(context, transaction, table, live, moved=seat)
    return True


def _answered_before(
    transaction: Transaction, table: AnyRow, live: CurrentRound, seat: int, move: Move, seen: int
) -> bool:
    """Whether this very move was already made on this page. A seat that moved since, or in a later round than the
    page shows, gets a Conflict: its click answered a question that no longer stands. So does a page drawn before
    something was taken back, and a page yet to come."""
    taken_back = select(models.Takeback.version).where(
        models.Takeback.round_id == live.round_id, models.Takeback.version > seen
    )
    if transaction.connection.execute(taken_back).first():
        raise Conflict(MOVED_ON)
    later = transaction.connection.execute(
        select(models.Move.seen, models.Move.move)
        .where(models.Move.round_id == live.round_id, models.Move.seat == seat, models.Move.version > seen)
        .order_by(models.Move.number)
        .limit(1)
    ).first()
    if later is not None and later.seen == seen and later.move == plain(move):
        return True
    if later is not None or not live.began <= seen <= table.version:
        raise Conflict(MOVED_ON)
    return False


def _apply(
    context: AppContext,
    transaction: Transaction,
    table: AnyRow,
    live: CurrentRound,
    seat: int,
    move: Any,
    seen: int | None = None,
) -> CurrentRound:
    """Plays and stores one move; the version it makes is the table's next. Raises Conflict while the game is paused:
    whoever wants a move made, this is where all are."""
    refuse_if_paused(table)
    match, events = matches.play(live.match, seat, move)
    reveals = None  # where moves stand nobody will ask
    if table.undo != MOVES_STAND:
        reveals = matches.reveals(live.match, match, seat, move, events, chosen=seen is not None)
    transaction.connection.execute(
        insert(models.Move).values(
            round_id=live.round_id,
            number=live.moves + 1,
            seat=seat,
            move=plain(move),
            seen=seen,
            version=table.version + 1,
            made_at=context.now(),
            reveals=reveals,
        )
    )
    return msgspec.structs.replace(live, match=match, moves=live.moves + 1, log=(*live.log, events))


def settle(context: AppContext, transaction: Transaction, table: AnyRow, live: CurrentRound, moved: int = 0) -> None:
    """Everything that follows a move of seat `moved` without anybody's choice: the dealer's moves, moves the room
    makes for a seat or by its standing orders, the end of the round or the match, when a bot or a clock is due. Then
    the version goes up by one and the pages are woken. It is news for the seats to act that had not been told."""
    while True:
        if due := live.match.due:
            chance = tournament_tables.chance_at(transaction, table, live) or Chance(secrets.token_bytes(32))
            live = _apply(context, transaction, table, live, DEALER, due.outcome(chance))
        elif not live.match.round_over and (forced := live.match.game.automatic(live.match.round)):
            live = _apply(context, transaction, table, live, *forced)
        elif wanted := ordered(transaction, table, live):
            live = _apply(context, transaction, table, live, *wanted)
        else:
            break
    if not live.match.round_over:
        stage, due_at = PLAYING, clocks.schedule_turns(context, transaction, table, live, moved)
    else:
        stage, due_at = FINISHED if live.match.over else SCORES, None
        transaction.connection.execute(
            update(models.Round).where(models.Round.id == live.round_id).values(scores=list(live.match.rounds[-1]))
        )
        seats = models.Seat.table_id == table.id
        closed = models.Seat.closed_to == live.round_id
        transaction.connection.execute(update(models.Seat).where(seats, closed).values(stand_in=None))
        looks = models.Seat.bot.is_(None) & models.Seat.stand_in.is_(None)
        transaction.connection.execute(
            update(models.Seat).where(seats).values(ready=~looks, due_at=None, asked=0, orders=None)
        )
        people = select(models.Seat.id).where(seats, models.Seat.player_id.is_not(None))
        if stage == SCORES and transaction.connection.execute(people).first() is None:
            due_at = context.now() + COUNTDOWN  # nobody is there to say that they are ready
    version = table.version + 1
    context.touch(transaction, table.id, table.slug, version, stage=stage, due_at=due_at)
    _publish(context, transaction, table, live)
    told = msgspec.structs.replace(live, told=live.match.to_act)
    transaction.after_commit(lambda: context.rounds.keep(table.id, version, told))
    if stage == FINISHED:
        results.store_results(context, transaction, table, live)
        tournament_tables.note_result(context, transaction, table, live)


def _publish(context: AppContext, transaction: Transaction, table: AnyRow, live: CurrentRound) -> None:
    event, seats = "turn", tuple(seat for seat in live.match.to_act if seat not in live.told)
    if live.match.round_over:
        event, seats = "match_over" if live.match.over else "round_over", tuple(range(1, live.match.seats + 1))
    if seats:
        table_event = TableEvent(event, table.id, table.slug, live.round_id, live.moves, seats)
        transaction.after_commit(lambda: context.publish(table_event))


def ordered(transaction: Transaction, table: AnyRow, live: CurrentRound) -> tuple[int, Move] | None:
    """A seat that is to act and has standing orders for it, and the move that they make. They wait while the game is
    paused."""
    if table.paused_at:
        return None
    waiting = transaction.connection.execute(
        select(models.Seat.number, models.Seat.orders)
        .where(
            models.Seat.table_id == table.id,
            models.Seat.number.in_(live.match.to_act),
            models.Seat.orders.is_not(None),
        )
        .order_by(models.Seat.number)
    )
    for seat, orders in waiting:
        if move := live.match.game.view(live.match.round, seat).ordered(orders):
            return seat, move
    return None


def begin_match(
    context: AppContext,
    transaction: Transaction,
    table: AnyRow,
    names: list[str],
    host_seat: int,
    options: dict[str, Any],
) -> None:
    """Stores the next match of a table, deals its first round and lets the play begin."""
    connection = transaction.connection
    last = connection.execute(
        select(func.max(models.Match.number)).where(models.Match.table_id == table.id)
    ).scalar_one()
    number = (last or 0) + 1
    game = GAMES[table.game]
    match_id = connection.execute(
        insert(models.Match)
        .values(
            table_id=table.id,
            number=number,
            options=options,
            names=names,
            host_seat=host_seat,
            created_at=context.now(),
        )
        .returning(models.Match.id)
    ).scalar_one()
    results.store_sitters(transaction, table.id, match_id)
    match = matches.begin(game, read_options(game, len(names), options), len(names), host_seat)
    dealer = game.first_dealer(match.options, len(names), host_seat)
    round_id = _store_round(transaction, match_id, 1, dealer, table.version + 1)
    live = CurrentRound(match_id, number, round_id, table.version + 1, 0, match, (), host_seat, tuple(names))
    settle(context, transaction, table, live)


def _store_round(transaction: Transaction, match_id: int, number: int, dealer: int | None, version: int) -> int:
    values = {"match_id": match_id, "number": number, "dealer": dealer, "version": version}
    return int(
        transaction.connection.execute(insert(models.Round).values(**values).returning(models.Round.id)).scalar_one()
    )


def deal_next_round(context: AppContext, transaction: Transaction, table: AnyRow) -> None:
    """The round after a finished one; guests who have waited for it play along on the seats of bots."""
    seat_waiting_guests(context, transaction, table)
    live = load_current(context.rounds, transaction.connection, table.id, table.game, table.version, committed=False)
    assert live is not None
    dealer = live.match.game.next_dealer(live.match.round)
    match = matches.next_round(live.match)
    round_id = _store_round(transaction, live.match_id, match.number, dealer, table.version + 1)
    live = msgspec.structs.replace(live, round_id=round_id, began=table.version + 1, moves=0, match=match, log=())
    settle(context, transaction, table, live)


def set_ready(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """A player has seen the scores, and is back if a bot stood in. When everybody has, the next round is dealt; the
    first starts a countdown."""
    table = lock_table(transaction, slug)
    if table.stage != SCORES:
        return
    seat = seat_of_player(transaction, table, player_id)
    refuse_if_paused(table)
    is_back(transaction, table, seat.number)
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(ready=True))
    go_on(context, transaction, table)


def go_on(context: AppContext, transaction: Transaction, table: AnyRow) -> None:
    """After somebody's readiness changed between rounds: the next round, if nobody is waited for, else the countdown.
    A table whose players are all away waits for one of them; one without players waits for nobody."""
    seats = clocks.seats_of(transaction, table)
    people = [seat for seat in seats if seat.player_id]
    anybody = not people or any(seat.ready and not seat.stand_in for seat in people)
    if anybody and people and not table.paused_at and all(seat.ready for seat in seats):
        deal_next_round(context, transaction, table)
        return
    due_at = (table.due_at or context.now() + COUNTDOWN) if anybody and not table.paused_at else None
    context.touch(transaction, table.id, table.slug, table.version + 1, due_at=due_at)


def run_due(context: AppContext, transaction: Transaction, table_id: int) -> None:
    """What is due at a table now: a bot's move, a clock that has run out, or the end of the countdown. Nothing if it is
    not due after all, so that several schedulers may call it at once."""
    connection = transaction.connection
    table = connection.execute(select(models.Table).where(models.Table.id == table_id).with_for_update()).one_or_none()
    if table is None or table.due_at is None or table.due_at > context.now():
        return
    if table.stage == SCORES:
        deal_next_round(context, transaction, table)
    elif table.stage == PLAYING:
        _act_for_a_seat(context, transaction, table)
    else:
        connection.execute(update(models.Table).where(models.Table.id == table_id).values(due_at=None))


def _act_for_a_seat(context: AppContext, transaction: Transaction, table: AnyRow) -> None:
    """A bot's move, or what the table does when a player's time is up. Where nothing is due for any seat, table hours
    have begun or ended, and every page is to show it."""
    live = load_current(context.rounds, transaction.connection, table.id, table.game, table.version, committed=False)
    assert live is not None
    seat = clocks.due_seat(transaction, table, live.match.to_act, context.now())
    if seat is None:
        settle(context, transaction, table, live)
    elif level := clocks.plays_itself(seat):
        view = live.match.game.view(live.match.round, seat.number)
        move = bots.choose(table.game, level, view, secrets.SystemRandom())
        live = _apply(context, transaction, table, live, seat.number, move)
        settle(context, transaction, table, live, moved=seat.number)
    elif table.at_zero == clocks.MOVE:
        play_neutral(context, transaction, table, live, seat.number)
    else:
        stand_in = update(models.Seat).where(models.Seat.id == seat.id).values(stand_in=clocks.STAND_IN)
        transaction.connection.execute(stand_in)
        settle(context, transaction, table, live, moved=seat.number)


def play_neutral(context: AppContext, transaction: Transaction, table: AnyRow, live: CurrentRound, seat: int) -> None:
    """Plays the game's neutral move for a seat, as a move like any other."""
    move = live.match.game.view(live.match.round, seat).neutral
    settle(context, transaction, table, _apply(context, transaction, table, live, seat, move), moved=seat)
