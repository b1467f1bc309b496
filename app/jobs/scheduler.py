"""Due times: bots that have thought long enough, clocks and countdowns that have run out; the heartbeat and who is
present.

The database says what is due; this loop only asks in time. Several processes may run it: `run_due` looks again under
the table's lock, so that what is due happens once.
"""

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy import func, select

from app.jobs import heartbeat
from app.services.context import AppContext
from app.services.seats import presence
from app.services.tournaments import stages
from app.storage.models import Table

_IDLE = 1.0
_BATCH = 64
_TOGETHER = 8  # tables that share a commit: a player's move comes in between after so many
_log = logging.getLogger(__name__)


class Scheduler:
    """Runs in the event loop; the work itself runs in threads and never blocks it."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._stirred = asyncio.Event()
        self._stopping = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to tick; a change after which something is due soon makes it look at once."""
        self._context.pubsub.listen(self._hear)
        self._tasks = [
            asyncio.create_task(self._run()),
            asyncio.create_task(self._repeat(self._beat, heartbeat.EVERY, "could not keep the heartbeat")),
            asyncio.create_task(self._repeat(self._update_presence, presence.EVERY, "could not update presence")),
        ]

    def _hear(self, _slug: str, due_at: float | None) -> None:
        if due_at is not None and due_at <= self._context.now() + _IDLE:
            self._stirred.set()

    async def stop(self) -> None:
        """Ends after what is being done, with a last beat: from then on the room is down."""
        self._stopping.set()
        self._stirred.set()
        await asyncio.gather(*self._tasks)
        try:
            await asyncio.to_thread(self._beat)
        except Exception:
            _log.exception("last heartbeat failed; the scheduler stops")

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._stirred.clear()
            try:
                pause = await asyncio.to_thread(self._run_due)
            except Exception:
                _log.exception("due moves failed; the scheduler goes on")
                pause = _IDLE
            try:
                await asyncio.wait_for(self._stirred.wait(), pause)
            except TimeoutError:
                continue

    async def _repeat(self, work: Callable[[], None], every: float, trouble: str) -> None:
        """Beside the clocks, which must keep nothing waiting and not be kept."""
        while not self._stopping.is_set():
            try:
                await asyncio.to_thread(work)
            except Exception:
                _log.exception("the scheduler %s and goes on", trouble)
            try:
                await asyncio.wait_for(self._stopping.wait(), every)
            except TimeoutError:
                continue

    def _beat(self) -> None:
        self._context.write(heartbeat.beat)

    def _catch_up(self) -> None:
        """Before anything is done because its time is up: perhaps nobody was there to see the time pass."""
        with self._context.database.reading() as connection:
            steady = heartbeat.is_steady(self._context, connection)
        if not steady:
            self._beat()

    def _update_presence(self) -> None:
        self._catch_up()
        with self._context.database.reading() as connection:
            pages = presence.open_pages(self._context, connection)
        for slug, players in pages.items():
            self._context.write(presence.update_presence, slug, players)

    def _run_due(self) -> float:
        """Attends what is due and gives the seconds until the next look."""
        self._catch_up()
        with self._context.database.reading() as connection:
            due = connection.execute(
                select(Table.id).where(Table.due_at <= self._context.now()).order_by(Table.due_at).limit(_BATCH)
            ).scalars()
            due_ids = list(due)
        slipped = False
        for at in range(0, len(due_ids), _TOGETHER):
            raised = self._context.write_all(heartbeat.attend, due_ids[at : at + _TOGETHER])
            for table_id, error in raised.items():
                # one table's trouble is not the others'
                _log.error("due moves at table %s failed; the scheduler goes on", table_id, exc_info=error)
                slipped = True
        try:
            self._catch_up()
            stages.run_due(self._context)
        except Exception:
            _log.exception("due tournaments failed; the scheduler goes on")
            slipped = True
        with self._context.database.reading() as connection:
            next_due = connection.execute(select(func.min(Table.due_at))).scalar_one()
        if slipped or next_due is None:
            return _IDLE
        return float(min(_IDLE, max(0.0, next_due - self._context.now())))
