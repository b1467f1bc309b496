"""The writer on SQLite. One thread owns the only writing connection, takes whatever waits into one transaction (a
savepoint each) and commits once for all, so that a durable commit costs many moves one fsync."""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, Insert, Update

from app.storage.counts import counts
from app.storage.pipeline import Values
from app.storage.writer import Result, Transaction, Work

_GROUP = 64
_Process = Callable[[Any], object]


class Job:
    """A work that waits for its commit, and who waits for the work: a thread, or a task in a loop."""

    def __init__(self, work: Work[Any], answer: "Future[Any] | asyncio.Future[Any]") -> None:
        self.work, self.answer = work, answer
        self.transaction: Transaction | None = None
        self.result: Any = None
        self.error: BaseException | None = None

    def tell(self) -> None:
        """The commit stands, or nothing was done."""
        if self.answer.cancelled():
            return
        if self.error is not None:
            self.answer.set_exception(self.error)
        else:
            self.answer.set_result(self.result)


class GroupWriter:
    """One thread, and a commit for whatever waits."""

    doubt: Callable[[], None]

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
        answer: Future[Result] = Future()
        self._put(Job(work, answer))
        return answer.result()

    async def run_soon(self, work: Work[Result]) -> Result:
        """The same for who must not block, without a thread of its own."""
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._put(Job(work, answer))
        return await answer

    def run_all(self, works: Sequence[Work[Any]]) -> list[BaseException | None]:
        """Works that have nothing to do with one another, in one commit if nobody comes between; what each raised."""
        answers = [Future[Any]() for _ in works]
        for work, answer in zip(works, answers, strict=True):
            self._put(Job(work, answer))
        return [answer.exception() for answer in answers]

    def _put(self, job: Job) -> None:
        with self._lock:  # nothing may queue behind the end: nobody would answer it
            if self._closed:
                raise RuntimeError("the room is closed: nothing is written any more")
            self._jobs.put(job)

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
        self._let_go()

    def _let_go(self) -> None:
        """What was begun on the connection and not committed is undone."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def _commit(self, group: list[Job]) -> None:
        try:
            self._connection = connection = self._connection or self._engine.connect()
            with connection.begin():
                held = set[str]()
                for job in group:
                    job.transaction = PreparedTransaction(connection, held, self._prepared)
                    _try(job, job.transaction)
        except Exception as error:  # whatever it is, it is for each who waits
            self._let_go()
            counts.committed(fails=True)
            for job in group:
                job.error = error
        else:
            counts.committed()
        loops: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        for job in group:
            if job.error is None and job.transaction:
                job.transaction.committed()
            if isinstance(job.answer, Future):
                job.tell()
            else:
                loops.setdefault(job.answer.get_loop(), []).append(job)
        for loop, jobs in loops.items():
            with suppress(RuntimeError):  # it is closed: nobody is there any more
                loop.call_soon_threadsafe(_tell, jobs)


def _tell(jobs: list[Job]) -> None:
    for job in jobs:
        job.tell()


class PreparedStatements:
    """Statements as the driver takes them, put into SQL once; each has its kinds of values."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._known: dict[tuple[Insert | Update, tuple[str, ...]], tuple[str, list[tuple[str, _Process | None]]]] = {}

    def get(self, sql: Insert | Update, *rows: Values) -> tuple[str, list[list[object]]]:
        """The statement for rows with the same names of values, and these in order."""
        key = sql, (*rows[0],)
        if key not in self._known:
            compiled: Any = sql.compile(dialect=self._dialect, column_keys=[*rows[0]])
            types = {name: bind.type.dialect_impl(self._dialect) for name, bind in compiled.binds.items()}
            places = [(name, types[name].bind_processor(self._dialect)) for name in compiled.positiontup]
            self._known[key] = str(compiled), places
        text, places = self._known[key]
        return text, [
            [values[name] if process is None else process(values[name]) for name, process in places] for values in rows
        ]


class PreparedTransaction(Transaction):
    """One that hands what is stored to the driver: half the time of a move's statements was spent before it."""

    def __init__(self, connection: Connection, held: set[str], prepared: PreparedStatements) -> None:
        super().__init__(connection, held)
        self.driver: Any = connection.connection.driver_connection
        self._prepared = prepared

    def store(self, sql: Insert | Update, *values: Values) -> None:
        self.driver.executemany(*self._prepared.get(sql, *values))


def _try(job: Job, transaction: PreparedTransaction) -> None:
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
