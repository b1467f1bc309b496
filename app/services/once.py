"""Once only: a form that is sent again (a second click, a retry, both at the same time) is answered, not done again."""

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection, delete, select, text, update

from app.services.context import AppContext
from app.storage import models
from app.storage.writer import Transaction

KEPT: Final = 24 * 3600.0  # seconds
_CLAIM = text(
    "INSERT INTO requests (player_id, key, made_at) VALUES (:player_id, :key, :made_at) ON CONFLICT DO NOTHING"
)


def once(
    context: AppContext,
    transaction: Transaction,
    player_id: int | None,
    key: str | None,
    service: Callable[..., Any],
    *args: Any,
) -> Any:
    """Runs the service with `args` and gives what it returns, which must be plain data; where it has returned for this
    player and `key` before, gives that, and nothing is done. With no key it always runs. Raises what the service
    raises, and then the key is not used up."""
    if key is None:
        return service(context, transaction, *args)
    connection = transaction.connection
    mine = (models.Request.player_id == player_id, models.Request.key == key)
    claim = {"player_id": player_id, "key": key, "made_at": context.now()}
    if not connection.execute(_CLAIM, claim).rowcount:  # whoever claims it at the same time is waited for
        return connection.execute(select(models.Request.answer).where(*mine)).scalar_one()
    answer = service(context, transaction, *args)
    if answer is not None:
        connection.execute(update(models.Request).where(*mine).values(answer=answer))
    return answer


def is_done(connection: Connection, player_id: int | None, key: str | None) -> bool:
    """Whether this was done for the player."""
    mine = (models.Request.player_id == player_id, models.Request.key == key)
    return connection.execute(select(models.Request.key).where(*mine)).first() is not None


def secretly(service: Callable[..., Any]) -> Callable[..., bool]:
    """The service, whose answer is a secret that must not be kept: only whether there is one."""
    return lambda *args: service(*args) is not None


def forget_requests(context: AppContext, transaction: Transaction) -> None:
    """Nobody sends a form again after so long."""
    transaction.connection.execute(delete(models.Request).where(models.Request.made_at < context.now() - KEPT))
