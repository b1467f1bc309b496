"""Due times: bots that have thought long enough, clocks and countdowns that have run out; the heartbeat, who is
present, what begins soon, and once a day what nobody has touched.

The database says what is due; this loop only asks in time. Several processes may run it: `run_due` looks again under
the table's lock, so that what is due happens once.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import Final

from sqlalchemy import Float, bindparam, func, select

from app.jobs import heartbeat
from app.services.context import AppContext
from app.services.errors import Frozen, ServiceError
from app.services.keeper import inbox
from app.services.notifications.reminders import remind
from app.services.play import play
from app.services.retention import DAY, forget_untouched
from app.services.room_time import EVERY
from app.services.seats import presence
from app.services.table.snapshot import at_hand, load_snapshot
from app.services.tournaments import stages
from app.storage.models import Table, Tournament

_IDLE = 1.0
_SETTLED = 600.0  # seconds after which a room that was opened has time to tidy up
_REMINDS = 15.0  # seconds between two looks at what begins soon
_LOOKS = 4  # before it asks for the time and for tournaments again
_BATCH = 16  # then it looks again: who has become due meanwhile may have waited for nobody else yet
_BACKLOG = 1024  # the tables among which hosts take turns, however many there are
_TOGETHER = 8  # tables that share a commit: a player's move comes in between after so many
_NOW: Final = bindparam("now", type_=Float)
_OLDEST: Final = (
    select(Table.slug, Table.host_id, Table.due_at)
    .where(Table.due_at <= _NOW)
    .order_by(Table.due_at)
    .limit(_BACKLOG)
    .subquery()
)
# Who has been waiting longest comes first, but a host with many tables has them attended in turn with the others'.
_TURN: Final = func.row_number().over(partition_by=_OLDEST.c.host_id, order_by=_OLDEST.c.due_at)
_DUE: Final = select(_OLDEST.c.slug).order_by(_TURN, _OLDEST.c.due_at).limit(_BATCH)
_NEXT_DUE: Final = select(
    select(func.min(Table.due_at)).where(Table.due_at > _NOW).scalar_subquery(),
    select(func.min(Tournament.due_at)).scalar_subquery(),
)
_log = logging.getLogger(__name__)


class Scheduler:
    """Runs in the event loop; the work itself runs in threads and never blocks it."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._look_at = inf
        self._letters = inbox.folder_of(context.database.writer.url.render_as_string())
        self._stirred = asyncio.Event()
        self._stopping = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to tick; a change after which something is due sooner makes it look sooner."""
        self._context.pubsub.listen(self._hear)
        forget = partial(forget_untouched, self._context, self._stopping.is_set)
        works = (
            self._run(),
            self._repeat(self._beat, EVERY, "could not keep the heartbeat"),
            self._repeat(self._update_presence, presence.EVERY, "could not update presence"),
            self._repeat(partial(remind, self._context), _REMINDS, "could not remind of what begins"),
            self._repeat(partial(inbox.read, self._context, self._letters), inbox.EVERY, "could not read orders"),
            self._repeat(forget, DAY, "could not forget what nobody has touched", _SETTLED),
        )
        self._tasks = [asyncio.create_task(work) for work in works]

    def _hear(self, _slug: str, due_at: float | None) -> None:
        if due_at is not None and due_at < self._look_at:
            self._look_at = due_at
            self._stirred.set()

    async def stop(self) -> None:
        """Ends after what is being done, with a last beat: from then on the room is down."""
        self._stopping.set()
        self._stirred.set()
        await asyncio.gather(*self._tasks)
        try:
            await asyncio.to_thread(self._beat)
        except Exception:  # the room closes all the same
            _log.exception("last heartbeat failed; the scheduler stops")

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._look_at = inf
            try:
                pause = await asyncio.to_thread(self._run_due)
            except Exception:  # without another look all clocks would stand still
                _log.exception("due moves failed; the scheduler goes on")
                pause = _IDLE
            self._look_at = min(self._look_at, self._context.room_time() + pause)
            await self._until_due()

    async def _until_due(self) -> None:
        while not self._stopping.is_set() and (left := self._look_at - self._context.room_time()) > 0:
            self._stirred.clear()
            try:
                await asyncio.wait_for(self._stirred.wait(), left)
            except TimeoutError:
                break

    async def _repeat(self, work: Callable[[], object], every: float, trouble: str, after: float = 0) -> None:
        """Beside the clocks, which must keep nothing waiting and not be kept."""
        if after:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), after)
        while not self._stopping.is_set():
            try:
                await asyncio.to_thread(work)
            except Exception:  # as above
                _log.exception("the scheduler %s and goes on", trouble)
            try:
                await asyncio.wait_for(self._stopping.wait(), every)
            except TimeoutError:
                continue

    def _beat(self) -> None:
        self._context.write(heartbeat.beat)

    def _update_presence(self) -> None:
        self._beat()  # perhaps nobody could be there until now
        with self._context.database.reading() as connection:
            pages = presence.open_pages(self._context, connection)
        for slug, players in pages.items():
            self._context.write(presence.update_presence, slug, players)

    def _run_due(self) -> float:
        """Attends what is due and gives the seconds until the next look, if nobody hears of anything before."""
        slipped = False
        for _ in range(_LOOKS):
            due, next_due, tournament_due = self._find_due()
            slipped |= self._attend([*dict.fromkeys((*self._context.thoughts.take_thought_out(), *due))])
            if slipped or len(due) < _BATCH:
                break
        if tournament_due <= self._context.room_time():
            try:
                stages.run_due(self._context)
            except Exception:  # tables are no less due for it
                _log.exception("due tournaments failed; the scheduler goes on")
                slipped = True
        if slipped:
            return _IDLE
        if len(due) == _BATCH:
            return 0.0
        return min(_IDLE, max(0.0, next_due - self._context.room_time()))

    def _attend(self, due: list[str]) -> bool:
        """Whether one of them could not be attended."""
        slipped = False
        for at in range(0, len(due), _TOGETHER):
            together = due[at : at + _TOGETHER]
            self._put_at_hand(together)
            raised = self._context.write_all(play.run_due, together)
            for slug, error in raised.items():
                if isinstance(error, Frozen):  # has been told, and nothing is due there any more
                    continue
                # one table's trouble is not the others'
                _log.error("due moves at table %s failed; the scheduler goes on", slug[:4], exc_info=error)
                slipped = True
        return slipped

    def _find_due(self) -> tuple[list[str], float, float]:
        """The tables where something is due; when something is due at any other, and in a tournament. Whoever changes
        any of that later tells."""
        now = {"now": self._context.room_time()}
        with self._context.database.reading() as connection:
            due = list(connection.execute(_DUE, now).scalars())
            table, tournament = connection.execute(_NEXT_DUE, now).one()
        return due, inf if table is None else table, inf if tournament is None else tournament

    def _put_at_hand(self, slugs: list[str]) -> None:
        """Reads what is not at hand of these tables before anybody has to wait for it."""
        context = self._context
        missing = [slug for slug in slugs if context.database.is_owned and not at_hand(context, slug)]
        if missing:
            with context.database.reading() as connection:
                for slug in missing:
                    with suppress(ServiceError):  # what is wrong with a table is told when it is attended
                        load_snapshot(context, connection, slug)
