"""Due times: bots that have thought long enough, clocks and countdowns that have run out; the pulse and the roll call.

The database says what is due; this loop only asks in time. Several processes may run it: `attend` looks again under
the table's lock, so that what is due happens once.
"""

import asyncio
import logging
import time

from sqlalchemy import func, select

from app.models import Table
from app.services import company, pulse, tournaments
from app.services.house import House
from app.services.play import attend

_IDLE = 1.0
_BATCH = 50
_log = logging.getLogger(__name__)


class Clockwork:
    """Runs in the event loop; the work itself runs in threads and never blocks it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._stirred = asyncio.Event()
        self._stopping = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._awake = False
        self._beat_at = 0.0

    def start(self) -> None:
        """Begins to tick; a change at any table makes it look at once."""
        self._house.wakeups.listen(lambda _slug: self._stirred.set())
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._call_rolls())]

    async def stop(self) -> None:
        """Ends after what is being done."""
        self._stopping.set()
        self._stirred.set()
        await asyncio.gather(*self._tasks)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._stirred.clear()
            try:
                pause = await asyncio.to_thread(self._beat_and_attend)
            except Exception:
                _log.exception("the clockwork slipped a tooth and goes on")
                pause = _IDLE
            try:
                await asyncio.wait_for(self._stirred.wait(), pause)
            except TimeoutError:
                continue

    async def _call_rolls(self) -> None:
        """Beside the clocks, which it must not keep waiting."""
        while not self._stopping.is_set():
            try:
                await asyncio.to_thread(self._call_roll)
            except Exception:
                _log.exception("the clockwork could not call the roll and goes on")
            try:
                await asyncio.wait_for(self._stopping.wait(), company.EVERY)
            except TimeoutError:
                continue

    def _call_roll(self) -> None:
        with self._house.database.reading() as connection:
            pages = company.open_pages(self._house, connection)
        for slug, players in pages.items():
            self._house.write(company.call_roll, slug, players)

    def _beat_and_attend(self) -> float:
        now = time.monotonic()
        if now >= self._beat_at:
            self._house.write(pulse.beat if self._awake else pulse.wake_up)
            self._awake, self._beat_at = True, now + pulse.EVERY
        return self._attend_due()

    def _attend_due(self) -> float:
        """Attends what is due and gives the seconds until the next look."""
        with self._house.database.reading() as connection:
            due = connection.execute(
                select(Table.id).where(Table.due_at <= self._house.now()).order_by(Table.due_at).limit(_BATCH)
            ).scalars()
            due_ids = list(due)
        slipped = False
        for table_id in due_ids:
            try:
                self._house.write(attend, table_id)
            except Exception:  # one table's trouble is not the others'
                _log.exception("the clockwork slipped a tooth at table %s and goes on", table_id)
                slipped = True
        try:
            tournaments.attend_due(self._house)
        except Exception:
            _log.exception("the clockwork could not look after the tournaments and goes on")
            slipped = True
        with self._house.database.reading() as connection:
            next_due = connection.execute(select(func.min(Table.due_at))).scalar_one()
        if slipped or next_due is None:
            return _IDLE
        return float(min(_IDLE, max(0.0, next_due - self._house.now())))
