"""The running score sheet of a match: who has what after each round, and who stands where."""

from collections.abc import Sequence
from typing import Any

import msgspec

from snug.engine.game import Game, Scores
from snug.engine.match import Match


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
    competitor's total after each; `best` orders the competitors by place. `deciding` has every competitor's number by
    which equal totals are told apart, if anything does that."""

    competitors: tuple[Competitor, ...]
    by_seat: tuple[Scores, ...]
    running: tuple[Scores, ...]
    number: int
    finished: int
    deciding: Scores = ()

    @property
    def in_teams(self) -> bool:
        """Whether several seats make a competitor."""
        return any(len(one.seats) > 1 for one in self.competitors)

    @property
    def is_level(self) -> bool:
        """Whether some totals are equal."""
        return len({one.total for one in self.competitors}) < len(self.competitors)

    @property
    def leaders(self) -> tuple[Competitor, ...]:
        """Who has the first place."""
        return self._at(1)

    @property
    def shared(self) -> tuple[tuple[Competitor, ...], ...]:
        """Those who share a place, best place first."""
        places = sorted({one.place for one in self.competitors})
        return tuple(level for level in map(self._at, places) if len(level) > 1)

    def of(self, seat: int) -> Competitor:
        """The competitor that a seat is, or plays for."""
        return next(one for one in self.competitors if seat in one.seats)

    def leads(self, seat: int) -> bool:
        """Whether a seat, or its team, has the first place and not everybody has it."""
        return self.of(seat).place == 1 and len(self.leaders) < len(self.competitors)

    @property
    def is_tie_broken(self) -> bool:
        """Whether others have as many points as the first, and something else puts them behind."""
        return sum(one.total == self.leaders[0].total for one in self.competitors) > len(self.leaders)

    def round_winners(self, game: Game[Any]) -> tuple[Competitor, ...]:
        """Who has the best score of the last finished round, if not everybody has it."""
        best = min if (game.lowest_wins if game.low_scores is None else game.low_scores) else max
        score = best(one.rounds[-1] for one in self.competitors)
        winners = tuple(one for one in self.competitors if one.rounds[-1] == score)
        return winners if len(winners) < len(self.competitors) else ()

    def before(self, one: Competitor) -> float:
        """A competitor's total before the last finished round."""
        return self.running[-2][self.competitors.index(one)] if len(self.running) > 1 else 0

    def _at(self, place: int) -> tuple[Competitor, ...]:
        return tuple(one for one in self.competitors if one.place == place)

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
    broken = match.game.tie_break(match.options, match.totals, match.rounds)
    deciding = broken.numbers if broken else ()
    return Sheet(competitors, match.rounds, tuple(running), match.number, len(match.rounds), deciding)
