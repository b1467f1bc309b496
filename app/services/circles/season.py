"""What the matches of a circle come to: standings, head to head, records, a year. Pure: matches in, numbers out.

Only members count. A match is worth the share of the other members at the table whom one has beaten, a tie being half,
as in tournaments; partners are no opponents, and neither are bots and guests.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, islice
from typing import Final

import msgspec

from app.services.circles.scores import Played, Score
from snug.games import GAMES
from snug.tournament.points import NOTHING, share_beaten

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


@lru_cache(4096)
def _worth(place: int, opponents: tuple[int, ...]) -> Fraction:
    """What a match is worth, by one's place and theirs."""
    return share_beaten((place, *opponents))[0]


def _is_won(match: Played, score: Score) -> bool:
    """Whether no other member has a better place."""
    return score.place == min(other.place for other in match.scores)


class _Tally:
    """The standings, match by match."""

    def __init__(self) -> None:
        self.points: defaultdict[int, Fraction] = defaultdict(lambda: NOTHING)
        self.played: Counter[int] = Counter()
        self.won: Counter[int] = Counter()
        self.days: defaultdict[int, set[date]] = defaultdict(set)

    def add(self, match: Played) -> None:
        """One more."""
        for score in match.scores:
            opponents = tuple(sorted(other.place for other in match.scores if other.side != score.side))
            self.points[score.member] += _worth(score.place, opponents)
            self.played[score.member] += 1
            self.won[score.member] += _is_won(match, score)
            self.days[score.member].add(match.day)

    @property
    def rows(self) -> tuple[Row, ...]:
        """As they stand."""
        everybodys = [*self.points.values()]
        return tuple(
            Row(
                place=1 + sum(other > points for other in everybodys),
                shared=everybodys.count(points) > 1,
                member=member,
                points=points,
                matches=self.played[member],
                won=self.won[member],
                evenings=len(self.days[member]),
            )
            for member, points in sorted(self.points.items(), key=lambda one: (-one[1], one[0]))
        )


def table_of(matches: Iterable[Played]) -> tuple[Row, ...]:
    """The standings, best first; whoever is level shares the place, in the order of joining."""
    tally = _Tally()
    for match in matches:
        tally.add(match)
    return tally.rows


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
    days: defaultdict[int, set[date]] = defaultdict(set)
    for match in matches:
        for score in match.scores:
            days[score.member].add(match.day)
    most = max(map(len, days.values()), default=0)
    if most > 1:
        members = tuple(sorted(member for member, own in days.items() if len(own) == most))
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
    high, low = (pick(score.points for match in matches for score in match.scores) for pick in (max, min))
    both = [_first_with(game, "highest", high, matches), _first_with(game, "lowest", low, matches)]
    return both[: 1 if high == low else 2]


def _first_with(game: str, kind: str, points: float, matches: Sequence[Played]) -> Record:
    """Who first had so many points, all of that match."""
    first = next(match for match in matches if any(score.points == points for score in match.scores))
    members = tuple(score.member for score in first.scores if score.points == points)
    return Record(kind, game, points, members, first.day)


def evenings(matches: Sequence[Played], most: int | None = None) -> tuple[Evening, ...]:
    """The evenings, newest first, at most so many."""
    by_day = groupby(sorted(matches, key=lambda match: match.day, reverse=True), key=lambda match: match.day)
    newest = ((day, tuple(played)) for day, played in by_day)
    return tuple(Evening(day, played, table_of(played)) for day, played in islice(newest, most))


def year_of(matches: Sequence[Played], year: int) -> Year:
    """A year in numbers, its standings beginning with it."""
    tally, days, after = _Tally(), [], []
    for evening in reversed(evenings([match for match in matches if match.day.year == year])):
        for match in evening.matches:
            tally.add(match)
        days.append(evening.day)
        after.append({row.member: row.place for row in tally.rows})
    return Year(
        year,
        tuple(sum(day.month == month for day in days) for month in range(1, MONTHS + 1)),
        tuple(days),
        {row.member: tuple(places.get(row.member) for places in after) for row in tally.rows},
    )
