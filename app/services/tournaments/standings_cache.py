"""What everybody may see of a tournament, kept while nothing happens in it."""

import msgspec

from app.services.tournaments.provisional_standings import SoFar
from app.storage.cache import VersionedCache
from snug.tournament.order import StandingsRow
from snug.tournament.state import Tournament

_KEPT = 32


class CurrentStandings(msgspec.Struct, frozen=True):
    """A tournament and who stands where in it, after the closed stages and with what is done of the one played."""

    tournament: Tournament
    lines: tuple[StandingsRow, ...]
    so_far: SoFar | None


class StandingsCache(VersionedCache[CurrentStandings]):
    """The newest standings by tournament."""

    def __init__(self) -> None:
        super().__init__(_KEPT)
