"""Everything that follows without anybody's choice: the dealer's moves, standing orders, the end of a round, clocks."""

from typing import Final

import msgspec
from sqlalchemy import bindparam, insert, update

from app.services.table import chain, clocks
from app.services.table.dealing import deal
from app.services.table.events import MatchFinished, RoundBegins, RoundFinished, TableIsSet, TurnBegins
from app.services.table.held_table import FINISHED, PLAYING, SCORES, HeldTable
from app.services.table.thoughts import think_ahead
from app.storage import models
from snug.engine import match as matches
from snug.engine.game import DEALER, Move

_ROUND: Final = insert(models.Round)
_SCORES: Final = update(models.Round).where(models.Round.id == bindparam("this_round"))


def follow(table: HeldTable) -> None:
    """What follows when a round has moved on, or somebody else plays a seat. It is news for the seats to act that had
    not been told."""
    if table.row.status == SCORES:
        _go_on(table)
    if table.row.status == PLAYING:
        _settle(table)


def _settle(table: HeldTable) -> None:
    _play_by_itself(table)
    live, stage = table.round, PLAYING
    if live.match.round_over:
        stage = FINISHED if live.match.over else SCORES
        _end_round(table, stage)
    else:
        _schedule_turns(table)
    table.set(status=stage)
    think_ahead(table)
    _tell(table)
    if stage == FINISHED:
        table.context.handlers.tell(MatchFinished(table))


def _play_by_itself(table: HeldTable) -> None:
    while True:
        match = table.round.match
        if due := match.due:
            table.play(DEALER, deal(table, due))
        elif not match.round_over and (forced := match.game.automatic(match.round)):
            table.play(*forced)
        elif wanted := ordered(table):
            table.play(*wanted)
        else:
            return


def ordered(table: HeldTable) -> tuple[int, Move] | None:
    """A seat that is to act and has standing orders for it, and the move that they make. They wait while the game is
    paused."""
    match = table.round.match
    if table.row.paused_at:
        return None
    for seat in table.seats:
        if seat.number in match.to_act and seat.orders is not None:
            move = match.game.view(match.round, seat.number).ordered(seat.orders)
            if move:
                return seat.number, move
    return None


def _schedule_turns(table: HeldTable) -> None:
    """When the room acts for each seat. Clocks that run already go on running, but of seats that moved."""
    row, context = table.row, table.context
    now = clocks.moment_of(context, row.paused_at)
    ends: dict[int, float | None] = {}
    for seat in table.seats:
        running = seat.due_at if seat.number not in table.moved else None
        ends[seat.number] = clocks.turn_ends(row, seat, table.round, now, running, context.random)
    table.set_clocks(ends)
    table.set(due_at=clocks.first_due(row, table.seats, now))


def _end_round(table: HeldTable, stage: str) -> None:
    live = table.round
    scores = list(live.match.rounds[-1])
    event = chain.of_scores(live.match_number, live.match.number, live.began, scores)
    values = {"this_round": live.round_id, "scores": scores, **table.link(chain.SCORES, event)}
    table.transaction.store(_SCORES, values)
    for seat in table.seats:
        stand_in = seat.stand_in if seat.closed_to != live.round_id else None
        looks = seat.bot is None and stand_in is None
        table.change_seat(seat, stand_in=stand_in, ready=not looks, due_at=None, asked=0, orders=None)
    nobody = stage == SCORES and not any(seat.player_id for seat in table.seats)  # who could say that they are ready
    table.set(due_at=table.context.room_time() + clocks.COUNTDOWN if nobody else None)


def _tell(table: HeldTable) -> None:
    tell, match = table.context.handlers.tell, table.round.match
    if match.round_over:
        tell(RoundFinished(table))
    elif table.calls_everybody:
        tell(TableIsSet(table, tuple(seat.number for seat in table.seats if seat.player_id)))
    else:
        tell(TurnBegins(table, tuple(seat for seat in match.to_act if seat not in table.told)))


def _go_on(table: HeldTable) -> None:
    """After somebody's readiness changed between rounds: the next round, if nobody is waited for, else the countdown.
    A table whose players are all away waits for one of them; one without players waits for nobody."""
    people = [seat for seat in table.seats if seat.player_id]
    anybody = not people or any(seat.ready and not seat.stand_in for seat in people)
    going = anybody and not table.row.paused_at
    if going and people and all(seat.ready for seat in table.seats):
        deal_next_round(table)
    else:
        countdown = table.row.due_at or table.context.room_time() + clocks.COUNTDOWN
        table.set(due_at=countdown if going else None)


def deal_next_round(table: HeldTable) -> None:
    """The round after a finished one begins; the cards are dealt when the table is left."""
    table.context.handlers.tell(RoundBegins(table))
    live = table.round
    match = matches.next_round(live.match)
    began = table.next_version
    dealer = live.match.game.next_dealer(live.match.round)
    round_id = store_round(table, live.match_id, match.number, dealer, live.round_id)
    table.put_round(
        msgspec.structs.replace(
            live,
            round_id=round_id,
            began=began,
            moves=0,
            match=match,
            log=(),
            made=(),
            taken_back_at=0,
            began_at=table.context.now(),
        )
    )


def store_round(table: HeldTable, match_id: int, number: int, dealer: int | None, before: int) -> int:
    """Stores that a round begins; gives its id. The ids of a table's rounds only rise: this one's is above that of the
    round `before` (0: none)."""
    values = {"match_id": match_id, "number": number, "dealer": dealer, "version": table.next_version}
    return table.transaction.store_new(_ROUND, values, before)
