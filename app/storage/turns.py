"""Which tables wait for whom, as far as this process has heard: what pages tell of other tables, and what their polls
wait for besides their own. What is not at hand is read; what was lost makes a count late, never wrong for long."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from time import monotonic_ns
from typing import Final, NamedTuple, TypeVar
from zlib import crc32

WAITS: Final = "waits"  # what other processes are told of a table
_MOST: Final = 20_000
Key = TypeVar("Key", int, str)
Kept = TypeVar("Kept")


class Waiting(NamedTuple):
    """A table that waits for somebody: its game, and whose it is."""

    slug: str
    game: str
    host: str


def channel(player_id: int) -> str:
    """Where a player's polls hear that it changed which tables wait."""
    return f"turns/{player_id}"


def mark_of(slugs: Iterable[str]) -> int:
    """A number by which a page says which tables it has told of."""
    return crc32(" ".join(sorted(slugs)).encode()) + 1


_NONE: Final = mark_of(())


class Turns:
    """The tables of the newest players by their slugs, those first that have waited for longest. `wake` is called with
    players' channels; from any thread."""

    def __init__(self, wake: Callable[[str], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._slugs: OrderedDict[int, tuple[str, ...]] = OrderedDict()
        self._tables: OrderedDict[str, Waiting] = OrderedDict()
        self._players: OrderedDict[str, int] = OrderedDict()  # by their browsers' tokens
        self._waited_for: OrderedDict[str, frozenset[int]] = OrderedDict()  # by the tables
        self._missed_at = 0

    def of(self, player_id: int) -> tuple[str, ...] | None:
        """The tables that wait for a player, if they are at hand."""
        return self._slugs.get(player_id)

    def table(self, slug: str) -> Waiting | None:
        """One of them, if it is at hand."""
        return self._tables.get(slug)

    def keep(self, player_id: int, tables: Collection[Waiting], as_of: float) -> None:
        """Remembers what was read as it was at that moment, unless somebody's has changed since."""
        with self._lock:
            for table in tables:
                _put(self._tables, table.slug, table)
            if self._missed_at < as_of:
                _put(self._slugs, player_id, tuple(table.slug for table in tables))

    def meet(self, token: str, player_id: int) -> None:
        """A browser with this token is the player's."""
        if self._players.get(token) != player_id:
            with self._lock:
                _put(self._players, token, player_id)

    def heard_by(self, token: str, slug: str) -> tuple[str, int] | None:
        """The channel of the player with this browser, and the mark of the tables beside this one; None where they are
        not at hand."""
        player_id = self._players.get(token)
        slugs = None if player_id is None else self._slugs.get(player_id)
        if player_id is None or slugs is None:
            return None
        return channel(player_id), mark_of(one for one in slugs if one != slug) if slugs else _NONE

    def changes(self, slug: str, players: Collection[int], seated: Collection[int]) -> dict[int, bool]:
        """Of whom it is new that the table waits for them, or does not, where it waits for these `players` now; all who
        are seated there, if it is not known how it was."""
        known = self._waited_for.get(slug)
        concerned = {*seated, *players} if known is None else known ^ set(players)
        return {player_id: player_id in players for player_id in concerned}

    def tell(self, here: Waiting, players: Collection[int], changed: Mapping[int, bool]) -> None:
        """The table waits for these now, which changed for those."""
        with self._lock:
            _put(self._waited_for, here.slug, frozenset(players))
            _put(self._tables, here.slug, here)
        self._change(here.slug, changed)

    def hear(self, slug: str, changed: Mapping[int, bool]) -> None:
        """What changed for these, from afar."""
        with self._lock:
            if (known := self._waited_for.get(slug)) is not None:
                waits = {player_id for player_id, waits in changed.items() if waits}
                self._waited_for[slug] = known - changed.keys() | waits
        self._change(slug, changed)

    def close(self, slug: str) -> None:
        """The table waits for nobody any more."""
        self.hear(slug, dict.fromkeys(self._waited_for.get(slug, ()), False))

    def _change(self, slug: str, changed: Mapping[int, bool]) -> None:
        for player_id, waits in changed.items():
            with self._lock:
                slugs = self._slugs.get(player_id)
                if slugs is None:
                    self._missed_at = monotonic_ns()
                elif (slug in slugs) != waits:
                    self._slugs[player_id] = (*slugs, slug) if waits else tuple(one for one in slugs if one != slug)
            self._wake(channel(player_id))

    def forget(self) -> None:
        """Something may have been missed."""
        with self._lock:
            self._missed_at = monotonic_ns()
            self._slugs.clear()
            self._waited_for.clear()


def _put(kept: OrderedDict[Key, Kept], key: Key, thing: Kept) -> None:
    kept[key] = thing
    kept.move_to_end(key)
    if len(kept) > _MOST:
        kept.popitem(last=False)
