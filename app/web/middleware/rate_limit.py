"""How often one household may try what could be guessed, and how much of the room's time it may take."""

import threading
import time
from collections import deque
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.web.middleware.connection_limit import network_of
from snug.words import gettext

_REMEMBERED: Final = 10_000
_TOO_OFTEN: Final = gettext("Too many tries from your address. Wait a minute.")
_EVERYBODY: Final = gettext("Too many people are trying that just now. Wait a minute.")


def household_of(request: Request) -> str:
    """Whom a request comes from, as limits count; empty where that cannot be said or is this machine."""
    return network_of(request.client.host) if request.client else ""


class _Window:
    """What was taken within the last seconds."""

    def __init__(self) -> None:
        self.taken = 0
        self.parts: deque[tuple[float, int]] = deque()

    def let_go(self, until: float) -> None:
        """Forgets what was taken before."""
        while self.parts and self.parts[0][0] < until:
            self.taken -= self.parts.popleft()[1]

    def take(self, now: float, cost: int) -> None:
        """So much more."""
        self.parts.append((now, cost))
        self.taken += cost


class RateLimit:
    """At most `tries` in `seconds` of one household, and `in_all` of everybody together. Kept in memory: it starts
    afresh with the process."""

    def __init__(self, tries: int, seconds: float, in_all: int | None = None) -> None:
        self._tries, self._seconds, self._in_all = tries, seconds, in_all
        self._seen: dict[str, _Window] = {}
        self._everybody = _Window()
        self._lock = threading.Lock()

    def check(self, request: Request, cost: int = 1, *, tries: int | None = None) -> None:
        """Counts one try, or something that takes as long as so many. Raises HTTPException 429 when that is too much;
        `tries` are in place of the usual ones."""
        household, now = household_of(request), time.monotonic()
        with self._lock:
            mine = self._seen.pop(household, None) or _Window()
            self._seen[household] = mine  # at the end: those who were not here for longest are forgotten first
            if len(self._seen) > _REMEMBERED:
                del self._seen[next(iter(self._seen))]
            for window, most, sentence in (
                (mine, tries or self._tries, _TOO_OFTEN),
                (self._everybody, self._in_all, _EVERYBODY),
            ):
                window.let_go(now - self._seconds)
                if most is not None and window.taken + cost > most:
                    raise HTTPException(429, sentence, {"Retry-After": str(int(self._seconds))})
            mine.take(now, cost)
            if self._in_all is not None:
                self._everybody.take(now, cost)

    def forget(self) -> None:
        """Begins anew."""
        with self._lock:
            self._seen.clear()
            self._everybody = _Window()


codes = RateLimit(tries=20, seconds=60, in_all=600)
doors = RateLimit(tries=60, seconds=60)
newcomers = RateLimit(tries=10, seconds=60)
arrivals = RateLimit(tries=300, seconds=3600)
uploads = RateLimit(tries=240_000, seconds=60)


def welcome(request: Request) -> None:
    """Somebody comes whom the room does not know. Raises HTTPException 429 when too many have come from there."""
    if household_of(request):
        arrivals.check(request, tries=request.app.state.settings.limits.newcomers)


def weigh(request: Request, moves: int) -> None:
    """A record is to be replayed. Raises HTTPException 429 when that is too much of them."""
    uploads.check(request, moves, tries=request.app.state.settings.limits.moves)
