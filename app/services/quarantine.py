"""Tables that are frozen: what is stored of them contradicts itself, or the rules fail on it. Nothing of them is lost
or changed any more; whoever finds such a table out rolls back what was begun, and `AppContext.freeze` closes it."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.exc import NoResultFound, SQLAlchemyError

from app.services.errors import Broken, Conflict, Ended, Frozen, NotFound, ServiceError
from app.storage import models
from app.storage.pubsub import notify_processes
from app.storage.writer import NotAtHand, Transaction

_NOT_ITS_FAULT: Final = (SQLAlchemyError, sqlite3.Error, NotAtHand, OSError, MemoryError)
ENDED: Final = "ended"  # by the keeper: why, where nothing is wrong with it
_log = logging.getLogger(__name__)


def refuse_quarantined(row: models.Table) -> None:
    """Raises Frozen for a table that is closed with all that is stored of it."""
    if row.quarantined_at is not None:
        raise Ended if row.quarantined_why == ENDED else Frozen(row.code)


class QuarantinedTable(NamedTuple):
    """A table that has just been frozen, at the version that this made."""

    slug: str
    code: str
    version: int


@contextmanager
def quarantine_on_error(which: int | str, *, unasked: bool = False) -> Iterator[None]:
    """What is done here with what is stored of a table cannot fail but by the table's own fault: then it raises Broken.
    If nobody has asked for it (`unasked`) a refusal is such a fault, too."""
    try:
        yield
    except (NoResultFound, *_NOT_ITS_FAULT, ServiceError) as error:
        is_refusal = isinstance(error, ServiceError) and not isinstance(error, (Conflict, NotFound, Frozen))
        if not (isinstance(error, NoResultFound) or (unasked and is_refusal)):
            raise
        raise Broken(which, why_of(error)) from error
    except Exception as error:  # whatever else the rules fail with
        raise Broken(which, why_of(error)) from error


def why_of(error: Exception) -> str:
    """What went wrong and where, without a card: what an error says may name some."""
    *_, last = extract_tb(error.__traceback__)
    kind = " ".join(filter(None, (type(error).__name__, getattr(error, "code", ""))))
    return f"{kind} in {'/'.join(Path(last.filename).parts[-2:])}, line {last.lineno}"[:200]


def freeze(transaction: Transaction, broken: Broken, now: float) -> QuarantinedTable | str | None:
    """Closes a table with all that is stored of it; its code if it was closed before, None where there is none."""
    this = (models.Table.id if isinstance(broken.which, int) else models.Table.slug) == broken.which
    closed: dict[str, Any] = {"quarantined_at": now, "quarantined_why": broken.why, "due_at": None}
    counted = {"version": models.Table.version + 1, "changes": models.Table.changes + 1}
    of_table = (models.Table.slug, models.Table.code, models.Table.version)
    done = transaction.connection.execute(
        update(models.Table)
        .where(this, models.Table.quarantined_at.is_(None))
        .values(**closed, **counted)
        .returning(*of_table)
    ).one_or_none()
    if done is None:
        return transaction.connection.execute(select(models.Table.code).where(this)).scalar_one_or_none()
    table = QuarantinedTable(*done)
    notify_processes(transaction, table.slug, table.version)
    if broken.why != ENDED:
        transaction.after_commit(
            lambda: _log.error("table %s is frozen with all that is stored of it: %s", table.code, broken.why)
        )
    return table
