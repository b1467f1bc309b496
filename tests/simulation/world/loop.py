"""A world without a clock of its own: an event loop in virtual time, threads that take turns, chance that is known.

Whatever runs belongs to somebody: a worker, a browser, or the world. Among several who could go on a die decides; what
belongs to the same one keeps its order. Work that the room gives to threads runs in greenlets, which let others go on
at every statement of theirs.
"""

import asyncio
import contextvars
import heapq
import os
import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import anyio.to_thread
import greenlet  # type: ignore[import-untyped]

Result = TypeVar("Result")
START = 1_700_000_000.0  # when every world begins


class Owner:
    """Whose something is. What belongs to one who is dead never runs again; `skew` is how wrong the wall clock is."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_alive = True
        self.skew = 0.0
        self.threads: dict[Any, None] = {}

    def __repr__(self) -> str:
        return self.name


WORLD = Owner("world")
OWNER: contextvars.ContextVar[Owner] = contextvars.ContextVar("owner", default=WORLD)


class Standstill(RuntimeError):
    """Nothing is ready and nothing will ever be."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Jumps to the next timer when nothing is ready. `dice` say who goes on."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self.dice = dice
        self.now = 0.0
        self.missed = 0.0
        """Seconds in which the machine slept or nobody was running the room."""

    def time(self) -> float:
        return self.now

    def sleep_through(self, seconds: float) -> None:
        """The machine is suspended."""
        self.now += seconds
        self.missed += seconds

    def _check_closed(self) -> None: ...

    def _process_events(self, event_list: Any) -> None: ...

    def _write_to_self(self) -> None: ...

    def _run_once(self) -> None:
        scheduled: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        ready: deque[asyncio.Handle] = self._ready  # type: ignore[attr-defined]
        if not ready and not self._stopping:  # type: ignore[attr-defined]
            while scheduled and scheduled[0].cancelled():
                heapq.heappop(scheduled)
            if not scheduled:
                raise Standstill
            self.now = max(self.now, scheduled[0].when())
        while scheduled and (scheduled[0].cancelled() or scheduled[0].when() <= self.now):
            timer = heapq.heappop(scheduled)
            if not timer.cancelled():
                ready.append(timer)
        self._timer_cancelled_count = 0
        if ready:
            handle = self._chosen(ready)
            if not handle.cancelled() and _owner_of(handle).is_alive:
                handle._run()

    def _chosen(self, ready: deque[asyncio.Handle]) -> asyncio.Handle:
        first: dict[Owner, int] = {}
        for place, handle in enumerate(ready):
            first.setdefault(_owner_of(handle), place)
        if len(first) == 1:
            return ready.popleft()
        places = list(first.values())
        place = places[self.dice.randrange(len(places))]
        handle = ready[place]
        del ready[place]
        return handle

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """An executor of one thread does one thing after the other."""
        single = executor is not None and getattr(executor, "_max_workers", 0) == 1
        before = getattr(executor, "_last", None) if single else None
        done = self.create_future()
        owner = OWNER.get()

        async def work() -> None:
            if before is not None and not before.done():
                await asyncio.wait([before])
            try:
                result = await in_thread(lambda: func(*args))
            except Exception as error:
                if not done.cancelled():
                    done.set_exception(error)
            else:
                if not done.cancelled():
                    done.set_result(result)

        if not owner.is_alive:
            return done
        if single:
            executor._last = done  # type: ignore[union-attr]
        task = self.create_task(work())
        task._log_destroy_pending = False  # type: ignore[attr-defined]
        return done


def _owner_of(handle: asyncio.Handle) -> Owner:
    context: contextvars.Context = handle._context  # type: ignore[attr-defined]
    return context.get(OWNER, WORLD)


async def in_thread(work: Callable[[], Result], *, is_left_on_cancel: bool = False) -> Result:
    """Runs the work as a thread of whoever asks."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()
    owner = OWNER.get()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # whatever it is, it is for who waits
            owner.threads.pop(thread, None)
            if owner.is_alive and not done.done():
                if isinstance(error, Exception):
                    done.set_exception(error)
                else:
                    done.cancel()
        else:
            owner.threads.pop(thread, None)
            if not done.done():
                done.set_result(result)

    thread = greenlet.greenlet(run)
    thread.gr_context = contextvars.copy_context()
    owner.threads[thread] = None

    def step(_done: object = None) -> None:
        if not owner.is_alive:
            return
        waits = thread.switch()
        if thread.dead:
            return
        if isinstance(waits, Future):
            waits.add_done_callback(lambda _: loop.call_soon(step))
        else:
            loop.call_later(waits, step)

    loop.call_soon(step)
    if is_left_on_cancel:
        return await done
    left: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError as error:
            left = error
        except Exception:
            break
    if left is not None and not done.cancelled():
        done.exception()
        raise left
    return done.result()


def in_a_thread() -> bool:
    """Whether this is one of those greenlets."""
    return greenlet.getcurrent().parent is not None


def pause(seconds: float) -> None:
    """In a thread: others go on, and this one after so many seconds."""
    if in_a_thread():
        greenlet.getcurrent().parent.switch(seconds)


def wait_for(future: "Future[Result]") -> Result:
    """In a thread: others go on until there is a result."""
    while not future.done():
        assert in_a_thread(), "only a thread may wait"
        greenlet.getcurrent().parent.switch(future)
    return future.result()


def bury(owner: Owner) -> None:
    """Ends what is left of the threads of one who is dead."""
    owner.is_alive = False
    for thread in list(owner.threads):
        with suppress(BaseException):  # nobody hears the dead
            thread.throw(greenlet.GreenletExit)
    owner.threads.clear()


@contextmanager
def known(loop: VirtualLoop, seed: str) -> Iterator[None]:
    """While this lasts, time is the loop's, chance comes from the seed, and threads are greenlets."""
    chance = random.Random(f"{seed} chance")

    def urandom(length: int) -> bytes:
        return chance.randbytes(length)

    def wall() -> float:
        return START + loop.now + OWNER.get().skew

    async def to_thread(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return await in_thread(lambda: func(*args, **kwargs), is_left_on_cancel=True)

    async def run_sync(func: Callable[..., Any], *args: Any, **_options: Any) -> Any:
        return await in_thread(lambda: func(*args))

    replaced: list[tuple[Any, str, Any]] = [
        (time, "time", wall),
        (time, "time_ns", lambda: int(wall() * 1e9)),
        (time, "monotonic", lambda: loop.now),
        (time, "perf_counter", lambda: loop.now),
        (time, "sleep", pause),
        (os, "urandom", urandom),
        (random, "_urandom", urandom),
        (asyncio, "to_thread", to_thread),
        (anyio.to_thread, "run_sync", run_sync),
    ]
    before = [(place, name, getattr(place, name)) for place, name, _ in replaced]
    assert secrets.SystemRandom is random.SystemRandom
    for place, name, value in replaced:
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)
