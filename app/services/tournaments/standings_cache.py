"""What everybody may see of a tournament, kept while nothing happens in it."""

import msgspec

from app.storage.cache import VersionedCache
from app.tournament.standings import Line
from app.tournament.state import Tournament

_KEPT = 32


class CurrentStandings(msgspec.Struct, frozen=True):
    """A tournament and who stands where in it."""

    tournament: Tournament
    lines: tuple[Line, ...]


class StandingsCache(VersionedCache[CurrentStandings]):
    """The newest standings by tournament."""

    def __init__(self) -> None:
        super().__init__(_KEPT)
