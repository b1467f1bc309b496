"""What the matches of a circle come to: standings, head to head, records, a year. Pure: matches in, numbers out.

Only members count. A match is worth the share of the other members at the table whom one has beaten, a tie being half,
as in tournaments; partners are no opponents, and neither are bots and guests.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Final

import msgspec

from app.games import GAMES
from app.services.circles.scores import Played, Score
from app.tournament.points import NOTHING, share_beaten

MONTHS: Final = 12
_LEAST_STREAK: Final = 2


class Row(msgspec.Struct, frozen=True):
    """A member in the standings. `shared` says that others have the place too."""

    place: int
    shared: bool
    member: int
    points: Fraction
    matches: int
    won: int
    evenings: int

    @property
    def mean(self) -> Fraction:
        """What a match was worth."""
        return self.points / self.matches


class Against(msgspec.Struct, frozen=True):
    """How often a member came out ahead of another one, behind, and level."""

    ahead: int = 0
    behind: int = 0
    level: int = 0


class Record(msgspec.Struct, frozen=True):
    """Something worth telling: `kind` is streak, highest, lowest or evenings, `members` who did it first, or all who
    share it, up to the last time on `day`."""

    kind: str
    game: str
    value: float
    members: tuple[int, ...]
    day: date


class Evening(msgspec.Struct, frozen=True):
    """A past evening: its matches, who played, and what it came to, best first."""

    day: date
    matches: tuple[Played, ...]
    rows: tuple[Row, ...]


class Year(msgspec.Struct, frozen=True):
    """A year: how many evenings each month had; and each member's place after every evening, None before the first."""

    year: int
    months: tuple[int, ...]
    days: tuple[date, ...]
    places: dict[int, tuple[int | None, ...]]


def _shares(match: Played) -> Iterator[tuple[Score, Fraction]]:
    for score in match.scores:
        opponents = [other.place for other in match.scores if other.side != score.side]
        yield score, share_beaten([score.place, *opponents])[0]


def _is_won(match: Played, score: Score) -> bool:
    """Whether no other member has a better place."""
    return score.place == min(other.place for other in match.scores)


def table_of(matches: Sequence[Played]) -> tuple[Row, ...]:
    """The standings, best first; whoever is level shares the place, in the order of joining."""
    points: defaultdict[int, Fraction] = defaultdict(lambda: NOTHING)
    played: defaultdict[int, int] = defaultdict(int)
    won: defaultdict[int, int] = defaultdict(int)
    days: defaultdict[int, set[date]] = defaultdict(set)
    for match in matches:
        for score, share in _shares(match):
            points[score.member] += share
            played[score.member] += 1
            won[score.member] += _is_won(match, score)
            days[score.member].add(match.day)
    order = sorted(points, key=lambda member: (-points[member], member))
    rows = []
    for member in order:
        better = sum(other > points[member] for other in points.values())
        level = sum(other == points[member] for other in points.values())
        numbers = played[member], won[member], len(days[member])
        rows.append(Row(better + 1, level > 1, member, points[member], *numbers))
    return tuple(rows)


def head_to_head(matches: Sequence[Played]) -> dict[tuple[int, int], Against]:
    """For every two members who have played against each other, either way round."""
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for match in matches:
        for mine in match.scores:
            for other in match.scores:
                if mine.side != other.side:
                    outcome = 0 if mine.place < other.place else 1 if mine.place > other.place else 2
                    found[mine.member, other.member][outcome] += 1
    return {pair: Against(*counts) for pair, counts in found.items()}


def records(matches: Sequence[Played]) -> tuple[Record, ...]:
    """For each game the longest streak of matches won, the highest and the lowest score; and who came most often."""
    found = []
    for game in sorted({match.game for match in matches}, key=lambda key: str(GAMES[key].name)):
        of_game = [match for match in matches if match.game == game]
        found += [*_streaks(game, of_game), *_extremes(game, of_game)]
    rows = table_of(matches)
    most = max((row.evenings for row in rows), default=0)
    if most > 1:
        members = tuple(row.member for row in rows if row.evenings == most)
        found.append(Record("evenings", "", most, members, matches[-1].day))
    return tuple(found)


def _streaks(game: str, matches: Sequence[Played]) -> list[Record]:
    running: defaultdict[int, int] = defaultdict(int)
    best: Record | None = None
    for match in matches:
        for score in match.scores:
            running[score.member] = running[score.member] + 1 if _is_won(match, score) else 0
            if running[score.member] > (best.value if best else _LEAST_STREAK - 1):
                best = Record("streak", game, running[score.member], (score.member,), match.day)
    return [best] if best else []


def _extremes(game: str, matches: Sequence[Played]) -> list[Record]:
    scores = [(score, match.day) for match in matches for score in match.scores]
    highest, day = max(scores, key=lambda one: one[0].points)  # the first of equals
    lowest, low_day = min(scores, key=lambda one: one[0].points)
    both = [
        Record("highest", game, highest.points, (highest.member,), day),
        Record("lowest", game, lowest.points, (lowest.member,), low_day),
    ]
    return both[: 1 if highest.points == lowest.points else 2]


def evenings(matches: Sequence[Played]) -> tuple[Evening, ...]:
    """The evenings, newest first."""
    by_day = groupby(sorted(matches, key=lambda match: match.day), key=lambda match: match.day)
    found = [(day, tuple(played)) for day, played in by_day]
    return tuple(Evening(day, played, table_of(played)) for day, played in reversed(found))


def year_of(matches: Sequence[Played], year: int) -> Year:
    """A year in numbers, its standings beginning with it."""
    mine = [match for match in matches if match.day.year == year]
    days = sorted({match.day for match in mine})
    after = [{row.member: row.place for row in table_of([m for m in mine if m.day <= day])} for day in days]
    members = [row.member for row in table_of(mine)]
    return Year(
        year,
        tuple(sum(day.month == month for day in days) for month in range(1, MONTHS + 1)),
        tuple(days),
        {member: tuple(places.get(member) for places in after) for member in members},
    )
