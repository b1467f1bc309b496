"""The writer on SQLite. One thread owns the only writing connection, takes whatever waits into one transaction (a
savepoint each) and commits once for all, so that a durable commit costs many moves one fsync."""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, Insert, Update

from app.storage.pipeline import Values
from app.storage.writer import Result, Transaction, Work

_GROUP = 64
_Process = Callable[[Any], object]


class Job:
    """A work that waits for its commit, and who waits for the work."""

    def __init__(self, work: Work[Any]) -> None:
        self.work = work
        self.answer: Future[Any] = Future()
        self.transaction: Transaction | None = None
        self.result: Any = None
        self.error: BaseException | None = None


class GroupWriter:
    """One thread, and a commit for whatever waits."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._prepared = PreparedStatements(engine.dialect)
        self._connection: Connection | None = (
            None  # the thread's, kept: to take it from the pool costs as much as to begin
        )
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
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
        job = Job(work)
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
                break
        if self._connection:
            self._connection.close()

    def _commit(self, group: list[Job]) -> None:
        try:
            self._connection = connection = self._connection or self._engine.connect()
            with connection.begin():
                held = set[str]()
                for job in group:
                    job.transaction = _Transaction(connection, held, self._prepared)
                    _try(job, job.transaction)
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


class PreparedStatements:
    """Statements as the driver takes them, put into SQL once; each has its kinds of values."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._known: dict[tuple[Insert | Update, tuple[str, ...]], tuple[str, list[tuple[str, _Process | None]]]] = {}

    def get(self, sql: Insert | Update, values: Values) -> tuple[str, list[object]]:
        """The statement, and these values in order."""
        key = sql, (*values,)
        if key not in self._known:
            compiled: Any = sql.compile(dialect=self._dialect, column_keys=[*values])
            types = {name: bind.type.dialect_impl(self._dialect) for name, bind in compiled.binds.items()}
            places = [(name, types[name].bind_processor(self._dialect)) for name in compiled.positiontup]
            self._known[key] = str(compiled), places
        text, places = self._known[key]
        return text, [values[name] if process is None else process(values[name]) for name, process in places]


class _Transaction(Transaction):
    """One that hands what is stored to the driver: half the time of a move's statements was spent before it."""

    def __init__(self, connection: Connection, held: set[str], prepared: PreparedStatements) -> None:
        super().__init__(connection, held)
        self.driver: Any = connection.connection.driver_connection
        self._prepared = prepared

    def store(self, sql: Insert | Update, *values: Values) -> None:
        for each in values:
            self.driver.execute(*self._prepared.get(sql, each))


def _try(job: Job, transaction: _Transaction) -> None:
    """One job in a savepoint of its own: what it raises undoes it and nobody else."""
    driver = transaction.driver
    driver.execute("SAVEPOINT job")
    try:
        job.result = job.work(transaction)
    except Exception as error:  # whatever it is, it is for who waits
        job.error = error
        if not driver.in_transaction:  # SQLite has undone all of it, as on a full disk: nobody's is done
            raise
        driver.execute("ROLLBACK TO job")
    driver.execute("RELEASE job")
