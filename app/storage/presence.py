"""Who has which table open, told by the polls. Known to this process alone, and only until it ends."""

import time
from collections.abc import Callable

_AFTERGLOW = 7.0  # seconds: a page that nobody looks at asks every five
_TIDY = 60.0  # seconds between two looks for what is over


class Presence:
    """Guests' tokens by table. Changed in the event loop, read from any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._open: dict[str, dict[str, tuple[int, float]]] = {}
        self._tidied = now()

    def ask(self, slug: str, token: str) -> None:
        """A page asks for news."""
        if self._now() - self._tidied > _TIDY:
            self._tidied = self._now()
            self._open = {slug: kept for slug in self._open if (kept := self._current(slug))}
        pages = self._open.setdefault(slug, {})
        asking, _ = pages.get(token, (0, 0.0))
        pages[token] = (asking + 1, self._now())

    def answered(self, slug: str, token: str, *, gone: bool = False) -> None:
        """It has its answer, or went away without one."""
        pages = self._open.get(slug, {})
        asking, _ = pages.get(token, (1, 0.0))
        if gone and asking <= 1:
            pages.pop(token, None)
        else:
            pages[token] = (max(0, asking - 1), self._now())

    def tokens(self, slug: str) -> list[str]:
        """Whose pages of this table are open."""
        return list(self._current(slug))

    def tables(self) -> list[str]:
        """The slugs of the tables that somebody may have open."""
        return list(self._open)

    def _current(self, slug: str) -> dict[str, tuple[int, float]]:
        since = self._now() - _AFTERGLOW
        pages = list(self._open.get(slug, {}).items())
        return {token: (asking, last) for token, (asking, last) in pages if asking or last > since}
