"""Once only: a form that is sent again (a second click, a retry, both at the same time) is answered, not done again."""

from typing import Final, cast

from sqlalchemy import Connection, delete, select, text, update

from app.services.context import AppContext, Given, Result, Service
from app.storage import models
from app.storage.writer import Transaction

KEPT: Final = 24 * 3600.0  # seconds
_CLAIM = text(
    "INSERT INTO requests (player_id, key, made_at) VALUES (:player_id, :key, :made_at) ON CONFLICT DO NOTHING"
)


def idempotent(service: Service[Given, Result], player_id: int | None, key: str | None) -> Service[Given, Result]:
    """The service, which runs once for this player and `key`, and must give plain data: from then on it does nothing
    and gives the same again. With no key it always runs. It raises what the service raises, and then the key is not
    used up."""
    if key is None:
        return service

    def run(context: AppContext, transaction: Transaction, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        connection = transaction.connection
        mine = (models.Request.player_id == player_id, models.Request.key == key)
        claim = {"player_id": player_id, "key": key, "made_at": context.now()}
        if not connection.execute(_CLAIM, claim).rowcount:  # whoever claims it at the same time is waited for
            return cast(Result, connection.execute(select(models.Request.answer).where(*mine)).scalar_one())
        answer = service(context, transaction, *args, **kwargs)
        if answer is not None:
            connection.execute(update(models.Request).where(*mine).values(answer=answer))
        return answer

    return run


def is_done(connection: Connection, player_id: int | None, key: str | None) -> bool:
    """Whether this was done for the player."""
    done = select(models.Request.key).filter_by(player_id=player_id, key=key)
    return connection.execute(done).first() is not None


def without_stored_answer(service: Service[Given, object]) -> Service[Given, bool]:
    """The service, whose answer is a secret that must not be kept: only whether there is one."""

    def run(context: AppContext, transaction: Transaction, /, *args: Given.args, **kwargs: Given.kwargs) -> bool:
        return service(context, transaction, *args, **kwargs) is not None

    return run


def forget_requests(context: AppContext, transaction: Transaction) -> None:
    """Nobody sends a form again after so long."""
    transaction.connection.execute(delete(models.Request).where(models.Request.made_at < context.now() - KEPT))
