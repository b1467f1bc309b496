"""Two processes look after the clocks of the same tables on PostgreSQL, and are killed in the middle of it again and
again: every timeout is applied exactly once."""

import asyncio
import math
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from itertools import pairwise
from multiprocessing.process import BaseProcess
from typing import Any

import pytest

from app.jobs import heartbeat, scheduler
from app.jobs.scheduler import Scheduler
from app.services.context import AppContext
from app.services.handlers import add_handlers
from app.services.queries.records import match_record
from app.services.seats import pause
from app.services.table.clocks import ClockRules
from app.services.table.held_table import HeldTable
from app.storage.db import Database
from app.storage.pubsub import PubSub
from app.storage.writers import open_writer
from snug.engine.game import convert
from snug.engine.record import Record, read, replay
from tests.conftest import KEY, OpenContext
from tests.factories import Party, begin

SPEED = 200  # seconds of the tables that pass in a second of the test
TABLES = 6
SEATS = 3
STANDSTILL = 120.0  # seconds in which no table changes
KILL_EVERY = 10  # moves
BRISK = ClockRules("brisk", "move")


def _fast_time(start: float) -> Callable[[], float]:
    return lambda: start + (time.time() - start) * SPEED


def _dying(function: Any, dice: random.Random, chance: float) -> Any:
    """The function, but now and then the process dies before it."""

    def mortal(*args: Any, **changes: Any) -> Any:
        if dice.random() < chance:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **changes)

    return mortal


def _work(url: str, start: float, seed: int, chance: float) -> None:
    """A worker's scheduler. It may die inside a transaction, and between the commit and telling anybody."""
    scheduler._IDLE = 0.02
    scheduler.EVERY = 0.02  # type: ignore[attr-defined]
    heartbeat.GRACE = 0.0  # type: ignore[misc]
    dice = random.Random(seed)
    HeldTable.store = _dying(HeldTable.store, dice, chance)  # type: ignore[method-assign]
    PubSub.announce = _dying(PubSub.announce, dice, chance)  # type: ignore[method-assign]
    database = Database(url)
    context = add_handlers(AppContext(database, open_writer(database), KEY, now=_fast_time(start)))
    context.room_time.outage = math.inf  # at this speed every hiccup would be one

    async def run() -> None:
        context.pubsub.attach(asyncio.get_running_loop())
        Scheduler(context).start()
        await asyncio.Event().wait()

    asyncio.run(run())


class Workers:
    """Two workers; one that is found dead is replaced."""

    def __init__(self, url: str, start: float, chance: float) -> None:
        self._kind = multiprocessing.get_context("forkserver")
        self._kind.set_forkserver_preload([__name__])
        self._given = url, start
        self._chance = chance
        self._seeds = iter(range(10_000))
        self.deaths = 0
        self._workers = [self._hire(), self._hire()]

    def _hire(self) -> BaseProcess:
        worker = self._kind.Process(target=_work, args=(*self._given, next(self._seeds), self._chance), daemon=True)
        worker.start()
        return worker

    def replace_the_dead(self) -> None:
        """Looks after both."""
        for place, worker in enumerate(self._workers):
            if not worker.is_alive():
                assert worker.exitcode == -signal.SIGKILL, f"a worker died of something else: {worker.exitcode}"
                self.deaths += 1
                self._workers[place] = self._hire()

    def kill_one(self, which: int) -> None:
        """SIGKILL, wherever it is just now."""
        self._workers[which % 2].kill()
        self._workers[which % 2].join()

    def close(self) -> None:
        """Both go home."""
        for worker in self._workers:
            worker.kill()
            worker.join()


@pytest.mark.postgres
def test_each_timeout_is_applied_exactly_once_although_workers_are_killed(
    open_context: OpenContext, postgres_url: str
) -> None:
    context = open_context(postgres_url)
    start = time.time()
    context.now = _fast_time(start)
    parties = [begin(context, SEATS, rounds=1) for _ in range(TABLES)]
    for party in parties:
        party.write(pause.set_clock, 1, BRISK)
    versions = {party.slug: party.version for party in parties}
    first_due = {party.slug: party.due_at() or math.inf for party in parties}
    workers = Workers(postgres_url, start, chance=0.03)
    try:
        began, kills, before = time.monotonic(), 0, sum(versions.values())
        changed_at, reached = began, before
        while not all(party.look().table.is_finished for party in parties):
            time.sleep(0.05)
            if (now := sum(party.version for party in parties)) > reached:
                changed_at, reached = time.monotonic(), now
            assert time.monotonic() - changed_at < STANDSTILL, "the tables stand still"
            if reached >= before + KILL_EVERY:
                before, kills = before + KILL_EVERY, kills + 1
                workers.kill_one(kills)
            workers.replace_the_dead()
    finally:
        workers.close()
    assert workers.deaths >= 5
    for party in parties:
        _every_turn_timed_out_once(party, versions[party.slug], first_due[party.slug])
    print(f"{workers.deaths} deaths in {time.monotonic() - began:.0f} s")


def _every_turn_timed_out_once(party: Party, version: int, first_due: float) -> None:
    """Nobody ever moved: each move is a pass by the clock, at least an allowance after the one before was due."""
    moves = [row for row in party.moves() if row.seat]
    assert {row.move["move"] for row in moves} == {"pass"}
    assert all(row.seen is None for row in moves)
    seats = [row.seat for row in moves]
    assert seats == [1 + number % SEATS for number in range(len(moves))]
    sets = -(-48 // (3 * SEATS))
    assert len(moves) == sets * SEATS
    for number, row in enumerate(moves):
        assert row.made_at >= first_due + BRISK.allowance * number
    versions = [version, *(row.version for row in moves)]
    assert all(later > earlier for earlier, later in pairwise(versions))
    with party.context.database.reading() as connection:
        record = read(convert(match_record(connection, party.slug), Record))
    *_, report = replay(record)
    assert report.refused is None
    assert report.match.over
