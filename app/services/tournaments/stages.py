"""Tournaments: opening one, stages that start and close.

A tournament is the fold of its log; a table that ends writes its own line (`tables`). Whoever holds rows of tables
and of a tournament takes the tables' first.
"""

import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import insert, select

from app.services.context import AppContext
from app.services.errors import Conflict, Frozen, Refused
from app.services.fairness import deals
from app.services.idempotent import idempotent, is_done
from app.services.players.names import clean_title
from app.services.players.players import count_opened
from app.services.seats import create
from app.services.tournaments import log as tournament_log
from app.services.tournaments import no_shows
from app.services.tournaments.conditions import conditions_of, first_due, read_conditions
from app.services.tournaments.table_setting import set_tables
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.engine.fairness import STAGE, lot_seal
from snug.engine.game import BadSetup
from snug.tournament import state as tournament_state
from snug.tournament.checks import read_plan
from snug.tournament.events import LotSealed, StageClosed, StageSeated
from snug.tournament.plan import Plan
from snug.tournament.seating import seat_stage
from snug.tournament.stages import needs_lot
from snug.words import gettext

_USUAL: Final[Mapping[str, Any]] = {}
_TRIES = 3
_DEAL = 24  # bytes
_log = logging.getLogger(__name__)


class _ListChanged(Exception):
    """Somebody came or went while the seating was sought."""


def open_tournament(
    context: AppContext,
    transaction: Transaction,
    /,
    player_id: int,
    name: str,
    plan: Mapping[str, Any],
    given: Mapping[str, Any] = _USUAL,
) -> str:
    """Opens a tournament that nobody has entered yet, organised by the player; gives its slug. `plan` and the
    conditions `given` may be form texts. Where these start stages by time and do not say what begins the first one,
    that is awaited as long as the others. Raises Refused."""
    checked, called = checked_plan(plan), checked_name(name)
    conditions = read_conditions(given, checked.players, context.now())
    due_at = first_due(context, conditions)
    if conditions.starts == "time" and "first" not in given:
        due_at = context.room_time() + 60 * conditions.wait
    slug = secrets.token_urlsafe(16)
    tournament_id = transaction.connection.execute(
        insert(models.Tournament)
        .values(
            slug=slug,
            code=create.new_code(),
            name=called,
            organiser_id=player_id,
            plan=msgspec.to_builtins(checked),
            conditions=msgspec.to_builtins(conditions),
            seed=secrets.token_urlsafe(16),
            version=1,
            due_at=due_at,
            created_at=context.now(),
        )
        .returning(models.Tournament.id)
    ).scalar_one()
    seal_stages(context, transaction, tournament_id, checked)
    count_opened(context, transaction, player_id)
    return slug


def checked_plan(plan: Mapping[str, Any]) -> Plan:
    """The plan that form texts ask for. Raises Refused."""
    try:
        return read_plan(plan, strict=False)
    except BadSetup as error:
        raise Refused(error.code, error.sentence) from error


def checked_name(name: str) -> str:
    """What a tournament can be called. Raises Refused."""
    return clean_title(name, 60, gettext("Please give the tournament a name."))


def seal_stages(context: AppContext, transaction: Transaction, tournament_id: int, plan: Plan) -> None:
    """Where all tables of a stage get the same deal, every stage that is not sealed yet is."""
    for number in range(1, len(plan.stages) + 1 if plan.same_deal else 1):
        if deals.sealed_stage(transaction.connection, tournament_id, number) is None:
            _seal_stage(context, transaction, tournament_id, number, _new_deal())


def _new_deal() -> str:
    return secrets.token_urlsafe(_DEAL)


def _seal_stage(context: AppContext, transaction: Transaction, tournament_id: int, stage: int, deal: str) -> str:
    """Every table of the stage will be dealt from this; gives the commitment to it."""
    return deals.seal(context, transaction, deals.place_of_stage(tournament_id, stage), STAGE, deal.encode())


def start_stage(context: AppContext, slug: str, player_id: int | None, key: str | None = None) -> None:
    """The next stage begins, once for a `key`: everybody is seated, the tables are set and play. The seating is sought
    before anything is held, and sought again if the list has changed meanwhile. Raises Forbidden, Refused and
    Conflict."""
    for _ in range(_TRIES):
        with context.database.reading() as connection:
            if is_done(connection, player_id, key):
                return
            row = tournament_log.find(connection, slug)
            tournament = tournament_log.current(context, connection, row)
            if player_id is not None:
                tournament_log.check_organiser(connection, row, player_id)
            sealed = deals.sealed_stage(connection, row.id, len(tournament.stages) + 1)
        deal = (sealed.secret.decode() if sealed else _new_deal()) if tournament.plan.same_deal else ""
        try:
            seating = seat_stage(tournament, row.seed, deal)
        except tournament_state.EventRefused as refusal:
            raise Refused(refusal.code, refusal.sentence) from refusal
        if conditions_of(row).paper:
            seating = replace(seating, paper=tuple(range(1, len(seating.tables) + 1)))
        with suppress(_ListChanged):
            context.write(idempotent(_begin_stage, player_id, key), slug, player_id, seating, len(tournament.log))
            return
    raise Conflict("The list is changing just now. Please try again.")


def _begin_stage(
    context: AppContext, transaction: Transaction, slug: str, player_id: int | None, seating: StageSeated, lines: int
) -> None:
    """Raises _ListChanged if the log has moved on since the seating was sought."""
    held = tournament_log.HeldTournament(context, transaction, slug)
    if len(held.now.log) != lines:
        raise _ListChanged
    held.append(seating, player_id)
    row, stage = held.row, held.now.stages[-1]
    if needs_lot(held.now):
        lot = _new_deal()
        deals.seal(context, transaction, deals.place_of_stage(row.id, stage.number), deals.LOT, lot.encode())
        held.append(LotSealed(lot_seal(stage.number, lot)), player_id)
    conditions = conditions_of(row)
    held.store(due_at=context.room_time() + 60.0 * conditions.grace if conditions.grace else None)
    commitment = None
    if seating.deal:
        sealed = deals.sealed_stage(transaction.connection, row.id, stage.number)
        commitment = (
            sealed.commitment if sealed else _seal_stage(context, transaction, row.id, stage.number, seating.deal)
        )
    set_tables(held, range(1, len(stage.tables) + 1), commitment)


def close_stage(context: AppContext, transaction: Transaction, slug: str, player_id: int | None) -> None:
    """Every table is finished: the stage is scored, for good. By the organiser or the scheduler (None)."""
    held = tournament_log.HeldTournament(context, transaction, slug)
    if player_id is not None:
        tournament_log.check_organiser(transaction.connection, held.row, player_id)
    stage, lot = held.now.stage, None
    if stage and stage.lot_seal:
        lot = deals.sealed(transaction.connection, deals.place_of_stage(held.row.id, stage.number), deals.LOT)
    held.append(StageClosed(lot.secret.decode() if lot else ""), player_id)
    pause = conditions_of(held.row).pause
    held.store(due_at=None if pause is None or held.now.over else context.room_time() + pause)


def run_due(context: AppContext) -> None:
    """Closes and starts every stage that is due, bots for the missing. What cannot go on waits for its organiser."""
    with context.database.reading() as connection:
        now = context.room_time()
        rows = all_of(connection, select(models.Tournament).where(models.Tournament.due_at <= now).limit(20))
        due = [(row.slug, row.due_at) for row in rows]
    for slug, due_at in due:
        try:
            _run_stage(context, slug, due_at)
        except (Refused, Conflict, Frozen) as refusal:
            _log.info("tournament %s waits for its organiser: %s", slug[:4], refusal.sentence)
            context.write(_nothing_due, slug, due_at)


def _run_stage(context: AppContext, slug: str, due_at: float | None) -> None:
    with context.database.reading() as connection:
        row = tournament_log.find(connection, slug)
        tournament, conditions = tournament_log.current(context, connection, row), conditions_of(row)
    if tournament.stage and not tournament.stage.finished:
        no_shows.play_for_the_missing(context, row)
        context.write(_nothing_due, slug, due_at)
    elif tournament.stage and conditions.starts == "hand":
        context.write(_nothing_due, slug, due_at)
    elif tournament.stage:
        context.write(close_stage, slug, None)
    elif conditions.waits_for(tournament):  # somebody has left again
        context.write(_nothing_due, slug, due_at)
    else:
        start_stage(context, slug, None)


def _nothing_due(context: AppContext, transaction: Transaction, slug: str, due_at: float | None) -> None:
    """What was due then is not any more, unless something else is meanwhile."""
    row = tournament_log.find(transaction.connection, slug, lock=True)
    if row.due_at == due_at:
        tournament_log.changed(context, transaction, row, due_at=None)


def look_at_the_wall(context: AppContext, transaction: Transaction) -> None:
    """Tournaments that begin at a time of the day do so however long the room was down."""
    begun = select(models.TournamentTable.tournament_id)
    waiting = select(models.Tournament).where(models.Tournament.due_at.is_not(None), models.Tournament.id.not_in(begun))
    for row in all_of(transaction.connection, waiting.with_for_update()):
        if due_at := first_due(context, conditions_of(row)):
            tournament_log.changed(context, transaction, row, due_at=due_at)
