"""Room time: seconds that pass only while the room is open, for whatever runs out.

It goes on where the last heartbeat left it, so that no outage, no sleep and no setting of the wall clock costs anybody
a second or keeps anybody waiting. Dates and table hours are by the wall clock (`AppContext.now`).
"""

from collections.abc import Callable
from typing import Final

EVERY: Final = 1.0  # seconds between two beats
OUTAGE: Final = 2.5  # so long without a beat, and nobody was running the room


class RoomTime:
    """`passed` counts seconds as nobody can set them. Before the first beat room time is that of the wall clock when
    this was made; between two beats it goes on by itself, but for no longer than an `outage` takes: then the room was
    stopped, or cut off from its database, and so were the players."""

    def __init__(self, wall: Callable[[], float], passed: Callable[[], float]) -> None:
        self.outage = OUTAGE
        self._passed = passed
        self._at, self._since = wall(), passed()
        self._told = self._at
        self.is_kept = False

    def __call__(self) -> float:
        """Now."""
        since = self._passed() - self._since
        if not self.is_kept:
            return self._at + since
        self._told = max(self._told, self._at + (EVERY if since > self.outage else since))
        return self._told

    @property
    def has_stalled(self) -> bool:
        """Whether the last beat was so long ago that another process may have kept the time better."""
        return self.silence > self.outage

    @property
    def silence(self) -> float:
        """Seconds since the last beat; 0 before the first."""
        return self._passed() - self._since if self.is_kept else 0.0

    def reach(self, at: float) -> None:
        """It is at least `at`: others have kept the time meanwhile."""
        self._told = max(self._told, at)

    def beat(self, kept: float | None) -> float:
        """Goes on from now, or from what was `kept` last if that is later or nothing was kept here yet. Gives the time
        to be kept."""
        since, now = self._passed(), self()
        self._at = now if kept is None or (self.is_kept and now > kept) else kept
        self._told, self._since, self.is_kept = self._at, since, True
        return self._at
