"""The one way to write: a unit of work in a short transaction, answered only after its commit.

SQLite: one thread owns the only writing connection, takes whatever waits into one transaction (a savepoint each) and
commits once for all, so that a durable commit costs many moves one fsync. PostgreSQL: what needs nothing but what is at
hand is written down and goes through the pipeline; all else has a transaction each, side by side. Only what was surely
not done is done again, and where a commit's answer was lost the database is asked what came of it.
A caller that goes away changes nothing: the work is the writer's once it is handed over.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, cast

from sqlalchemy import Connection, Engine, Insert, Table, Update, text
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError

from app.storage.db import Database
from app.storage.pipeline import LIFE, Answer, Ids, Mark, Pipeline, Statement, Values, Written

_log = logging.getLogger(__name__)
Result = TypeVar("Result")
_GROUP = 64
_TRIES = 3
_UNDONE = ("40001", "40P01", "55P03")  # serialization failure, deadlock, a lock not had in time
_MY_NUMBER = text(f"SELECT txid_current_if_assigned(), {LIFE}")
_OUTCOME = text(f"SELECT txid_status(:number), {LIFE}")
_ASKING = 25.0  # seconds; a commit that never arrived leaves a transaction that the database ends after 20
_PAUSE = 0.1
_AT_ONCE = 4  # transactions of works that are handed over together


class OutcomeUnknown(RuntimeError):
    """The database went away in the middle of a commit and has not said since whether the work was done."""


class NotAtHand(RuntimeError):
    """What was to be written down needs the database."""


class Declined(Exception):
    """Work says no, on purpose and in words: nothing is written."""


class Transaction:
    """What a service works with: the connection, and what is to be done once the commit stands. `held` names what was
    already held for a change, here or in the same group."""

    def __init__(self, connection: Connection, held: set[str] | None = None) -> None:
        self._connection: Connection | None = connection
        self.held = set() if held is None else held
        self._after: list[Callable[[], None]] = []

    @property
    def connection(self) -> Connection:
        """The connection, within the transaction. Raises NotAtHand for a draft."""
        if self._connection is None:
            raise NotAtHand
        return self._connection

    def store(self, sql: Insert | Update, *values: Values) -> None:
        """Stores something of which nothing is to be known, once with each of these values."""
        self.connection.execute(sql, values if len(values) > 1 else values[0])

    def store_new(self, sql: Insert, values: Values, above: int) -> int:
        """Stores a row and gives its id, which is above that of one that was stored before."""
        found = self.connection.execute(sql, values).inserted_primary_key
        assert found
        assert found[0] > above
        return int(found[0])

    def after_commit(self, action: Callable[[], None]) -> None:
        """Runs `action` after the commit, never when it fails. Actions are quick and do not raise."""
        self._after.append(action)

    def committed(self) -> None:
        """The commit stands."""
        for action in self._after:
            action()


class Draft(Transaction):
    """A transaction that is written down without the database. It changes one table, which it claims. What is new in it
    gets its id from `ids`."""

    def __init__(self, ids: Ids) -> None:
        self._connection = None
        self._ids = ids
        self.held = set()
        self._after = []
        self._claim: Statement | None = None
        self._new: list[Statement] = []
        self._stored: list[Statement] = []
        self.hints: list[str] = []

    def claim(self, sql: Update, values: Values) -> None:
        """Changes the table's row if it still is as it was read, as `Written` says."""
        assert self._claim is None
        self._claim = Statement(sql, values)

    def store(self, sql: Insert | Update, *values: Values) -> None:
        """Stores something if the claim holds."""
        self._stored += (Statement(sql, each) for each in values)

    def store_new(self, sql: Insert, values: Values, above: int) -> int:
        """The same. Raises NotAtHand while there is no id."""
        number = self._ids.take(cast(Table, sql.table).name, above)
        if number is None:
            raise NotAtHand
        self._new.append(Statement(sql, {"id": number, **values}))
        return number

    def written(self, answer: Answer, loop: asyncio.AbstractEventLoop | None = None) -> Written | None:
        """What is to be stored, if anything is."""
        return Written(self._claim, self._new, self._stored, self.hints, answer, loop) if self._claim else None


Work = Callable[[Transaction], Result]


class Writer(Protocol):
    """Runs work and returns what it returned, after the commit. Raises what the work raised, and then nothing is
    written; and OutcomeUnknown, when that cannot be told."""

    def run(self, work: Work[Result]) -> Result: ...
    async def run_soon(self, work: Work[Result]) -> Result: ...
    def run_all(self, works: Sequence[Work[Any]]) -> list[BaseException | None]: ...
    def close(self) -> None: ...


def open_writer(database: Database) -> Writer:
    """The writer that suits the database."""
    return _GroupWriter(database.writer) if database.is_sqlite else _PooledWriter(database.writer)


class _PooledWriter:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pipeline = Pipeline(engine, self._is_committed)

    def run(self, work: Work[Result]) -> Result:
        stored: Future[bool] = Future()
        draft = self._drafted(work, partial(_tell, stored))
        if draft and stored.result():
            draft.transaction.committed()
            return draft.result
        return self._run(work)

    def _drafted(
        self, work: Work[Result], answer: Answer, loop: asyncio.AbstractEventLoop | None = None
    ) -> "_Drafted[Result] | None":
        """The work as far as it can be done with what is at hand, on its way into the database. What it raises or
        returns without having written anything says nothing: it may be long out of date. What raises for any other
        reason is told and done again, so that a fault of this way costs no move."""
        draft: _Drafted[Result] = _Drafted(Draft(self._pipeline.ids))
        try:
            draft.result = work(draft.transaction)
            written = draft.transaction.written(answer, loop)
            if written and self._pipeline.put(written):
                return draft
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
                    if tries_left and (was_cut or getattr(error.orig, "sqlstate", None) in _UNDONE):
                        continue
                    raise
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
                raise OutcomeUnknown("a commit's answer was lost") from lost
            time.sleep(_PAUSE)

    async def run_soon(self, work: Work[Result]) -> Result:
        """The same for who must not block."""
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[bool] = loop.create_future()

        def hear(answer: bool | Exception) -> None:
            if answer is True:
                cast("_Drafted[Result]", draft).transaction.committed()
            if not stored.cancelled():
                _tell(stored, answer)
            elif answer is False:
                loop.run_in_executor(None, self._run, work)

        draft = self._drafted(work, hear, loop)
        if draft and await stored:
            return draft.result
        return await asyncio.to_thread(self._run, work)

    def run_all(self, works: Sequence[Work[Any]]) -> list[BaseException | None]:
        """Works that have nothing to do with one another, side by side; what each of them raised."""
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            return [done.exception() for done in [threads.submit(self.run, work) for work in works]]

    def close(self) -> None:
        """Ends the pipeline; the other connections belong to the pool."""
        self._pipeline.close()


class _Drafted(Generic[Result]):
    """A draft, and what the work returned."""

    result: Result

    def __init__(self, transaction: Draft) -> None:
        self.transaction = transaction


def _tell(stored: "Future[bool] | asyncio.Future[bool]", answer: bool | Exception) -> None:
    if isinstance(answer, Exception):
        stored.set_exception(answer)
    else:
        stored.set_result(answer)


class _Job:
    def __init__(self, work: Work[Any]) -> None:
        self.work = work
        self.answer: Future[Any] = Future()
        self.transaction: Transaction | None = None
        self.result: Any = None
        self.error: BaseException | None = None


class _GroupWriter:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="writer", daemon=True)
        self._thread.start()

    def run(self, work: Work[Result]) -> Result:
        result: Result = self._put(work).result()
        return result

    async def run_soon(self, work: Work[Result]) -> Result:
        """The same for who must not block, without a thread of its own."""
        result: Result = await asyncio.shield(asyncio.wrap_future(self._put(work)))
        return result

    def run_all(self, works: Sequence[Work[Any]]) -> list[BaseException | None]:
        """Works that have nothing to do with one another, in one commit if nobody comes between; what each raised."""
        return [done.exception() for done in [self._put(work) for work in works]]

    def _put(self, work: Work[Any]) -> Future[Any]:
        job = _Job(work)
        with self._lock:  # nothing may queue behind the end: nobody would answer it
            if self._closed:
                raise RuntimeError("the room is closed: nothing is written any more")
            self._jobs.put(job)
        return job.answer

    def close(self) -> None:
        """Ends the thread after what was already handed over."""
        with self._lock:
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (first := self._jobs.get()) is not None:
            group = [first]
            stop = False
            while len(group) < _GROUP and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    stop = True
                    break
                group.append(job)
            self._commit(group)
            if stop:
                return

    def _commit(self, group: list[_Job]) -> None:
        try:
            with self._engine.begin() as connection:
                held = set[str]()
                for job in group:
                    _try(job, connection, held)
        except Exception as error:  # whatever it is, it is for each who waits
            for job in group:
                job.error = error
        for job in group:
            if job.error is not None:
                job.answer.set_exception(job.error)
            else:
                if job.transaction:
                    job.transaction.committed()
                job.answer.set_result(job.result)


def _try(job: _Job, connection: Connection, held: set[str]) -> None:
    """One job in a savepoint of its own: what it raises undoes it and nobody else."""
    job.transaction = Transaction(connection, held)
    directly: Any = connection.connection.driver_connection  # these words are always the same: a fifth of a move less
    directly.execute("SAVEPOINT job")
    try:
        job.result = job.work(job.transaction)
    except Exception as error:  # whatever it is, it is for who waits
        job.error = error
        if not directly.in_transaction:  # SQLite has undone all of it, as on a full disk: nobody's is done
            raise
        connection.exec_driver_sql("ROLLBACK TO job")
    directly.execute("RELEASE job")
