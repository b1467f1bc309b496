"""A memory of what was worked out from the database: the newest of each, never older than what it replaced. What was
read is kept only if nothing has changed since the moment that its connection sees (`app.storage.db.as_of`): that is
before the first statement, which may have been about something else."""

import threading
from collections import OrderedDict
from time import monotonic_ns
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Memory(Generic[Kept]):
    """Things by name that hold until any of their kind is changed, which is rare; at most so many."""

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._kept: dict[str, Kept] = {}
        self._changed_at = 0

    def get(self, key: str) -> Kept | None:
        """What is remembered."""
        return self._kept.get(key)

    def keep(self, key: str, thing: Kept, as_of: float) -> None:
        """Remembers what was read as it was at that moment, unless anything has changed since."""
        if self._changed_at < as_of:
            if len(self._kept) >= self._most:
                self._kept = {}
            self._kept[key] = thing
            if self._changed_at >= as_of:  # in that very moment, in another thread
                self._kept.pop(key, None)

    def forget(self) -> None:
        """Something has changed."""
        self._changed_at = monotonic_ns()
        self._kept = {}


class VersionedCache(Generic[Kept]):
    """Things by their number or name, each valid at exactly one version; the `most` kept last. Safe from any thread."""

    def __init__(self, most: int = 2048) -> None:
        self._most = most
        self._kept: OrderedDict[int | str, tuple[int, Kept | None, float]] = OrderedDict()
        self._forgotten_at = 0.0
        self._lock = threading.Lock()

    def get(self, key: int | str, version: int | None) -> Kept | None:
        """What it was at this version, if it is at hand."""
        with self._lock:
            kept = self._kept.get(key)
        return kept[1] if kept and kept[0] == version else None

    def newest(self, key: int | str) -> Kept | None:
        """What it was at the newest version known, if that is at hand; perhaps it is something else by now."""
        with self._lock:
            kept = self._kept.get(key)
        return kept[1] if kept else None

    def keep(self, key: int | str, version: int, thing: Kept) -> None:
        """Remembers something committed; an older version never replaces a newer one."""
        with self._lock:
            kept = self._kept.get(key)
            if not (kept and kept[0] > version):
                self._put(key, (version, thing, monotonic_ns()))

    def keep_read(self, key: int | str, version: int, thing: Kept, as_of: float) -> None:
        """Remembers what was read as it was at that moment, unless it has changed since, even in the same version."""
        with self._lock:
            kept = self._kept.get(key)
            if (kept[2] if kept else self._forgotten_at) < as_of and not (kept and kept[0] > version):
                self._put(key, (version, thing, as_of))

    def drop(self, key: int | str, version: int) -> None:
        """It has changed, and is not at hand as it is now; what was read before does not count any more."""
        with self._lock:
            self._put(key, (version, None, monotonic_ns()))

    def _put(self, key: int | str, kept: tuple[int, Kept | None, float]) -> None:
        self._kept[key] = kept
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            _, (_, _, forgotten_at) = self._kept.popitem(last=False)
            self._forgotten_at = max(self._forgotten_at, forgotten_at)
