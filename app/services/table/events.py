"""What happens at a table, for those whom it concerns (`context.Handlers`): each event has the table, held."""

from dataclasses import dataclass

from app.services.table.held_table import HeldTable


@dataclass
class TableEvent:
    """Something happens at this table."""

    table: HeldTable


@dataclass
class CardsDealt(TableEvent):
    """The dealer is about to act. A handler may name what was `sealed` elsewhere, by place and number, for this table,
    too; and the `key` from which all that he does now is made where nothing was."""

    sealed: tuple[str, str] | None = None
    key: bytes | None = None


class RoundBegins(TableEvent):
    """The cards of the next round of a match are about to be dealt."""


class MatchFinished(TableEvent):
    """The last round of a match is over, and has its scores."""


@dataclass
class TurnBegins(TableEvent):
    """It became the turn of these seats."""

    seats: tuple[int, ...]


@dataclass
class TableIsSet(TableEvent):
    """A tournament has set the table for these seats, and its first cards are dealt."""

    seats: tuple[int, ...]


class RoundFinished(TableEvent):
    """A round is over, perhaps the last one of the match, and has its scores."""


@dataclass
class SeatTaken(TableEvent):
    """Seat `number` of a game in play was another player's until now, who gave it away or lost the device."""

    number: int
    player_id: int


class SeatWanted(TableEvent):
    """A guest without a seat wants to wait for one. A handler may refuse."""


class HintWanted(TableEvent):
    """A player wants a hint. A handler may refuse."""


class SetupWanted(TableEvent):
    """A host wants to change how a table is set up. A handler may refuse."""
