"""A guest's other devices: the recovery link that carries a name there, and signing out."""

import secrets
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from app.services.context import AppContext
from app.services.errors import or_not_found
from app.services.players.players import change_player, changes, count_opened, hash_of, new_device
from app.storage import models
from app.storage.rows import find_one
from app.storage.writer import Transaction
from snug.words import gettext

_LASTS: Final = 365 * 24 * 3600.0  # seconds for which a recovery link works
_NO_LINK: Final = gettext(
    "This recovery link no longer works: it was used, a newer one was made, it was switched off, or it is more "
    "than a year old."
)
_ONCE_MORE: Final = 60.0  # seconds for which it still does when it was used: the answer may be lost on its way


def count_devices(connection: Connection, player_id: int) -> int:
    """How many browsers are known as the player."""
    mine = select(func.count()).select_from(models.Device).where(models.Device.player_id == player_id)
    return int(connection.execute(mine).scalar_one())


def has_recovery_link(context: AppContext, connection: Connection, player_id: int) -> bool:
    """Whether the player has a recovery link that was not used."""
    kept = select(models.Player.id).where(models.Player.id == player_id, _works(context, _ONCE_MORE))
    return connection.execute(kept).first() is not None


def _works(context: AppContext, longer_than: float = 0.0) -> ColumnElement[bool]:
    """The condition that a player's recovery link works, for more than so many seconds."""
    player = models.Player
    return player.recovery_hash.is_not(None) & (player.recovery_until > context.now() + longer_than)


def new_recovery_link(context: AppContext, transaction: Transaction, player_id: int, token: str | None = None) -> str:
    """The token, fresh unless given, of the player's recovery link, which works for a year; the one before ends."""
    made = token or secrets.token_urlsafe(32)
    _set_recovery(context, transaction, player_id, hash_of(context, made), context.now() + _LASTS)
    return made


def end_recovery_link(context: AppContext, transaction: Transaction, player_id: int) -> None:
    """The player's recovery link stops working."""
    _set_recovery(context, transaction, player_id, None, None)


def _set_recovery(
    context: AppContext, transaction: Transaction, player_id: int, kept: str | None, until: float | None
) -> None:
    change_player(context, transaction, player_id, recovery_hash=kept, recovery_until=until)
    count_opened(context, transaction, player_id)


def player_of_link(context: AppContext, connection: Connection, token: str) -> models.Player:
    """Whose recovery link it is. Raises NotFound."""
    mine = (models.Player.recovery_hash == hash_of(context, token), _works(context))
    return or_not_found(find_one(connection, select(models.Player).where(*mine)), _NO_LINK)


def follow_recovery_link(context: AppContext, transaction: Transaction, token: str, cookie: str | None = None) -> str:
    """Makes another browser known as the link's player: the token for its cookie, which may be given. That uses the
    link up within a minute. Raises NotFound."""
    connection, player_id = transaction.connection, player_of_link(context, transaction.connection, token).id
    connection.execute(select(models.Player.id).where(models.Player.id == player_id).with_for_update())
    player = player_of_link(context, connection, token)  # as it is now: it may be followed twice at the same time
    assert player.recovery_until is not None, "a link that works has an end"
    until = min(player.recovery_until, context.now() + _ONCE_MORE)
    if until != player.recovery_until:
        _set_recovery(context, transaction, player.id, player.recovery_hash, until)
    return new_device(context, transaction, player.id, cookie)


def sign_out(context: AppContext, transaction: Transaction, player_id: int, token: str) -> None:
    """Forgets the browser whose cookie holds `token`. Notices end on all of the player's browsers, because nobody knows
    which of them it was."""
    this = models.Device.token_hash == hash_of(context, token)
    transaction.connection.execute(delete(models.Device).where(models.Device.player_id == player_id, this))
    _end_notices(transaction, player_id)
    changes(context, transaction)


def sign_out_elsewhere(context: AppContext, transaction: Transaction, player_id: int, token: str) -> None:
    """Forgets all browsers of the player but that of `token`; seat links, the recovery link and all notices end."""
    connection = transaction.connection
    this = models.Device.token_hash == hash_of(context, token)
    connection.execute(delete(models.Device).where(models.Device.player_id == player_id, ~this))
    connection.execute(update(models.Seat).where(models.Seat.player_id == player_id).values(link_hash=None))
    end_recovery_link(context, transaction, player_id)
    _end_notices(transaction, player_id)
    count_opened(context, transaction, player_id)


def _end_notices(transaction: Transaction, player_id: int) -> None:
    transaction.connection.execute(delete(models.Subscription).where(models.Subscription.player_id == player_id))
