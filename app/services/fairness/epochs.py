"""What happens to sealed deals when the room is put back from a copy: people may have seen what was dealt since."""

import secrets
import time
from typing import Final

from sqlalchemy import Connection, bindparam, func, insert, select, update

from app.services.fairness.deals import CHANGE_DEAL, LOT, SECRET
from app.storage import models
from app.storage.rows import all_of
from snug.engine.fairness import commitment_of
from snug.engine.game import DEALER

_LABEL: Final = 8  # bytes
_SHOW: Final = update(models.Table).where(models.Table.commitment == bindparam("before"))


def raise_epoch(connection: Connection, now: float | None = None) -> None:
    """After a restore, before the room opens: rounds in play are dealt on from another epoch, and whatever was sealed
    and not dealt from is sealed anew, so that nobody meets cards that he has seen; not a lot, whose seal stands in its
    tournament's log. The caller commits. The label of an epoch is new each time, so that the same copy put back twice
    does not deal the same."""
    at = time.time() if now is None else now
    move, played = models.Move, models.Round
    in_play = (
        select(played.id, func.count(move.number))
        .outerjoin(move, (move.round_id == played.id) & (move.seat == DEALER))
        .where(played.scores.is_(None))
        .group_by(played.id)
    )
    dealt = {str(round_id): count for round_id, count in connection.execute(in_play)}
    last = connection.execute(select(func.max(played.id))).scalar_one() or 0
    number = (connection.execute(select(func.max(models.Epoch.number))).scalar_one() or 0) + 1
    raised = {"number": number, "label": secrets.token_hex(_LABEL), "raised_at": at}
    connection.execute(insert(models.Epoch).values(**raised, last_round=last, dealt=dealt))
    undealt = select(models.Deal).where(models.Deal.dealt_at.is_(None), models.Deal.number != LOT)
    for deal in all_of(connection, undealt):
        secret = secrets.token_bytes(SECRET)
        commitment = commitment_of(deal.place, deal.number, secret)
        this = {"this_place": deal.place, "this_number": deal.number, "secret": secret, "commitment": commitment}
        connection.execute(CHANGE_DEAL, {**this, "committed_at": max(at, deal.committed_at)})
        changed = {"version": models.Table.version + 1, "changes": models.Table.changes + 1}
        connection.execute(_SHOW.values(commitment=commitment, **changed), {"before": deal.commitment})
    connection.execute(update(models.Seat).values(cut=None).where(models.Seat.cut.is_not(None)))
