"""What everybody may see of a tournament, kept while nothing happens in it."""

import msgspec

from app.rules.tournament.standings import Line
from app.rules.tournament.state import Tournament
from app.services.newest import Newest

_KEPT = 32


class Board(msgspec.Struct, frozen=True):
    """A tournament and who stands where in it."""

    tournament: Tournament
    lines: tuple[Line, ...]


class Boards(Newest[Board]):
    """The newest boards by tournament."""

    def __init__(self) -> None:
        super().__init__(_KEPT)
