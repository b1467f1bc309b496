"""Guests: known by a token in a cookie, or by a personal seat link; only hashes of tokens are kept."""

import hmac
import secrets
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, String, bindparam, delete, func, insert, or_, select, text, update

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound
from app.services.players.languages import catalogues
from app.services.players.names import clean_name
from app.storage import models
from app.storage.db import as_of
from app.storage.pubsub import PLAYERS, notify_processes
from app.storage.rows import find_one
from app.storage.writer import Transaction
from snug.words import gettext

NEWCOMER: Final = gettext("Newcomer")  # who plays before anybody has asked for a nickname
AGAIN: Final = 60.0  # seconds in which a new guest's form may come again
_NEW_DEVICE: Final = text(
    "INSERT INTO devices (token_hash, player_id, table_id, created_at) "
    "VALUES (:token_hash, :player_id, :table_id, :created_at) ON CONFLICT DO NOTHING"
)
_KNOWN: Final = (
    select(models.Player)
    .join(models.Device, models.Device.player_id == models.Player.id)
    .where(models.Device.token_hash == bindparam("token_hash", type_=String), models.Device.table_id.is_(None))
)
_LASTS: Final = 24 * 3600.0  # seconds for which a seat link lasts when the match is over: to look back, to play again


class LinkedSeat(NamedTuple):
    """The seat that a personal link leads to, and whose it is."""

    slug: str
    game: str
    number: int
    name: str
    player_id: int
    table_id: int


def hash_of(context: AppContext, token: str) -> str:
    """What is kept of a token."""
    return hmac.digest(context.key, token.encode(), "sha256").hex()


def find_player(context: AppContext, connection: Connection, token: str | None) -> models.Player | None:
    """The player whose cookie holds `token`, if there is one."""
    if not token:
        return None
    kept: models.Player | None = context.players.get(token) if context.hears_all else None
    if kept is None:
        kept = find_one(connection, _KNOWN, token_hash=hash_of(context, token))
        if kept is not None:
            context.players.keep(token, kept, as_of(connection))
    return kept


def find_seated(context: AppContext, connection: Connection, token: str, slug: str) -> models.Player | None:
    """The player at whose seat of this table a browser plays that came by a seat link, as long as it lasts."""
    device, seat = models.Device, models.Seat
    theirs = (
        select(models.Player)
        .join(device, device.player_id == models.Player.id)
        .join(models.Table, models.Table.id == device.table_id)
        .join(seat, (seat.table_id == models.Table.id) & (seat.player_id == models.Player.id))
        .where(device.token_hash == hash_of(context, token), models.Table.slug == slug, seat_links_last(context))
        .where(or_(seat.seated_at.is_(None), seat.seated_at <= device.created_at))
    )
    return find_one(connection, theirs)


def seat_links_last(context: AppContext) -> ColumnElement[bool]:
    """The condition that at a table the last match is not over, or not for long."""
    result, match = models.Result, models.Match
    over = select(func.max(result.finished_at)).join(match, match.id == result.match_id)
    over = over.where(match.table_id == models.Table.id)
    return or_(
        models.Table.status != "finished", over.correlate(models.Table).scalar_subquery() > context.now() - _LASTS
    )


def changes(context: AppContext, transaction: Transaction) -> None:
    """Rows of players or of their devices are changed here: what is at hand of them does not count any more."""
    transaction.after_commit(context.players.forget)
    notify_processes(transaction, PLAYERS, 1)


def welcome(context: AppContext, transaction: Transaction, name: str, token: str | None = None) -> tuple[int, str]:
    """A new guest: the player's id and the token for the cookie, which may be given. The guest who has just been made
    with it is the same one: the form was sent again. Raises Refused for an empty name."""
    connection, called = transaction.connection, clean_name(name)
    if token is not None and (known := just_made(context, connection, token)):
        return known, token
    player_id: int = connection.execute(
        insert(models.Player).values(name=called, preferences={}, created_at=context.now()).returning(models.Player.id)
    ).scalar_one()
    cookie = token or secrets.token_urlsafe(32)
    if _add_device(context, transaction, player_id, cookie):
        return player_id, cookie
    if known := just_made(context, connection, cookie):  # at the same time, by the same form
        connection.execute(delete(models.Player).where(models.Player.id == player_id))
        return known, cookie
    return player_id, new_device(context, transaction, player_id)


def just_made(context: AppContext, connection: Connection, token: str) -> int | None:
    """The guest who was made with this token a moment ago, if there is one. Later nobody becomes a guest by sending
    again what another has sent."""
    made = (models.Device.token_hash == hash_of(context, token), models.Device.created_at > context.now() - AGAIN)
    return connection.execute(select(models.Device.player_id).where(*made)).scalar_one_or_none()


def is_named(player: models.Player | None) -> bool:
    """Whether we know what the player wants to be called."""
    return player is not None and player.name not in _newcomers()


@cache
def _newcomers() -> set[str]:
    """What newcomers are called, in the language that they read when they came."""
    return {str(NEWCOMER), *(words.gettext(NEWCOMER.msgid) for words in catalogues().values())}


def rename(context: AppContext, transaction: Transaction, player_id: int, name: str) -> None:
    """The nickname for the next table; seats already taken keep theirs. Raises Refused for an empty one."""
    change_player(context, transaction, player_id, name=clean_name(name))


def change_player(context: AppContext, transaction: Transaction, player_id: int, **columns: object) -> None:
    """Changes columns of a player's row."""
    transaction.connection.execute(update(models.Player).filter_by(id=player_id).values(**columns))
    changes(context, transaction)


def prefer(context: AppContext, transaction: Transaction, player_id: int, chosen: Mapping[str, object]) -> None:
    """Changes the player's own preferences."""
    kept = select(models.Player.preferences).filter_by(id=player_id).with_for_update()
    preferences = transaction.connection.execute(kept).scalar_one()
    change_player(context, transaction, player_id, preferences={**preferences, **chosen})


def count_opened(context: AppContext, transaction: Transaction, player_id: int) -> None:
    """The player has opened something, or made or ended a link: the pages that offer it are newer now."""
    change_player(context, transaction, player_id, opened=models.Player.opened + 1)


def new_seat_link(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, token: str | None = None, mine: str = ""
) -> str:
    """The token of the personal link of the player's seat from now on, a fresh one unless it is given; the link made
    before stops working, also where it was followed already, but in the browser with the token `mine`."""
    connection = transaction.connection
    found = connection.execute(
        select(models.Seat.id, models.Seat.table_id)
        .join(models.Table, models.Table.id == models.Seat.table_id)
        .where(models.Table.slug == slug, models.Seat.player_id == player_id)
    ).one_or_none()
    if found is None:
        raise Forbidden("You have no seat at this table.")
    seat_id, table_id = found
    made = token or secrets.token_urlsafe(24)
    connection.execute(update(models.Seat).where(models.Seat.id == seat_id).values(link_hash=hash_of(context, made)))
    followed = delete(models.Device).filter_by(player_id=player_id, table_id=table_id)
    connection.execute(followed.where(models.Device.token_hash != hash_of(context, mine)))
    count_opened(context, transaction, player_id)
    return made


def end_seat_links(context: AppContext, connection: Connection, table_id: int) -> None:
    """Once the last match at a table has been over for long, its links do not come back to life with the next."""
    over = select(models.Table.id).where(models.Table.id == table_id, ~seat_links_last(context))
    if connection.execute(over).first():
        connection.execute(update(models.Seat).where(models.Seat.table_id == table_id).values(link_hash=None))
        connection.execute(delete(models.Device).where(models.Device.table_id == table_id))


def seat_of_link(context: AppContext, connection: Connection, token: str) -> LinkedSeat:
    """Whose seat the personal link is. Raises NotFound."""
    seat = connection.execute(
        select(models.Table.slug, models.Table.game, models.Seat.number, models.Seat.name, models.Player.id)
        .join(models.Table, models.Table.id == models.Seat.table_id)
        .join(models.Player, models.Player.id == models.Seat.player_id)
        .add_columns(models.Table.id)
        .where(models.Seat.link_hash == hash_of(context, token), seat_links_last(context))
    ).one_or_none()
    if seat is None:
        raise NotFound(
            "This seat link no longer works: a newer one was made, the seat was given away, or the match is over."
        )
    return LinkedSeat(*seat)


def follow_seat_link(
    context: AppContext, transaction: Transaction, token: str, cookie: str | None = None
) -> tuple[str, str]:
    """Makes another device known as the seat's player at this table: its slug and the token for the cookie, which may
    be given. Raises NotFound."""
    seat = seat_of_link(context, transaction.connection, token)
    return seat.slug, new_device(context, transaction, seat.player_id, cookie, seat.table_id)


def new_device(
    context: AppContext, transaction: Transaction, player_id: int, token: str | None = None, table_id: int | None = None
) -> str:
    """Makes one more browser known as the player, or only so at one table: the token for its cookie, which may be given
    and may be known already."""
    if token is not None:
        if _add_device(context, transaction, player_id, token, table_id):
            return token
        known = select(models.Device.player_id, models.Device.table_id)
        found = transaction.connection.execute(known.where(models.Device.token_hash == hash_of(context, token)))
        if found.one_or_none() == (player_id, table_id):
            return token
    return new_device(context, transaction, player_id, secrets.token_urlsafe(32), table_id)


def _add_device(
    context: AppContext, transaction: Transaction, player_id: int, token: str, table_id: int | None = None
) -> bool:
    """False if there is such a device already."""
    row = {"token_hash": hash_of(context, token), "player_id": player_id, "table_id": table_id}
    return bool(transaction.connection.execute(_NEW_DEVICE, {**row, "created_at": context.now()}).rowcount)
