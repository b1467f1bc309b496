"""Who waits for which table: "table 7 is at version 42". A hint to ask again, never the truth.

In one process it is a dictionary; between processes PostgreSQL's NOTIFY carries it. A lost hint merely slows an update.
The same way goes what is no history, "seat 3 of table 7 is writing": who waits just then is told, and nobody later.
"""

import asyncio
import logging
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVarTuple

import psycopg
from sqlalchemy import make_url, text

from app.storage.pipeline import CHANNEL, NOTIFY, payloads, sender_of
from app.storage.turns import WAITS, Turns
from app.storage.writer import GatheredTransaction, Transaction

_TABLES = 50_000
_SEATS = 10_000  # that were heard lately
_SILENCE = 1.0  # seconds, between two things of a kind that are told of a seat
PLAYERS = "players"  # what is told in place of a table when what is known of guests has changed
SUBSCRIBERS = "subscribers"  # likewise, when a browser wants to be woken from now on
KEEPER = "keeper"  # and when whoever keeps the room has done something that holds for all
_NO_TABLE = "thoughts"  # is told in place of one where something is due and no page shows why
_NOTIFY = text(NOTIFY % (":channel", ":payloads"))
Given = TypeVarTuple("Given")
_log = logging.getLogger(__name__)


class Told(NamedTuple):
    """Something of a seat that is seen now or never: a word for what it is, and which of all that this process has told
    it is."""

    kind: str
    seat: int
    number: int


class Waiter:
    """One who waits at some places, and what they are told when they are woken, if that is no change."""

    __slots__ = ("places", "timer", "told")
    places: tuple[str, ...]
    timer: asyncio.TimerHandle
    told: Told | None

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
        self._told_at: OrderedDict[tuple[str, str, int], float] = OrderedDict()
        self._number = 0
        self.hears_others = False
        self.turns = Turns(lambda place: self._call(self._wake_waiting, place, None))

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

    def tell(self, slug: str, kind: str, seat: int) -> None:
        """Wakes who waits for the table with what is no change of it. A seat is heard once a second with
        each kind of it; no listener is."""
        self._call(self._tell, slug, kind, seat)

    def _tell(self, slug: str, kind: str, seat: int) -> None:
        now, last = time.monotonic(), self._told_at.get((slug, kind, seat))
        if slug not in self._waiting or (last is not None and now - last < _SILENCE):
            return
        self._told_at[slug, kind, seat] = now
        self._told_at.move_to_end((slug, kind, seat))
        if len(self._told_at) > _SEATS:
            self._told_at.popitem(last=False)
        self._number += 1
        self._wake_waiting(slug, Told(kind, seat, self._number))

    def tell_due(self) -> None:
        """Something is due now; nobody who waits for a table has to know."""
        self._stir(_NO_TABLE, 0.0)

    def _stir(self, slug: str, due_at: float | None = None) -> None:
        self._call(self._wake, slug, due_at)

    def _call(self, work: Callable[[*Given], None], *given: *Given) -> None:
        if self._loop and not self._loop.is_closed():
            soon = self._loop.call_soon if _is_here(self._loop) else self._loop.call_soon_threadsafe
            soon(work, *given)

    def _wake_waiting(self, slug: str, told: Told | None = None) -> None:
        for waiter in [*self._waiting.get(slug, ())]:
            self.leave(waiter)
            waiter.told = told
            waiter.woken(True)

    def _wake(self, slug: str, due_at: float | None = 0.0) -> None:
        self._wake_waiting(slug)
        for listener in self._listeners:
            listener(slug, due_at)

    def deaf(self) -> None:
        """From now on hints may be missed."""
        self._call(setattr, self, "hears_others", False)

    def forget(self) -> None:
        """Hints may have been missed, and will not be from now on."""
        self.doubt()
        self._call(setattr, self, "hears_others", True)

    def doubt(self) -> None:
        """Something may have changed that nobody tells: what was known counts no longer, and everybody who waits looks
        again."""
        with self._lock:
            self._versions.clear()
        self.turns.forget()
        self._call(self._wake_all)

    def _wake_all(self) -> None:
        for slug in {*self._waiting, ""}:  # the listeners look even where nobody waits
            self._wake(slug)

    def release(self) -> None:
        """Lets everybody go, now and from now on: the room is closing and must not wait for those who wait."""
        self._closing = True
        for slug in list(self._waiting):
            self._stir(slug)

    @property
    def waiting(self) -> int:
        """How many pages wait for news."""
        return sum(len(waiters) for waiters in [*self._waiting.values()])

    def wait(self, slug: str, seen: int, timeout: float, waiter: Waiter, *others: str) -> bool:
        """Wakes them in the loop as soon as the table leaves version `seen` or something happens at the `others`, or
        after `timeout` seconds. False, and nobody is woken, where it has left it already or everybody must go."""
        return self._versions.get(slug) == seen and self.wait_at((slug, *others), timeout, waiter)

    def wait_at(self, places: tuple[str, ...], timeout: float, waiter: Waiter) -> bool:
        """The same for places that have no versions."""
        if self._closing:
            return False
        waiter.told, waiter.places = None, places
        waiter.timer = asyncio.get_running_loop().call_later(timeout, self._give_up, waiter)
        for place in places:
            self._waiting[place].add(waiter)
        return True

    def leave(self, waiter: Waiter) -> None:
        """They wait no longer, and are not woken."""
        waiter.timer.cancel()
        for place in waiter.places:
            waiting = self._waiting.get(place)
            if waiting is not None:
                waiting.discard(waiter)
                if not waiting:
                    del self._waiting[place]

    def _give_up(self, waiter: Waiter) -> None:
        self.leave(waiter)
        waiter.woken(False)


def _is_here(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether this is its thread, where nothing has to wake it."""
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False


def notify_processes(transaction: Transaction, slug: str, version: int, due_at: float | None = 0.0) -> None:
    """Carries the hint of `announce` to the other processes with this transaction's commit; SQLite has no others."""
    notify(transaction, f"{slug} {version} {due_at}")


def tell_turns(transaction: Transaction, slug: str, changed: Mapping[int, bool]) -> None:
    """Carries the hint of `Turns.hear` likewise: a player for whom the table does not wait any more has a minus."""
    notify(
        transaction, " ".join((slug, WAITS, *(f"{number if waits else -number}" for number, waits in changed.items())))
    )


def notify(transaction: Transaction, *hints: str) -> None:
    """Carries hints to the other processes with this transaction's commit."""
    if isinstance(transaction, GatheredTransaction):
        transaction.hints += hints
    elif transaction.connection.dialect.name == "postgresql":
        sender = sender_of(transaction.connection)
        transaction.connection.execute(_NOTIFY, {"channel": CHANNEL, "payloads": payloads(hints, sender)})


def tell_processes(transaction: Transaction, slug: str, kind: str, seat: int) -> None:
    """Carries the hint of `tell` to all processes that listen, this one among them, with this transaction's commit."""
    transaction.connection.execute(_NOTIFY, {"channel": CHANNEL, "payloads": [f"{slug} {kind} {seat}"]})


def _moment(word: str) -> float | None:
    try:
        return None if word == "None" else float(word)
    except ValueError:  # it does not say: perhaps now
        return 0.0


class Listener:
    """Hears the other processes' hints on a PostgreSQL connection of its own; not those of its own `sender`."""

    def __init__(self, url: str, pubsub: PubSub, sender: str = "") -> None:
        self._own = f"={sender}\n"
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
                            if notice.payload.startswith(self._own):
                                continue
                            for hint in notice.payload.split("\n"):
                                self._hear(*hint.split(" ", 2))
            except psycopg.Error as error:
                self._wakeups.deaf()
                _log.warning("LISTEN connection lost, reconnecting: %s", error)
                self._stop.wait(1)

    def _hear(self, slug: str, what: str = "", rest: str = "") -> None:
        if what.isdecimal():
            self._wakeups.announce(slug, int(what), _moment(rest))
        elif what == WAITS:
            players = [int(number) for number in rest.split(" ") if number.lstrip("-").isdecimal()]
            self._wakeups.turns.hear(slug, {abs(player_id): player_id > 0 for player_id in players})
        elif what.isalpha() and rest.isdecimal():  # else it is none of ours
            self._wakeups.tell(slug, what, int(rest))
