"""What one guest, one household and all together may take of the room. It is counted in the database, with what they
take: for all processes, and through restarts. Whoever is refused something has taken nothing."""

from functools import partial
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, select, text

from app.services.context import AppContext
from app.services.errors import Forbidden, TooOften
from app.services.house import refuse_in_maintenance
from app.services.players.players import hash_of
from app.services.quarantine import ENDED
from app.services.table.held_table import FINISHED
from app.settings import KEEPER, KNOWN
from app.storage import models
from app.storage.writer import Transaction
from snug.words import Message, gettext

_HOUR: Final = 3600
_RECOUNT: Final = 60.0  # seconds for which the number of open tables is good enough
_TAKE: Final = text(
    "INSERT INTO allowances (kind, who, hour, taken) VALUES (:kind, :who, :hour, :cost)"
    " ON CONFLICT (kind, who, hour) DO UPDATE SET taken = allowances.taken + :cost RETURNING taken"
)
_OPEN: Final = (
    select(func.count())
    .select_from(models.Table)
    .where(models.Table.status != FINISHED, models.Table.quarantined_why.is_distinct_from(ENDED))
)
_OWN: Final = _OPEN.join(models.Seat, models.Seat.table_id == models.Table.id).where(
    models.Seat.player_id == bindparam("player_id"), models.Table.host_id == models.Seat.player_id
)
_HAS_PLAYED: Final = select(models.Sitter.match_id).where(models.Sitter.player_id == bindparam("player_id")).limit(1)
_ANYBODY_HAS: Final = select(models.Sitter.match_id).limit(1)
_FIRST: Final = select(func.min(models.Player.id))  # the keeper, who came before anybody else was told
_KNOWN_ONLY = gettext(
    "In this room those who have played here open tables. Sit down at somebody’s table first; next time you can open "
    "your own."
)
_KEEPER_ONLY = gettext(
    "In this room only its keeper opens tables. Ask them for one, or sit down at a table that is there."
)
_ENOUGH = gettext("You have opened a good many just now. Play one of them first; in a while you can open more.")
_FROM_THERE = gettext("A good many were opened from your house just now. In a while you can open more.")
_STILL_OPEN = gettext("You have a good many tables that are not over yet. Finish some before you open more.")
_FULL = gettext("Every table of this room is taken just now. Please come back in a while.")
_REVIEWS = gettext("You have asked for a good many reviews just now. In a while you can ask for more.")
_HINTS = gettext("You have asked for a good many hints just now. Try without for a while.")
_BOTS = gettext("All the bots that could come now are here. In a while there will be more.")


def take_table(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """The guest opens a table; an empty `household` has no limit. Raises TooOften, or Forbidden where one may not."""
    limits, connection = context.limits, transaction.connection
    refuse_in_maintenance(connection)
    _check_opener(context, connection, player_id)
    if count_open(context, connection) >= limits.open:
        raise TooOften(_FULL, wait=_RECOUNT)
    if connection.execute(_OWN, {"player_id": player_id}).scalar_one() >= limits.guest_open:
        raise TooOften(_STILL_OPEN, wait=_HOUR)
    _take_table(context, transaction, player_id, household)


def count_open(context: AppContext, connection: Connection) -> int:
    """How many tables are not over; it may be a minute old."""
    at, number = context.open_tables
    if not 0 <= context.now() - at < _RECOUNT:
        number = connection.execute(_OPEN).scalar_one()
        context.open_tables = context.now(), number
    return number


def take_tournament(context: AppContext, transaction: Transaction, player_id: int, household: str) -> None:
    """The guest opens a tournament, and with it tables. Raises TooOften and Forbidden."""
    refuse_in_maintenance(transaction.connection)
    _check_opener(context, transaction.connection, player_id)
    _take_tournament(context, transaction, player_id, household)


def _check_opener(context: AppContext, connection: Connection, player_id: int) -> None:
    if context.openers == KNOWN and not _is_known(connection, player_id):
        raise Forbidden(_KNOWN_ONLY)
    if context.openers == KEEPER and connection.execute(_FIRST).scalar() != player_id:
        raise Forbidden(_KEEPER_ONLY)


def _is_known(connection: Connection, player_id: int) -> bool:
    """Whether a guest has played here, or nobody has: else nobody could ever become known."""
    has_played = connection.execute(_HAS_PLAYED, {"player_id": player_id}).first()
    return bool(has_played or not connection.execute(_ANYBODY_HAS).first())


def _take(
    kind: str,
    of_guest: Message,
    of_household: Message,
    context: AppContext,
    transaction: Transaction,
    player_id: int,
    household: str,
    cost: int = 1,
) -> None:
    """The guest takes so much of a kind that has limits by its name. Raises TooOften with one of the sentences."""
    now, limits = context.now(), context.limits
    taking = {"kind": kind, "hour": int(now // _HOUR), "cost": max(0, cost)}
    for who, limit, sentence in (
        (f"guest {player_id}", getattr(limits, f"guest_{kind}s"), of_guest),
        (hash_of(context, household) if household else "", getattr(limits, f"{kind}s"), of_household),
    ):
        if who and transaction.connection.execute(_TAKE, {**taking, "who": who}).scalar_one() > limit:
            raise TooOften(sentence, wait=_HOUR - now % _HOUR)


_take_table: Final = partial(_take, "table", _ENOUGH, _FROM_THERE)
_take_tournament: Final = partial(_take, "tournament", _ENOUGH, _FROM_THERE)
take_circle: Final = partial(_take, "circle", _ENOUGH, _FROM_THERE)
take_bots: Final = partial(_take, "bot", _BOTS, _BOTS)  # with how many sign up for a tournament
take_review: Final = partial(_take, "review", _REVIEWS, _REVIEWS)
take_hint: Final = partial(_take, "hint", _HINTS, _HINTS)


def forget_allowances(context: AppContext, transaction: Transaction) -> None:
    """What was taken in hours that are over."""
    this_hour = int(context.now() // _HOUR)
    transaction.connection.execute(delete(models.Allowance).where(models.Allowance.hour < this_hour))
