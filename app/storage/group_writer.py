"""The writer on SQLite. One thread owns the only writing connection, takes whatever waits into one transaction (a
savepoint each) and commits once for all, so that a durable commit costs many moves one fsync."""

import asyncio
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Connection, Engine

from app.storage.writer import Result, Transaction, Work

_GROUP = 64


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
                return

    def _commit(self, group: list[Job]) -> None:
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


def _try(job: Job, connection: Connection, held: set[str]) -> None:
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
