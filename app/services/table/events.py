"""What happens at a table, for those whom it concerns (`context.Handlers`): each event has the table, held."""

from dataclasses import dataclass

from app.services.table.held_table import HeldTable


@dataclass
class CardsDealt:
    """The dealer is about to act. A handler may name what was `sealed` elsewhere, by place and number, for this table,
    too; and the `key` from which all that he does now is made where nothing was."""

    table: HeldTable
    sealed: tuple[str, str] | None = None
    key: bytes | None = None


@dataclass
class RoundBegins:
    """The cards of the next round of a match are about to be dealt."""

    table: HeldTable


@dataclass
class MatchFinished:
    """The last round of a match is over, and has its scores."""

    table: HeldTable


@dataclass
class TurnBegins:
    """It became the turn of these seats."""

    table: HeldTable
    seats: tuple[int, ...]


@dataclass
class TableIsSet:
    """A tournament has set the table for these seats, and its first cards are dealt."""

    table: HeldTable
    seats: tuple[int, ...]


@dataclass
class RoundFinished:
    """A round is over, perhaps the last one of the match, and has its scores."""

    table: HeldTable


@dataclass
class SeatTaken:
    """The seat `number` of a game that is played was another player's until now, who gave it away or has lost the
    device."""

    table: HeldTable
    number: int
    player_id: int


@dataclass
class SeatWanted:
    """A guest without a seat wants to wait for one. A handler may refuse."""

    table: HeldTable


@dataclass
class HintWanted:
    """A player wants a hint. A handler may refuse."""

    table: HeldTable


@dataclass
class SetupWanted:
    """A host wants to change how a table is set up. A handler may refuse."""

    table: HeldTable
