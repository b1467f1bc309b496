"""What one guest, one household and all together may take of the room. It is counted in the database, with what they
take: for all processes, and through restarts. Whoever is refused something has taken nothing."""

from typing import Final

from sqlalchemy import bindparam, delete, func, select, text

from app.services.context import AppContext
from app.services.errors import TooOften
from app.services.players.players import hash_of
from app.services.table.held_table import FINISHED
from app.storage import models
from app.storage.writer import Transaction
from snug.words import Message, gettext

_HOUR: Final = 3600
_RECOUNT: Final = 60.0  # seconds for which the number of open tables is good enough
_TAKE: Final = text(
    "INSERT INTO allowances (kind, who, hour, taken) VALUES (:kind, :who, :hour, :cost)"
    " ON CONFLICT (kind, who, hour) DO UPDATE SET taken = allowances.taken + :cost RETURNING taken"
)
_OPEN: Final = select(func.count()).select_from(models.Table).where(models.Table.status != FINISHED)
_OWN: Final = _OPEN.join(models.Seat, models.Seat.table_id == models.Table.id).where(
    models.Seat.player_id == bindparam("player_id"), models.Table.host_id == models.Seat.player_id
)
_ENOUGH = gettext("You have opened a good many just now. Play one of them first; in a while you can open more.")
_FROM_THERE = gettext("A good many were opened from your house just now. In a while you can open more.")
_STILL_OPEN = gettext("You have a good many tables that are not over yet. Finish some before you open more.")
_FULL = gettext("Every table of this room is taken just now. Please come back in a while.")
_REVIEWS = gettext("You have asked for a good many reviews just now. In a while you can ask for more.")
_HINTS = gettext("You have asked for a good many hints just now. Try without for a while.")
_BOTS = gettext("All the bots that could come now are here. In a while there will be more.")


def take_table(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """The guest opens a table. Raises TooOften. An empty `household` has no limit."""
    limits, connection = context.limits, transaction.connection
    at, number = context.open_tables
    if not 0 <= context.now() - at < _RECOUNT:
        context.open_tables = context.now(), connection.execute(_OPEN).scalar_one()
        number = context.open_tables[1]
    if number >= limits.open:
        raise TooOften(_FULL, wait=_RECOUNT)
    if connection.execute(_OWN, {"player_id": player_id}).scalar_one() >= limits.guest_open:
        raise TooOften(_STILL_OPEN, wait=_HOUR)
    most = limits.guest_tables, limits.tables
    _take(context, transaction, "table", player_id, household, most, (_ENOUGH, _FROM_THERE))


def take_tournament(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """The guest opens a tournament. Raises TooOften."""
    most = context.limits.guest_tournaments, context.limits.tournaments
    _take(context, transaction, "tournament", player_id, household, most, (_ENOUGH, _FROM_THERE))


def take_circle(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """The guest opens a circle. Raises TooOften."""
    most = context.limits.guest_circles, context.limits.circles
    _take(context, transaction, "circle", player_id, household, most, (_ENOUGH, _FROM_THERE))


def take_bots(context: AppContext, transaction: Transaction, player_id: int, household: str, count: int) -> None:
    """The guest has so many bots sign up for a tournament. Raises TooOften."""
    most = context.limits.guest_bots, context.limits.bots
    _take(context, transaction, "bot", player_id, household, most, (_BOTS, _BOTS), max(0, count))


def take_review(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """The guest has a match reviewed. Raises TooOften."""
    most = context.limits.guest_reviews, context.limits.reviews
    _take(context, transaction, "review", player_id, household, most, (_REVIEWS, _REVIEWS))


def take_hint(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """The guest asks for a hint. Raises TooOften."""
    most = context.limits.guest_hints, context.limits.hints
    _take(context, transaction, "hint", player_id, household, most, (_HINTS, _HINTS))


def _take(
    context: AppContext,
    transaction: Transaction,
    kind: str,
    player_id: int,
    household: str,
    most: tuple[int, int],
    sentences: tuple[Message, Message],
    cost: int = 1,
) -> None:
    now = context.now()
    taking = {"kind": kind, "hour": int(now // _HOUR), "cost": cost}
    for who, limit, sentence in zip(
        (f"guest {player_id}", hash_of(context, household) if household else ""), most, sentences, strict=True
    ):
        if who and transaction.connection.execute(_TAKE, {**taking, "who": who}).scalar_one() > limit:
            raise TooOften(sentence, wait=_HOUR - now % _HOUR)


def forget_allowances(context: AppContext, transaction: Transaction) -> None:
    """What was taken in hours that are over."""
    this_hour = int(context.now() // _HOUR)
    transaction.connection.execute(delete(models.Allowance).where(models.Allowance.hour < this_hour))
