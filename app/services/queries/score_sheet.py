"""The running score sheet of a match: who has what after each round, and who stands where."""

from collections.abc import Sequence

import msgspec

from app.engine.game import Scores
from app.engine.match import Match


class Competitor(msgspec.Struct, frozen=True):
    """A player or a team on the score sheet: a number for each finished round, the total and the place; `decided_by`
    is, in words, what told it from others with the same total, where something did."""

    name: str
    seats: tuple[int, ...]
    rounds: Scores
    total: float
    place: int
    is_me: bool
    decided_by: str = ""


class Sheet(msgspec.Struct, frozen=True):
    """The running score sheet. `by_seat` has every seat's own score of each finished round, `running` every
    competitor's total after each; `best` orders the competitors by place."""

    competitors: tuple[Competitor, ...]
    by_seat: tuple[Scores, ...]
    running: tuple[Scores, ...]
    number: int
    finished: int

    @property
    def best(self) -> tuple[Competitor, ...]:
        """The competitors, best place first."""
        return tuple(sorted(self.competitors, key=lambda competitor: competitor.place))


def sheet_of(match: Match, names: Sequence[str], my_seat: int | None) -> Sheet:
    """The sheet of a match for the player of `my_seat` (None: a watcher); `names` are those of the seats."""
    entries = match.round_entries
    competitors = tuple(
        Competitor(
            name=" & ".join(names[seat - 1] for seat in standing.seats),
            seats=standing.seats,
            rounds=tuple(row[index] for row in entries),
            total=standing.total,
            place=standing.place,
            is_me=my_seat in standing.seats,
            decided_by=standing.decided_by,
        )
        for index, standing in enumerate(match.standings)
    )
    totals: Scores = ()
    running = []
    for row in entries:
        totals = match.game.tally(match.options, totals, row)
        running.append(totals)
    return Sheet(competitors, match.rounds, tuple(running), match.number, len(match.rounds))
