"""Workers: the real application on a real SQLite file, as processes that can be killed at every statement."""

import asyncio
import contextvars
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.types import ASGIApp, Message

from app import main as room
from app.cli.upgrade import migrate
from app.services.context import AppContext
from app.services.handlers import add_handlers
from app.settings import Settings
from app.storage import db
from app.storage.db import Database
from app.storage.group_writer import GroupWriter, Job, PreparedStatements
from app.storage.presence import Presence
from app.storage.pubsub import PubSub
from app.storage.writer import Transaction, Work
from tests.simulation.world.loop import OWNER, START, Owner, bury, in_a_thread, in_thread, pause, wait_for

if TYPE_CHECKING:
    from tests.simulation.world.world import World

MEMORY: Final = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
KEY: Final = b"a key that only the tests use ---"
CAUSE: contextvars.ContextVar[Any] = contextvars.ContextVar("cause", default=None)
_FAILED_STARTS = 50  # in one world; each leaves a room behind
_LONGEST_WAIT = 5.0  # seconds for the file, as SQLite itself would wait
_BROKEN = (("disk I/O error", "SQLITE_IOERR"), ("database or disk is full", "SQLITE_FULL"))


@cache
def template() -> Path:
    """A file with the newest schema, to copy."""
    path = Path(tempfile.mkdtemp(prefix="snug-world-", dir=MEMORY)) / "template.db"
    migrate(f"sqlite:///{path}")
    return path


class Killed(BaseException):
    """The process is dead; nothing of it runs any more."""


def _error(message: str, name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorname, error.sqlite_errorcode = name, getattr(sqlite3, name)
    return error


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, *parameters: Any) -> "_Cursor":
        return cast(_Cursor, cast(SimConnection, self.connection).ask(sql, partial(super().execute, sql, *parameters)))

    def executemany(self, sql: str, *parameters: Any) -> "_Cursor":
        many = partial(super().executemany, sql, *parameters)
        return cast(_Cursor, cast(SimConnection, self.connection).ask(sql, many))


class SimConnection(sqlite3.Connection):
    """A connection of a worker. Others go on at its statements, and things go wrong there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.worker: Worker | None = cast("Worker | None", getattr(OWNER.get(), "worker", None))
        self.hints: list[tuple[str, int, float | None]] = []
        self._kept = 0
        self._cursors: list[sqlite3.Cursor] = []
        if self.worker:
            self.worker.connections[self] = None

    def cursor(self, factory: Any = _Cursor) -> Any:
        made = super().cursor(factory)
        self._cursors.append(made)
        return made

    def _close_cursors(self) -> None:
        """Nobody reads on after a transaction; half-read ones would hold it until they are collected."""
        for cursor in self._cursors:
            cursor.close()
        self._cursors.clear()

    def execute(self, sql: str, *parameters: Any) -> Any:
        if sql == "SAVEPOINT job":
            self._kept = len(self.hints)
        return self.ask(sql, partial(super().execute, sql, *parameters))

    def ask(self, sql: str, do: Callable[[], Any]) -> Any:
        """A statement."""
        worker = self.worker
        if worker is None or sql.startswith("PRAGMA"):
            return do()
        if sql == "ROLLBACK TO job":
            del self.hints[self._kept :]
        worker.at_statement(sql)
        waited = 0.0
        while True:
            try:
                return do()
            except sqlite3.OperationalError as error:
                busy = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
                if not busy or waited > _LONGEST_WAIT or not in_a_thread():
                    raise
            pause(0.01)
            waited += 0.01
            worker.check()

    def commit(self) -> None:
        """With what may happen just before and just after."""
        worker = self.worker
        if worker is None or not self.in_transaction:
            super().commit()
            return
        worker.at_statement("COMMIT")
        super().commit()
        self._close_cursors()
        hints, self.hints = self.hints, []
        worker.committed(hints)

    def rollback(self) -> None:
        self.hints = []
        if self.worker is None or self.worker.owner.is_alive:
            self._close_cursors()
            super().rollback()

    def end(self) -> None:
        """What the operating system does to a process that is gone: a half-read cursor would keep its locks."""
        self._close_cursors()
        super().close()


def notify(transaction: Transaction, slug: str, version: int, due_at: float | None = 0.0) -> None:
    """Stands for PostgreSQL's NOTIFY: heard by the other workers once the commit stands."""
    raw = transaction.connection.connection.driver_connection
    cast(SimConnection, raw).hints.append((slug, version, due_at))


def tell(_transaction: Transaction, slug: str, kind: str, seat: int) -> None:
    """Stands for the NOTIFY of what is no history: the other workers may miss it."""
    worker: Worker = OWNER.get().worker  # type: ignore[attr-defined]
    worker.context.pubsub.tell(slug, kind, seat)


class SimDatabase(Database):
    """The file as several processes share it, which only PostgreSQL allows otherwise; or, `alone`, as one owns it."""

    def __init__(self, url: str, *, alone: bool) -> None:
        super().__init__(url)
        self.is_sqlite = alone
        self._alone = alone

    def own(self) -> None:
        if self._alone:
            super().own()

    def let_go(self) -> None:
        """The claim of a process that is gone."""
        if self._lock:
            self._lock.close()


class SimWriter(GroupWriter):
    """The group writer, whose thread is one of the loop's."""

    def __init__(self, engine: Any, worker: "Worker") -> None:
        self._engine = engine
        self._prepared = PreparedStatements(engine.dialect)
        self._connection = None
        self._worker = worker
        self._waiting: list[Job] = []
        self._is_busy = False
        self._closed = False

    def run(self, work: Work[Any]) -> Any:
        if in_a_thread():
            return wait_for(self._hand_over(work))
        job = Job(work, Future[Any]())  # before the room is open, nobody else is there
        self._commit([job])
        return job.answer.result()

    async def run_soon(self, work: Work[Any]) -> Any:
        return await asyncio.shield(asyncio.wrap_future(self._hand_over(work)))

    def run_all(self, works: Any) -> list[BaseException | None]:
        jobs = [self._hand_over(work) for work in works]
        for job in jobs:
            try:
                wait_for(job)
            except Exception:
                continue
        return [job.exception() for job in jobs]

    def _hand_over(self, work: Work[Any]) -> Any:
        if self._closed:
            raise RuntimeError("the room is closed: nothing is written any more")
        job = Job(work, Future[Any]())
        job.cause = CAUSE.get()  # type: ignore[attr-defined]
        self._waiting.append(job)
        if not self._is_busy:
            self._is_busy = True
            self._worker.begin(in_thread(self._write))
        return job.answer

    def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:64], self._waiting[64:]
            self._worker.writing = [job.cause for job in group]  # type: ignore[attr-defined]
            self._commit(group)
            self._worker.writing = []
        self._is_busy = False

    def close(self) -> None:
        self._closed = True
        self._let_go()


class SimPubSub(PubSub):
    """Whose sets have an order that is the same in every process."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = _Ordered()  # type: ignore[assignment]

    def _wake_all(self) -> None:
        for slug in [*self._waiting, ""]:
            self._wake(slug)


class _Waiters(dict[Any, None]):
    def add(self, waiter: Any) -> None:
        self[waiter] = None

    def discard(self, waiter: Any) -> None:
        self.pop(waiter, None)


class _Ordered(dict[str, _Waiters]):
    def __missing__(self, key: str) -> _Waiters:
        self[key] = _Waiters()
        return self[key]


class SimListener:
    """Hears the other workers."""

    def __init__(self, _url: str, pubsub: PubSub, _sender: str) -> None:
        worker: Worker = OWNER.get().worker  # type: ignore[attr-defined]
        self._bus = worker.world.bus
        self._bus.join(worker, pubsub)

    def close(self) -> None:
        """No longer."""
        self._bus.leave(OWNER.get().worker)  # type: ignore[attr-defined]


class Bus:
    """Carries hints between workers: late, twice, or not at all while somebody is deaf."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._ears: dict[Worker, PubSub] = {}
        self._deaf_until: dict[Worker, float] = {}

    def join(self, worker: "Worker", pubsub: PubSub) -> None:
        """From now on it hears."""
        self._ears[worker] = pubsub
        pubsub.forget()

    def leave(self, worker: "Worker") -> None:
        """It is gone."""
        self._ears.pop(worker, None)

    def send(self, sender: "Worker", hints: list[tuple[str, int, float | None]]) -> None:
        """To everybody else."""
        world = self._world
        for worker, pubsub in list(self._ears.items()):
            if worker is sender:
                continue
            if world.faults.happens("deaf"):
                self._cut(worker, pubsub)
            if self._deaf_until.get(worker, 0.0) > world.loop.now:
                continue
            times = 2 if world.faults.happens("echo") else 1
            for hint in hints:
                for _ in range(times):
                    worker.begin_later(world.dice.random() * 0.05, partial(self._deliver, worker, pubsub, hint))

    def _deliver(self, worker: "Worker", pubsub: PubSub, hint: tuple[str, int, float | None]) -> None:
        if worker in self._ears:
            pubsub.announce(*hint)

    def _cut(self, worker: "Worker", pubsub: PubSub) -> None:
        """The connection is gone; it is noticed at once, and made anew after a while."""
        seconds = 0.5 + 8 * self._world.faults.dice("deaf").random()
        self._deaf_until[worker] = self._world.loop.now + seconds
        worker.begin_later(0.0, pubsub.deaf)
        worker.begin_later(seconds + 0.001, partial(self._hear_again, worker, pubsub))

    def _hear_again(self, worker: "Worker", pubsub: PubSub) -> None:
        if worker in self._ears:
            pubsub.forget()


class Worker:
    """A process that runs the room; or, on a copy of the file at `path`, one that nothing happens to."""

    def __init__(self, world: "World", name: str, *, path: Path | None = None) -> None:
        self.world = world
        self.is_a_copy = path is not None
        self.url = f"sqlite:///{path or world.path}"
        self.owner = Owner(name)
        self.owner.worker = self  # type: ignore[attr-defined]
        self.name = name
        self.connections: dict[SimConnection, None] = {}
        self.open_requests: dict[asyncio.Future[Any], None] = {}
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.writing: list[Any] = []
        self.is_ready = False
        self._around = contextvars.copy_context()
        self._around.run(OWNER.set, self.owner)
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self._around.run(self._open)

    def _open(self) -> None:
        world = self.world
        self.database = SimDatabase(self.url, alone=world.alone)
        self.context = add_handlers(
            AppContext(
                self.database,
                SimWriter(self.database.writer, self),
                KEY,
                pubsub=SimPubSub(),
                presence=Presence(world.loop.time),
                now=self.wall,
                passed=world.loop.time,
                random=Random(f"{world.seed} {self.name}"),
            )
        )
        self.app: ASGIApp = room.create_app(Settings(Path(), self.url, KEY), self.context, post=world.post)

    def wall(self) -> float:
        """What this worker's clock says."""
        return START + self.world.loop.now + self.world.skew + self.owner.skew

    def begin(self, work: Any) -> asyncio.Task[Any]:
        """A task of this worker."""
        task = self.world.loop.create_task(work, context=self._around.copy())
        self.tasks[task] = None
        task.add_done_callback(lambda done: self.tasks.pop(done, None))
        return task

    def begin_later(self, seconds: float, do: Callable[[], None]) -> None:
        """A callback of this worker."""
        self.world.loop.call_later(seconds, do, context=self._around.copy())

    async def start(self) -> None:
        """Starts it, as the server would."""
        ready: asyncio.Future[bool] = self.world.loop.create_future()
        self._stopped: asyncio.Future[bool] = self.world.loop.create_future()
        await self._messages.put({"type": "lifespan.startup"})

        async def send(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                ready.set_result(True)
            elif message["type"] == "lifespan.startup.failed":
                self.world.note(f"start failed: {message}")
                ready.set_result(False)
            elif message["type"].startswith("lifespan.shutdown") and self.owner.is_alive:
                self._stopped.set_result(True)

        self.begin(self.app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, self._messages.get, send))
        self.is_ready = await ready
        if not self.is_ready:  # somebody else held the file, for one
            self._gone()
            self.world.failed_starts += 1
            if self.world.failed_starts > _FAILED_STARTS:
                raise RuntimeError("no worker starts any more: the world would never end")

    async def stop(self) -> None:
        """Ends it, as SIGTERM would."""
        self.is_ready = False
        await self._messages.put({"type": "lifespan.shutdown"})
        await self._stopped
        self._gone()

    def kill(self) -> None:
        """As kill -9 would."""
        if self.owner.is_alive:
            self.world.note(f"kill {self.name}")
            self._gone()

    def _gone(self) -> None:
        self.owner.is_alive = False
        self.is_ready = False
        self.world.bus.leave(self)
        for connection in list(self.connections):
            connection.end()
        self.connections.clear()
        self.database.let_go()
        for answer in list(self.open_requests):
            if not answer.done():
                answer.set_result(None)
        for task in list(self.tasks):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        self.world.graves.append(self)
        self.world.is_up()

    def end(self) -> None:
        """Closes a copy."""
        self.owner.is_alive = False
        self.database.close()
        self.world.graves.append(self)

    def bury(self) -> None:
        """Forgets what is left of it."""
        bury(self.owner)
        for task in list(self.tasks):
            with suppress(BaseException):  # nobody hears the dead
                task.get_coro().close()
        self.tasks.clear()

    def check(self) -> None:
        """Raises Killed for what still runs of a dead one."""
        if not self.owner.is_alive:
            raise Killed

    def at_statement(self, sql: str) -> None:
        """Whatever may happen just before a statement."""
        self.check()
        if self.is_a_copy:
            return
        world = self.world
        world.note_statement(self, sql)
        faults = world.faults
        if sql.startswith("ROLLBACK"):
            return
        if faults.happens("statement"):
            world.sometimes["killed at " + ("commit" if sql == "COMMIT" else sql.split(" ", 1)[0].lower())] += 1
            self.kill()
            raise Killed
        if sql.startswith("BEGIN") and faults.happens("busy"):
            faults.injected += 1
            raise _error("database is locked", "SQLITE_LOCKED")
        if faults.happens("commit" if sql == "COMMIT" else "disk") or world.loop.now < world.broken_until:
            faults.injected += 1
            world.note(f"disk {self.name} {sql[:20]}")
            raise _error(*_BROKEN[faults.dice("disk").randrange(2)])
        if in_a_thread() and world.interleaving.random() < 0.15:
            pause(world.interleaving.random() * 0.004)
            self.check()

    def committed(self, hints: list[tuple[str, int, float | None]]) -> None:
        """Whatever may happen just after a commit."""
        if self.is_a_copy:
            return
        world = self.world
        world.oracle.after_commit(self)
        if hints:
            world.bus.send(self, hints)
        if world.faults.happens("committed"):
            world.sometimes["killed after commit"] += 1
            for cause in self.writing:
                if cause is not None:
                    world.cut[cause.form] = None
            self.kill()
            raise Killed
        if in_a_thread() and world.interleaving.random() < 0.3:
            pause(world.interleaving.random() * 0.004)
            self.check()


def replace_names() -> list[tuple[Any, str, Any]]:
    """What the application is to know by another name in here: (place, name, value)."""
    found: list[tuple[Any, str, Any]] = [(room, "Listener", SimListener)]
    for name, module in sorted(sys.modules.items()):
        if name.startswith("app.") and hasattr(module, "notify_processes"):
            found.append((module, "notify_processes", notify))
        if name.startswith("app.") and hasattr(module, "tell_processes"):
            found.append((module, "tell_processes", tell))
    pragmas = tuple(pragma for pragma in db._PRAGMAS if not pragma.startswith(("busy_timeout", "synchronous")))
    found.append((db, "_PRAGMAS", (*pragmas, "busy_timeout=0", "synchronous=OFF")))
    return found
