"""Absent players: stepping away and coming back, more time, what hosts do by hand."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.seats.seat_loss import REPLACED, record_loss
from app.services.seats.seats import bot_for
from app.services.table import clocks
from app.services.table.activity import add_activity
from app.services.table.held_table import PLAYING, SCORES, HeldTable
from app.services.table.open_table import CLOSED, IN_PLAY, MOVED_ON, open_table, refuse_unless_host
from app.storage import models
from app.storage.writer import Transaction
from snug.games import GAMES


def _seat(table: HeldTable, number: int) -> models.Seat:
    seat = table.seat(number)
    if seat.player_id is None:
        raise Refused("NOT_A_PLAYER", "A bot has that seat anyway.")
    return seat


def step_away(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """A bot plays on for a seat until its player is back. Players do so for themselves, hosts for anybody."""
    with open_table(context, transaction, slug, by=player_id, status=IN_PLAY) as table:
        seat = _seat(table, number)
        refuse_unless_host(table, owner=seat.player_id)
        if not seat.stand_in:
            if seat.player_id == player_id:
                add_activity(table, player_id, "away")
            else:
                add_activity(table, player_id, "sent_away", seat)
            table.change_seat(seat, stand_in=clocks.AWAY, ready=True)
            table.restart_clock(number)


def come_back(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The player plays again: by his word, or a host's. Raises Conflict while the cards are closed to him."""
    with open_table(context, transaction, slug, by=player_id) as table:
        seat = _seat(table, number)
        refuse_unless_host(table, owner=seat.player_id)
        if table.is_closed_to(seat):
            raise Conflict(CLOSED)
        if seat.stand_in:
            if seat.player_id == player_id:
                add_activity(table, player_id, "back")
            table.change_seat(seat, stand_in=None, ready=seat.ready and table.row.status != SCORES)
            table.restart_clock(number)


def more_time(context: AppContext, transaction: Transaction, slug: str, player_id: int, asked: int) -> None:
    """Adds to the clock of the player's seat, a few times a round. `asked` is how often the page says he has asked:
    the same click sent twice adds once."""
    with open_table(context, transaction, slug, by=player_id, seated=True, paused=False) as table:
        seat, rules = table.me, clocks.clock_of(table.row)
        if table.row.status != PLAYING or seat.due_at is None or seat.stand_in or not rules.runs:
            raise Conflict("Your clock is not running.")
        if asked != seat.asked:
            return
        if seat.asked >= clocks.MOST_REQUESTS:
            raise Refused(
                "NO_MORE_TIME",
                "More time can be had %(most)s times a %(round)s, and you have.",
                most=clocks.MOST_REQUESTS,
                round=GAMES[table.row.game].round_word,
            )
        due_at = clocks.moment_of(context, max(seat.due_at, context.room_time())).run_out(rules.hours, rules.more)
        table.change_seat(seat, due_at=due_at, asked=seat.asked + 1)
        table.restart_clock()


def skip(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, seen: int) -> None:
    """A host has a player's neutral move played at once. Raises Conflict if the player has moved since `seen`."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=PLAYING, paused=False) as table:
        seat, live = _seat(table, number), table.round
        moved = select(models.Move.number).where(
            models.Move.round_id == live.round_id, models.Move.seat == number, models.Move.version > seen
        )
        if not live.began <= seen <= table.row.version or table.connection.execute(moved).first():
            raise Conflict(MOVED_ON)
        if number not in live.match.game.view(live.match.round, None).awaited:
            raise Refused("NOT_THEIR_TURN", "It is not %(name)s’s turn.", name=seat.name)
        add_activity(table, player_id, "moved_for", seat)
        table.apply(number, live.match.game.view(live.match.round, number).neutral)


def replace(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, level: str) -> None:
    """A host gives a player's seat to a bot for good; the player's seat link dies with it. Nobody replaces the host."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=IN_PLAY) as table:
        seat = _seat(table, number)
        if seat.player_id == table.row.host_id:
            raise Refused("IS_HOST", "The host cannot be replaced: somebody else must be the host first.")
        bot = bot_for(table, level)
        record_loss(table, seat, REPLACED)
        add_activity(table, player_id, "replaced", seat)
        leave_to_bot(table, seat, bot)


def leave_to_bot(table: HeldTable, seat: models.Seat, bot: Mapping[str, str]) -> None:
    """Gives a player's seat to a bot for good, whose level is `bot` and which has a `name`."""
    gone: dict[str, Any] = {"player_id": None, "link_hash": None, "cohost": False, "here": False, "closed_to": None}
    gone |= {"orders": None, "hand_order": None, "hints": None}
    plays = {**bot, "stand_in": None, "ready": True}
    table.change_seat(seat, **gone | plays, seated_at=table.context.now())
    table.restart_clock(seat.number)
