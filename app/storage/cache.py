"""A memory of what was worked out from the database: the newest of each, never older than what it replaced."""

import threading
from collections import OrderedDict
from typing import Any, Generic, TypeVar

Kept = TypeVar("Kept")


class Memory(Generic[Kept]):
    """Things by name that hold until any of their kind is changed, which is rare; at most so many."""

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._kept: dict[str, Kept] = {}
        self._changes = 0

    @property
    def mark(self) -> int:
        """What is known before something is read from the database, for `keep`."""
        return self._changes

    def get(self, key: str) -> Kept | None:
        """What is remembered."""
        return self._kept.get(key)

    def keep(self, key: str, thing: Kept, mark: int) -> None:
        """Remembers what was read, unless anything has changed since the `mark`."""
        if mark == self._changes:
            if len(self._kept) >= self._most:
                self._kept = {}
            self._kept[key] = thing
            if mark != self._changes:  # in that very moment, in another thread
                self._kept.pop(key, None)

    def forget(self) -> None:
        """Something has changed."""
        self._changes += 1
        self._kept = {}


class VersionedCache(Generic[Kept]):
    """Things by their number or name, each valid at exactly one version; the `most` kept last. Safe from any thread."""

    def __init__(self, most: int = 2048) -> None:
        self._most = most
        self._kept: OrderedDict[int | str, tuple[int, Kept | None]] = OrderedDict()
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
                self._put(key, (version, thing))

    def mark(self, key: int | str) -> Any:
        """What is known of it before it is read from the database, for `keep_read`."""
        with self._lock:
            return self._kept.get(key)

    def keep_read(self, key: int | str, version: int, thing: Kept, mark: Any) -> None:
        """Remembers what was read, unless it has changed since the `mark`, be it under the same version."""
        with self._lock:
            if self._kept.get(key) is mark and not (mark and mark[0] > version):
                self._put(key, (version, thing))

    def drop(self, key: int | str, version: int) -> None:
        """It has changed, and is not at hand as it is now; what was read before does not count any more."""
        with self._lock:
            self._put(key, (version, None))

    def _put(self, key: int | str, kept: tuple[int, Kept | None]) -> None:
        self._kept[key] = kept
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
