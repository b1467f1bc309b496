"""How often one address may try what could be guessed."""

import threading
import time
from collections import deque

from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.words import gettext

_REMEMBERED = 10_000


class RateLimit:
    """At most `tries` in `seconds` from one address. Kept in memory: it starts afresh with the process."""

    def __init__(self, tries: int, seconds: float) -> None:
        self._tries, self._seconds = tries, seconds
        self._seen: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def check(self, request: Request) -> None:
        """Counts one try. Raises HTTPException 429 when there were too many."""
        address = request.client.host if request.client else ""
        now = time.monotonic()
        with self._lock:
            if len(self._seen) > _REMEMBERED:
                self._seen.clear()
            tries = self._seen.setdefault(address, deque())
            while tries and tries[0] < now - self._seconds:
                tries.popleft()
            if len(tries) >= self._tries:
                sentence = gettext("Too many tries from your address. Wait a minute.")
                raise HTTPException(429, sentence, {"Retry-After": str(int(self._seconds))})
            tries.append(now)


codes = RateLimit(tries=20, seconds=60)
newcomers = RateLimit(tries=10, seconds=60)
uploads = RateLimit(tries=240, seconds=60)
