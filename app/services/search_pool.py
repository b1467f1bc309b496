"""Thinking about moves, in processes of their own: who plays must not wait for who thinks."""

import os
import signal
from collections import OrderedDict, deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from threading import Condition, Lock, Thread
from time import monotonic
from traceback import format_tb
from typing import Any, Final, NamedTuple

from snug.bots import levels
from snug.bots.search import Thought
from snug.engine.game import Move, View

_MOST: Final = 512  # thoughts that may wait; of each kind
_WAIT: Final = 10.0  # seconds after which it is too late to begin with what was urgent
_PATIENCE: Final = 30.0  # seconds after which a thought is given up
_NICE: Final = 10
_TABLES: Final = 4096  # at which bots may be thinking
_SPAWN: Final = get_context("spawn")  # this process has threads, which a fork would not survive


Moment = tuple[int, ...]  # of a table: what it was like when somebody began to think


class NoThought(Exception):
    """Nothing came of thinking: it took too long, or it went wrong."""


class TooMuch(NoThought):
    """There is more to think about than can be thought in time."""


class _Question(NamedTuple):
    answer: "Future[Thought]"
    asked: tuple[str, View, int, int | None, Sequence[Move]]
    since: float


class SearchPool:
    """Up to `workers` processes that think, begun when there is something to think about; with none the caller thinks
    himself. Nothing but what a seat knows is ever given to them. A process that dies, or thinks for longer than
    `patience` seconds, is replaced, and takes nothing with it but the thought it had. At most `most` of each kind
    wait, what is urgent for no longer than `wait` seconds."""

    def __init__(
        self, workers: int = 0, *, patience: float = _PATIENCE, most: int = _MOST, wait: float = _WAIT
    ) -> None:
        self._workers, self._patience, self._most, self._wait = workers, patience, most, wait
        self._changed = Condition()
        self._urgent: deque[_Question] = deque()
        self._unhurried: deque[_Question] = deque()
        self._unhurried_in_hand = 0
        self._threads: list[Thread] = []
        self._idle = 0
        self._processes: set[_Process] = set()
        self._closed = False

    @property
    def think_apart(self) -> bool:
        """Whether thinking happens beside the caller, who gets his answer later."""
        return self._workers > 0

    @property
    def delay(self) -> float:
        """For how many seconds the longest of what is urgent has been waiting."""
        with self._changed:
            return monotonic() - self._urgent[0].since if self._urgent else 0.0

    def submit(
        self,
        game_key: str,
        view: View,
        seed: int,
        positions: int | None = None,
        *,
        urgent: bool = True,
        also: Sequence[Move] = (),
    ) -> "Future[Thought]":
        """What a sharp player thinks in the viewer's place, who must be to act in a game with imagination; the same for
        the same seed. `positions`: how far he looks, if not as far as always; `also`: moves that he is asked about.
        What is not `urgent` is thought about while nothing urgent waits, and leaves one process free for that where
        there are several. The future fails with NoThought; TooMuch where that is because of all the others."""
        question = _Question(Future(), (game_key, view, seed, positions, also), monotonic())
        if not self._workers:
            question.answer.set_running_or_notify_cancel()
            _settle(question.answer, _think(*question.asked))
            return question.answer
        with self._changed:
            queue = self._urgent if urgent else self._unhurried
            if self._closed or len(queue) >= self._most:
                question.answer.set_exception(TooMuch())
                return question.answer
            queue.append(question)
            if len(self._urgent) + len(self._unhurried) > self._idle and len(self._threads) < self._workers:
                thread = Thread(target=self._serve, name="thinker", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify_all()
        return question.answer

    def close(self) -> None:
        """Ends the processes; what is not thought out fails."""
        with self._changed:
            self._closed = True
            left = [*self._urgent, *self._unhurried]
            self._urgent.clear()
            self._unhurried.clear()
            for process in self._processes:
                process.kill()
            self._changed.notify_all()
        for question in left:
            if question.answer.set_running_or_notify_cancel():
                question.answer.set_exception(NoThought("the room closes"))
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        """Puts one question after the other to a process of its own."""
        process: _Process | None = None
        while found := self._next():
            question, urgent = found
            try:
                if not question.answer.set_running_or_notify_cancel():
                    continue
                answer: Thought | NoThought = TooMuch()
                try:
                    if not urgent or monotonic() - question.since < self._wait:
                        if process and not process.is_alive:
                            self._forget(process)
                            process = None
                        process = process or self._begin()
                        answer = process.ask(question.asked, self._patience)
                except Exception as error:  # it died, was given what it cannot read, or could not even begin
                    answer = _went_wrong(error)
                    if process:
                        self._forget(process)
                    process = None
                _settle(question.answer, answer)
            finally:
                with self._changed:
                    self._unhurried_in_hand -= not urgent
                    self._changed.notify_all()
        if process:
            self._forget(process)

    def _next(self) -> tuple[_Question, bool] | None:
        """The next question, and whether it is urgent; None when the room closes."""
        with self._changed:
            self._idle += 1
            try:
                while not self._closed:
                    if self._urgent:
                        return self._urgent.popleft(), True
                    if self._unhurried and self._unhurried_in_hand < max(1, self._workers - 1):
                        self._unhurried_in_hand += 1
                        return self._unhurried.popleft(), False
                    self._changed.wait()
            finally:
                self._idle -= 1
        return None

    def _begin(self) -> "_Process":
        process = _Process()
        with self._changed:
            self._processes.add(process)
            if self._closed:
                process.kill()
        return process

    def _forget(self, process: "_Process") -> None:
        with self._changed:
            self._processes.discard(process)
        process.end()


class _Process:
    """One process that thinks."""

    def __init__(self) -> None:
        self._wire, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(theirs,), name="thinker", daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, asked: tuple[Any, ...], patience: float) -> Thought | NoThought:
        """What it answers. Raises TimeoutError, or whatever else keeps it from answering: then it is of no more use."""
        self._wire.send(asked)
        if not self._wire.poll(patience):
            raise TimeoutError
        answer: Thought | NoThought = self._wire.recv()
        return answer

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked: nobody has killed it while there was nothing to think about."""
        return self._process.is_alive()

    def kill(self) -> None:
        """Ends it whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """Ends it and lets go of all it had."""
        self._wire.close()
        self.kill()
        self._process.join()


def _settle(future: "Future[Thought]", answer: Thought | NoThought) -> None:
    if isinstance(answer, NoThought):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def _think(game_key: str, view: View, seed: int, positions: int | None, also: Sequence[Move]) -> Thought | NoThought:
    try:
        return levels.thought(game_key, view, Random(seed), positions, also)
    except Exception as error:  # whatever it is, it is for who waits
        return _went_wrong(error)


def _went_wrong(error: Exception) -> NoThought:
    """What an error says may name cards: where it was raised does not."""
    return NoThought(f"{type(error).__name__}\n{''.join(format_tb(error.__traceback__))}")


def _work(wire: Connection) -> None:  # runs in the process
    """Answers until nobody asks any more; the room closes this, whatever is pressed at the keyboard."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    if hasattr(os, "setsid"):
        os.setsid()  # Linux shares a machine out to sessions: what is thought must not be taken from the room's share
    with suppress(EOFError, OSError):
        while True:
            wire.send(_think(*wire.recv()))


class PendingSearches:
    """What the bots at the tables think about in this process: one of each table at a time. What was thought of a
    moment that has passed is dropped with the next, or when too many tables have come after it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_table: OrderedDict[str, tuple[Moment, Future[Thought]]] = OrderedDict()
        self._waited: dict[str, Moment] = {}
        self._thought_out: dict[str, None] = {}

    def of(self, slug: str, moment: Moment) -> "Future[Thought] | None":
        """What is thought about this moment of a table, if anything is."""
        kept = self._by_table.get(slug)
        return kept[1] if kept and kept[0] == moment else None

    def keep(self, slug: str, moment: Moment, thought: "Future[Thought]") -> None:
        """This is thought about now, and whatever was before is of no use."""
        with self._lock:
            passed = [self._by_table.pop(slug, None)]
            self._by_table[slug] = moment, thought
            self._waited.pop(slug, None)
            if len(self._by_table) > _TABLES:
                gone, oldest = self._by_table.popitem(last=False)
                self._waited.pop(gone, None)
                passed.append(oldest)
        for kept in passed:
            if kept:
                kept[1].cancel()

    def wait_for(self, slug: str, moment: Moment) -> None:
        """The table waits for nothing but what is thought about this moment."""
        with self._lock:
            self._waited[slug] = moment

    def waited(self, slug: str) -> "tuple[Moment, Future[Thought]] | None":
        """The moment about which a table waits to hear, and what is thought."""
        kept = self._by_table.get(slug)
        return kept if kept and kept[0] == self._waited.get(slug) else None

    def come_out(self, slug: str) -> None:
        """A table has waited for a thought that is there now."""
        with self._lock:
            self._thought_out[slug] = None

    def take_thought_out(self) -> list[str]:
        """The tables at which that was so; each is told once."""
        with self._lock:
            slugs = [*self._thought_out]
            self._thought_out.clear()
        return slugs
