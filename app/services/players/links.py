"""A guest's other devices: the recovery link that carries a name there, and signing out."""

import secrets

from sqlalchemy import Connection, delete, func, select, update

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.players.players import changes, count_opened, hash_of, new_device
from app.storage import models
from app.storage.rows import find_one
from app.storage.writer import Transaction


def count_devices(connection: Connection, player_id: int) -> int:
    """How many browsers are known as the player."""
    mine = select(func.count()).select_from(models.Device).where(models.Device.player_id == player_id)
    return int(connection.execute(mine).scalar_one())


def has_recovery_link(connection: Connection, player_id: int) -> bool:
    """Whether a recovery link of the player works."""
    kept = select(models.Player.recovery_hash).where(models.Player.id == player_id)
    return connection.execute(kept).scalar_one_or_none() is not None


def new_recovery_link(context: AppContext, transaction: Transaction, player_id: int, token: str | None = None) -> str:
    """The token of the player's recovery link from now on, a fresh one unless it is given; the link made before stops
    working."""
    made = token or secrets.token_urlsafe(32)
    _set_recovery(context, transaction, player_id, hash_of(context, made))
    return made


def end_recovery_link(context: AppContext, transaction: Transaction, player_id: int) -> None:
    """The player's recovery link stops working."""
    _set_recovery(context, transaction, player_id, None)


def _set_recovery(context: AppContext, transaction: Transaction, player_id: int, kept: str | None) -> None:
    transaction.connection.execute(
        update(models.Player).where(models.Player.id == player_id).values(recovery_hash=kept)
    )
    count_opened(context, transaction, player_id)


def player_of_link(context: AppContext, connection: Connection, token: str) -> models.Player:
    """Whose recovery link it is. Raises NotFound."""
    player = find_one(connection, select(models.Player).where(models.Player.recovery_hash == hash_of(context, token)))
    if player is None:
        raise NotFound("This recovery link no longer works: a newer one was made, or it was switched off.")
    return player


def follow_recovery_link(context: AppContext, transaction: Transaction, token: str, cookie: str | None = None) -> str:
    """Makes another browser known as the link's player: the token for its cookie, which may be given. Raises
    NotFound."""
    return new_device(context, transaction, player_of_link(context, transaction.connection, token).id, cookie)


def sign_out(context: AppContext, transaction: Transaction, player_id: int, token: str) -> None:
    """Forgets the browser whose cookie holds `token`. Notices end on all of the player's browsers, because nobody knows
    which of them it was."""
    this = models.Device.token_hash == hash_of(context, token)
    transaction.connection.execute(delete(models.Device).where(models.Device.player_id == player_id, this))
    _end_notices(transaction, player_id)
    changes(context, transaction)


def sign_out_elsewhere(context: AppContext, transaction: Transaction, player_id: int, token: str) -> None:
    """Forgets every browser of the player but the one whose cookie holds `token`; seat links given out stop working,
    and notices end on all of them."""
    connection = transaction.connection
    this = models.Device.token_hash == hash_of(context, token)
    connection.execute(delete(models.Device).where(models.Device.player_id == player_id, ~this))
    connection.execute(update(models.Seat).where(models.Seat.player_id == player_id).values(link_hash=None))
    _end_notices(transaction, player_id)
    count_opened(context, transaction, player_id)


def _end_notices(transaction: Transaction, player_id: int) -> None:
    transaction.connection.execute(delete(models.Subscription).where(models.Subscription.player_id == player_id))
