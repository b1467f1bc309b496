"""How much may go out to addresses that guests gave us, and how long they are tried while nobody answers.

Kept in the memory of a process: each starts afresh, and counts for itself.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

_HOUR: Final = 3600.0
_REMEMBERED: Final = 10_000
_FIRST_PAUSE: Final = 60.0  # seconds after a failure; after each further one twice as long,
_LONGEST_PAUSE: Final = 24 * _HOUR  # but no longer
_STRAWS: Final = 8  # failures one after the other

Clock = Callable[[], float]


class Budget:
    """At most so many requests an hour for `each` of a kind, and for all of them together. Safe from any thread."""

    def __init__(self, each: int, everybody: int, now: Clock = time.monotonic) -> None:
        self._each, self._everybody, self._now = each, everybody, now
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, one: Hashable) -> bool:
        """Whether one more request may be made for this one; then it counts."""
        with self._lock:
            mine, rest = self._saved(one, self._each), self._saved(None, self._everybody)
            if mine < 1 or rest < 1:
                return False
            for name, left in ((one, mine - 1), (None, rest - 1)):
                self._left[name] = left, self._now()
                self._left.move_to_end(name)
            while len(self._left) > _REMEMBERED:
                self._left.popitem(last=False)
            return True

    def _saved(self, name: Hashable, most: int) -> float:
        left, at = self._left.get(name, (float(most), self._now()))
        return min(most, left + most * (self._now() - at) / _HOUR)


class Patience:
    """With addresses that do not answer well: each is left alone for longer and longer. Safe from any thread."""

    def __init__(self, now: Clock = time.monotonic) -> None:
        self._now = now
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lock = threading.Lock()

    def may_try(self, address: str) -> bool:
        """Whether the address is tried now."""
        with self._lock:
            return self._now() >= self._failed.get(address, (0, 0.0))[1]

    def ends(self, address: str, *, well: bool) -> bool:
        """After a try: whether it was the last one that the address gets."""
        with self._lock:
            failures, _ = self._failed.pop(address, (0, 0.0))
            if well or failures + 1 >= _STRAWS:
                return not well
            pause = min(_FIRST_PAUSE * 2**failures, _LONGEST_PAUSE)
            self._failed[address] = failures + 1, self._now() + pause
            while len(self._failed) > _REMEMBERED:
                self._failed.popitem(last=False)
            return False
