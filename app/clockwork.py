"""Due times: bots that have thought long enough, clocks and countdowns that have run out; the pulse and the roll call.

The database says what is due; this loop only asks in time. Several processes may run it: `attend` looks again under
the table's lock, so that what is due happens once.
"""

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy import func, select

from app.models import Table
from app.services import company, pulse, tournaments
from app.services.house import House

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

    def start(self) -> None:
        """Begins to tick; a change at any table makes it look at once."""
        self._house.wakeups.listen(lambda _slug: self._stirred.set())
        self._tasks = [
            asyncio.create_task(self._run()),
            asyncio.create_task(self._repeat(self._beat, pulse.EVERY, "could not keep the pulse")),
            asyncio.create_task(self._repeat(self._call_roll, company.EVERY, "could not call the roll")),
        ]

    async def stop(self) -> None:
        """Ends after what is being done, with a last beat: from then on the room is down."""
        self._stopping.set()
        self._stirred.set()
        await asyncio.gather(*self._tasks)
        try:
            await asyncio.to_thread(self._beat)
        except Exception:
            _log.exception("the clockwork stops without a last beat")

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._stirred.clear()
            try:
                pause = await asyncio.to_thread(self._attend_due)
            except Exception:
                _log.exception("the clockwork slipped a tooth and goes on")
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
                _log.exception("the clockwork %s and goes on", trouble)
            try:
                await asyncio.wait_for(self._stopping.wait(), every)
            except TimeoutError:
                continue

    def _beat(self) -> None:
        self._house.write(pulse.beat)

    def _catch_up(self) -> None:
        """Before anything is done because its time is up: perhaps nobody was there to see the time pass."""
        with self._house.database.reading() as connection:
            steady = pulse.is_steady(self._house, connection)
        if not steady:
            self._beat()

    def _call_roll(self) -> None:
        self._catch_up()
        with self._house.database.reading() as connection:
            pages = company.open_pages(self._house, connection)
        for slug, players in pages.items():
            self._house.write(company.call_roll, slug, players)

    def _attend_due(self) -> float:
        """Attends what is due and gives the seconds until the next look."""
        self._catch_up()
        with self._house.database.reading() as connection:
            due = connection.execute(
                select(Table.id).where(Table.due_at <= self._house.now()).order_by(Table.due_at).limit(_BATCH)
            ).scalars()
            due_ids = list(due)
        slipped = False
        for table_id in due_ids:
            try:
                self._house.write(pulse.attend, table_id)
            except Exception:  # one table's trouble is not the others'
                _log.exception("the clockwork slipped a tooth at table %s and goes on", table_id)
                slipped = True
        try:
            self._catch_up()
            tournaments.attend_due(self._house)
        except Exception:
            _log.exception("the clockwork could not look after the tournaments and goes on")
            slipped = True
        with self._house.database.reading() as connection:
            next_due = connection.execute(select(func.min(Table.due_at))).scalar_one()
        if slipped or next_due is None:
            return _IDLE
        return float(min(_IDLE, max(0.0, next_due - self._house.now())))
