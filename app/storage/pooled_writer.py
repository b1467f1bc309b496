"""The writer on PostgreSQL. What needs nothing but what is at hand is written down and goes through the pipeline; all
else has a transaction each, side by side. Only what was surely not done is done again, and where a commit's answer was
lost the database is asked what came of it."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Generic, cast

from sqlalchemy import Engine, text
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError

from app.storage.counts import counts
from app.storage.pipeline import LIFE, Answer, Mark, Pipeline
from app.storage.writer import BufferedTransaction, Declined, NotAtHand, OutcomeUnknown, Result, Transaction, Work

_log = logging.getLogger(__name__)
_TRIES = 3
_UNDONE = ("40001", "40P01", "55P03")  # serialization failure, deadlock, a lock not had in time
_MY_NUMBER = text(f"SELECT txid_current_if_assigned(), {LIFE}")
_OUTCOME = text(f"SELECT txid_status(:number), {LIFE}")
_ASKING = 25.0  # seconds; a commit that never arrived leaves a transaction that the database ends after 20
_PAUSE = 0.1
_AT_ONCE = 4  # transactions of works that are handed over together


class PooledWriter:
    """A transaction each, or the pipeline."""

    def __init__(self, engine: Engine) -> None:
        self.doubt: Callable[[], None] = lambda: None
        self._engine = engine
        self._pipeline = Pipeline(engine, self._is_committed)

    def run(self, work: Work[Result]) -> Result:
        stored: Future[bool] = Future()
        buffered = self._buffer(work, partial(_tell, stored))
        if buffered and stored.result():
            counts.committed()
            buffered.transaction.committed()
            return buffered.result
        return self._run(work)

    def _buffer(
        self, work: Work[Result], answer: Answer, loop: asyncio.AbstractEventLoop | None = None
    ) -> "_Buffered[Result] | None":
        """The work as far as it can be done with what is at hand, on its way into the database. What it raises or
        returns without having written anything says nothing: it may be long out of date. What raises for any other
        reason is told and done again, so that a fault of this way costs no move."""
        buffered: _Buffered[Result] = _Buffered(BufferedTransaction(self._pipeline.ids))
        try:
            buffered.result = work(buffered.transaction)
            written = buffered.transaction.written(answer, loop)
            if written and self._pipeline.put(written):
                return buffered
        except (NotAtHand, Declined):
            pass
        except Exception:  # a fault of ours
            _log.exception("a move could not be written down: it is done in a transaction of its own")
        return None

    def _run(self, work: Work[Result]) -> Result:
        for tries_left in reversed(range(_TRIES)):
            mark: Mark | None = None
            try:
                with self._engine.begin() as connection:
                    transaction = Transaction(connection)
                    result = work(transaction)
                    number, life = connection.execute(_MY_NUMBER).one()
                    mark = None if number is None else (number, life)  # None where nothing was written
            except DBAPIError as error:
                was_cut = error.connection_invalidated
                if not (was_cut and mark is not None and self._is_committed(mark, error)):
                    counts.committed(fails=True)
                    if tries_left and (was_cut or getattr(error.orig, "sqlstate", None) in _UNDONE):
                        continue
                    raise
            counts.committed()
            transaction.committed()
            return result
        raise AssertionError("unreachable")

    def _is_committed(self, mark: Mark, lost: Exception) -> bool:
        """What came of the transaction with this mark, whose commit may or may not have arrived. Raises
        OutcomeUnknown: also where the database has crashed since, and what is committed under the number may be
        somebody else's, to whom it was given again."""
        number, life = mark
        give_up = time.monotonic() + _ASKING
        while True:
            outcome, life_now = None, life
            try:
                with self._engine.connect() as connection:
                    outcome, life_now = connection.execute(_OUTCOME, {"number": number}).one()
            except DataError:  # a number yet to come: the database crashed before anything of it was on disk
                return False
            except SQLAlchemyError:
                pass
            if outcome == "aborted" or (outcome == "in progress" and life_now != life):
                return False
            if outcome == "committed" and life_now == life:
                return True
            if outcome == "committed" or time.monotonic() > give_up:
                self.doubt()
                raise OutcomeUnknown("a commit's answer was lost") from lost
            time.sleep(_PAUSE)

    async def run_soon(self, work: Work[Result]) -> Result:
        """The same for who must not block."""
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[bool] = loop.create_future()

        def hear(answer: bool | Exception) -> None:
            if answer is True:
                counts.committed()
                cast("_Buffered[Result]", buffered).transaction.committed()
            if not stored.cancelled():
                _tell(stored, answer)
            elif answer is False:
                loop.run_in_executor(None, self._run, work)

        buffered = self._buffer(work, hear, loop)
        if buffered and await stored:
            return buffered.result
        return await asyncio.to_thread(self._run, work)

    def run_all(self, works: Sequence[Work[Any]]) -> list[BaseException | None]:
        """Works that have nothing to do with one another, side by side; what each of them raised."""
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            return [done.exception() for done in [threads.submit(self.run, work) for work in works]]

    def close(self) -> None:
        """Ends the pipeline; the other connections belong to the pool."""
        self._pipeline.close()


class _Buffered(Generic[Result]):
    """A buffered transaction, and what the work returned."""

    result: Result

    def __init__(self, transaction: BufferedTransaction) -> None:
        self.transaction = transaction


def _tell(stored: "Future[bool] | asyncio.Future[bool]", answer: bool | Exception) -> None:
    if isinstance(answer, Exception):
        stored.set_exception(answer)
    else:
        stored.set_result(answer)
