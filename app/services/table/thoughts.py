"""How bots come to their moves. A sharp one thinks beside everything else, from the beginning of its turn; the move is
made when it is due, whatever there was to think about, so that nobody can tell that from how long it took."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Final

from app.services.context import AppContext
from app.services.search_pool import Moment, NoThought, TooMuch
from app.services.table import clocks
from app.services.table.held_table import PLAYING, HeldTable
from app.services.table.rounds import CurrentRound
from app.storage import models
from snug.bots import levels
from snug.bots.search import Thought
from snug.engine.game import Move, View
from snug.games import GAMES

_CLAIM: Final = 5.0  # seconds after which a table asks again what became of a thought: its process may have gone
_log = logging.getLogger(__name__)


def think_ahead(table: HeldTable) -> None:
    """The sharp bot that is due first begins to think. Where other processes look after the table as well, none does
    before it is due: which of them will be asked for the move nobody knows."""
    context, row = table.context, table.row
    if not (context.thinkers.think_apart and context.database.is_owned) or row.status != PLAYING or row.paused_at:
        return
    due = [(seat.due_at, seat.number) for seat in table.seats if seat.due_at and _thinks(table, seat)]
    if due:
        _, number = min(due)
        table.transaction.after_commit(partial(_begin_ahead, context, row.slug, row.game, table.round, number))


def has_waited(table: HeldTable) -> models.Seat | None:
    """The seat whose move was due, and is thought out now."""
    waited = table.context.thoughts.waited(table.row.slug)
    if waited is None or table.row.status != PLAYING or table.row.paused_at:
        return None
    moment, thought = waited
    seat = table.seat(moment[-1])
    return seat if thought.done() and moment == _moment(table.round, seat.number) and _thinks(table, seat) else None


def move_of(table: HeldTable, seat: models.Seat, level: str) -> Move | None:
    """The move of a bot that is due. None while it thinks: the table is looked after again as soon as it has, and
    meanwhile no other process thinks about it, nor any other bot there. Its seat stays due, whoever moves first."""
    context, live = table.context, table.round
    slug, game_key = table.row.slug, table.row.game
    if not (context.thinkers.think_apart and _thinks(table, seat)):
        return levels.choose(game_key, level, live.sight(seat.number), context.random)
    moment = _moment(live, seat.number)
    thought = context.thoughts.of(slug, moment)
    if thought is None or not thought.done():
        begin = partial(_begin, context, slug, game_key, moment, live.sight(seat.number))
        table.set(quietly=True, due_at=context.room_time() + _CLAIM)
        table.transaction.after_commit(partial(_wait_for, context, slug, moment, begin))
        return None
    try:
        return thought.result().best
    except NoThought as error:
        if not isinstance(error, TooMuch):
            _log.warning("table %d: seat %d moves without having thought: %s", table.row.id, seat.number, error)
        return levels.choose(game_key, levels.STEADY, live.sight(seat.number), context.random)


def _thinks(table: HeldTable, seat: models.Seat) -> bool:
    """Whether a bot plays the seat that thinks before it moves."""
    level = clocks.plays_itself(seat)
    return level == levels.SHARP and GAMES[table.row.game].has_imagination


def _moment(live: CurrentRound, seat: int) -> Moment:
    return live.round_id, live.moves, live.taken_back_at, seat


def _begin(context: AppContext, slug: str, game_key: str, moment: Moment, view: View) -> "Future[Thought]":
    thought = context.thinkers.submit(game_key, view, context.random.getrandbits(64))
    context.thoughts.keep(slug, moment, thought)
    return thought


def _begin_ahead(context: AppContext, slug: str, game_key: str, live: CurrentRound, seat: int) -> None:
    try:
        _begin(context, slug, game_key, _moment(live, seat), live.sight(seat))
    except Exception:  # what is wrong with the table is told when the move is due
        _log.exception("a bot could not begin to think")


def _wait_for(context: AppContext, slug: str, moment: Moment, begin: "Callable[[], Future[Thought]]") -> None:
    """Now that it is stored who thinks, and no other process does."""
    try:
        thought = context.thoughts.of(slug, moment) or begin()
    except Exception:  # the table asks again soon
        _log.exception("a bot could not begin to think")
        return
    context.thoughts.wait_for(slug, moment)

    def come_out(_thought: object) -> None:
        context.thoughts.come_out(slug)
        context.pubsub.tell_due()

    thought.add_done_callback(come_out)
