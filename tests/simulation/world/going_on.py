"""What the room does by itself must go on whatever went wrong: its time passes, and what is due is done."""

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.simulation.world.workers import Worker
    from tests.simulation.world.world import World

_SPAN: Final = 15.0  # seconds in which somebody could play,
_LEAST: Final = 5.0  # of which so many at least are the room's: beats that fail cost some
_LATE: Final = 10.0  # seconds after which what is due is done, though one attempt or another failed


class GoingOn:
    """Looks at the workers now and then."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._times: dict[Worker, deque[tuple[float, float]]] = {}
        self._due: dict[tuple[int, float], float] = {}

    def look(self) -> None:
        """Tells the oracle of what stands still."""
        ready = [worker for worker in self._world.workers if worker.is_ready and worker.context.room_time.is_kept]
        self._times = {worker: self._times.get(worker, deque()) for worker in ready}
        for worker, times in self._times.items():
            self._look_at_time(worker, times)
        if ready:
            self._look_at_tables(min(worker.context.room_time() for worker in ready))

    def _look_at_time(self, worker: "Worker", times: "deque[tuple[float, float]]") -> None:
        now, at = self._world.up_time(), worker.context.room_time()
        while times and now - times[0][0] > _SPAN:
            since, was = times.popleft()
            if at - was < _LEAST:
                said = f"of {now - since:.1f} s that {worker.name} was up, {at - was:.1f} passed in the room"
                self._world.oracle.fail("I10", said)
        times.append((now, at))

    def _look_at_tables(self, room_time: float) -> None:
        now = self._world.up_time()
        rows = self._world.oracle.tables.values()
        due = [(row.id, row.due_at) for row in rows if row.due_at is not None and row.due_at <= room_time]
        self._due = {one: self._due.get(one, now) for one in due}
        for (table_id, _), since in self._due.items():
            if now - since > _LATE:
                said = f"what was due at table {table_id} is not done after {now - since:.1f} s"
                self._world.oracle.fail("eventually", said)
