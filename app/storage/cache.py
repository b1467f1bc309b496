"""A memory of what was worked out from the database: the newest of each, never older than what it replaced."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class VersionedCache(Generic[Kept]):
    """Things by their number, each valid at exactly one version; the `most` kept last. Safe from any thread."""

    def __init__(self, most: int = 512) -> None:
        self._most = most
        self._kept: OrderedDict[int, tuple[int, Kept]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, number: int, version: int) -> Kept | None:
        """What it was at this version, if it is at hand."""
        with self._lock:
            kept = self._kept.get(number)
        return kept[1] if kept and kept[0] == version else None

    def keep(self, number: int, version: int, thing: Kept) -> None:
        """Remembers something committed; an older version never replaces a newer one."""
        with self._lock:
            kept = self._kept.get(number)
            if kept and kept[0] > version:
                return
            self._kept[number] = (version, thing)
            self._kept.move_to_end(number)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
