"""Who waits for which table: "table 7 is at version 42". A hint to ask again, never the truth.

In one process it is a dictionary; between processes PostgreSQL's NOTIFY carries it. A lost hint merely slows an update.
"""

import asyncio
import logging
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable

import psycopg
from sqlalchemy import make_url, text

from app.storage.pipeline import CHANNEL
from app.storage.writer import BufferedTransaction, Transaction

_TABLES = 50_000
PLAYERS = "players"  # what is told in place of a table when what is known of guests has changed
_NO_TABLE = "thoughts"  # is told in place of one where something is due and no page shows why
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")
_log = logging.getLogger(__name__)


class Waiter:
    """One who waits for a table."""

    __slots__ = ("timer",)
    timer: asyncio.TimerHandle

    def woken(self, changed: bool) -> None:
        """Called once in the loop, unless they leave before: the table has changed, or it was long enough."""
        raise NotImplementedError


class PubSub:
    """Newest known versions by table slug, and the polls that wait for a newer one. Announce from any thread.
    `hears_others` says whether other processes' hints arrive, and have since the listeners were last told of ""."""

    def __init__(self) -> None:
        self._versions: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()
        self._waiting: defaultdict[str, set[Waiter]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: list[Callable[[str, float | None], None]] = []
        self._closing = False
        self.hears_others = False

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """The loop in which polls wait."""
        self._loop = loop

    def listen(self, listener: Callable[[str, float | None], None]) -> None:
        """Calls `listener(slug, due_at)` in the loop on every announcement; with "" when any table may have changed.
        Something may be due there from `due_at` on; nothing before the next announcement if that is None."""
        self._listeners.append(listener)

    def version(self, slug: str) -> int | None:
        """The newest version of a table that this process has heard of."""
        return self._versions.get(slug)

    def heard(self, slug: str, version: int) -> None:
        """A version that was read from the database."""
        with self._lock:
            if version > self._versions.get(slug, 0):
                self._versions[slug] = version
                self._versions.move_to_end(slug)
                if len(self._versions) > _TABLES:
                    self._versions.popitem(last=False)

    def announce(self, slug: str, version: int, due_at: float | None = 0.0) -> None:
        """A committed change: wakes who waits for it."""
        self.heard(slug, version)
        self._stir(slug, due_at)

    def tell_due(self) -> None:
        """Something is due now; nobody who waits for a table has to know."""
        self._stir(_NO_TABLE, 0.0)

    def _stir(self, slug: str, due_at: float | None = None) -> None:
        if self._loop and not self._loop.is_closed():
            soon = self._loop.call_soon if _is_here(self._loop) else self._loop.call_soon_threadsafe
            soon(self._wake, slug, due_at)

    def _wake(self, slug: str, due_at: float | None = 0.0) -> None:
        for waiter in self._waiting.pop(slug, ()):
            waiter.timer.cancel()
            waiter.woken(True)
        for listener in self._listeners:
            listener(slug, due_at)

    def deaf(self) -> None:
        """From now on hints may be missed."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(setattr, self, "hears_others", False)

    def forget(self) -> None:
        """Hints may have been missed, and will not be from now on: what was known counts no longer, and everybody who
        waits looks again."""
        with self._lock:
            self._versions.clear()
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for slug in {*self._waiting, ""}:  # the listeners look even where nobody waits
            self._wake(slug)
        self.hears_others = True

    def release(self) -> None:
        """Lets everybody go, now and from now on: the room is closing and must not wait for those who wait."""
        self._closing = True
        for slug in list(self._waiting):
            self._stir(slug)

    def wait(self, slug: str, seen: int, timeout: float, waiter: Waiter) -> bool:
        """Wakes them in the loop as soon as the table leaves version `seen`, or after `timeout` seconds. False, and
        nobody is woken, where it has left it already or everybody must go."""
        if self._closing or self._versions.get(slug) != seen:
            return False
        waiter.timer = asyncio.get_running_loop().call_later(timeout, self._give_up, slug, waiter)
        self._waiting[slug].add(waiter)
        return True

    def leave(self, slug: str, waiter: Waiter) -> None:
        """They wait no longer, and are not woken."""
        waiter.timer.cancel()
        waiting = self._waiting.get(slug)
        if waiting is not None:
            waiting.discard(waiter)
            if not waiting:
                del self._waiting[slug]

    def _give_up(self, slug: str, waiter: Waiter) -> None:
        self.leave(slug, waiter)
        waiter.woken(False)


def _is_here(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether this is its thread, where nothing has to wake it."""
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False


def notify_processes(transaction: Transaction, slug: str, version: int, due_at: float | None = 0.0) -> None:
    """Carries the hint of `announce` to the other processes with this transaction's commit; SQLite has no others."""
    hint = f"{slug} {version} {due_at}"
    if isinstance(transaction, BufferedTransaction):
        transaction.hints.append(hint)
    elif transaction.connection.dialect.name == "postgresql":
        transaction.connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": hint})


def _moment(word: str) -> float | None:
    try:
        return None if word == "None" else float(word)
    except ValueError:  # it does not say: perhaps now
        return 0.0


class Listener:
    """Hears the other processes' hints on a PostgreSQL connection of its own."""

    def __init__(self, url: str, pubsub: PubSub) -> None:
        parts = make_url(url)
        _, self._options = parts.get_dialect()().create_connect_args(parts)  # what all other connections are made with
        self._wakeups = pubsub
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends listening within about a second."""
        self._stop.set()
        self._thread.join()

    def _serve(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(
                    **self._options, autocommit=True, keepalives_idle=2, keepalives_count=2, keepalives_interval=1
                ) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._wakeups.forget()  # nobody told us anything until now
                    while not self._stop.is_set():
                        for notice in connection.notifies(timeout=1):
                            for hint in notice.payload.split("\n"):
                                slug, _, rest = hint.partition(" ")
                                version, _, due_at = rest.partition(" ")
                                if version.isdecimal():  # else it is none of ours
                                    self._wakeups.announce(slug, int(version), _moment(due_at))
            except psycopg.Error as error:
                self._wakeups.deaf()
                _log.warning("LISTEN connection lost, reconnecting: %s", error)
                self._stop.wait(1)
