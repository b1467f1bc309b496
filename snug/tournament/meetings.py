"""Who met whom at a table, how often again, and how often that could not be helped."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from snug.tournament.state import Tournament

Tables = Sequence[Sequence[int]]
Meetings = Counter[tuple[int, int]]


def pairs(seats: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Everybody with everybody at a table, the lower number first."""
    ordered = sorted(seats)
    return ((a, b) for at, a in enumerate(ordered) for b in ordered[at + 1 :])


def count(stages: Iterable[Tables]) -> Meetings:
    """How often each two sat at one table."""
    return Counter(pair for tables in stages for seats in tables for pair in pairs(seats))


def seatings(tournament: Tournament) -> list[list[tuple[int, ...]]]:
    """The tables of every stage, the one being played included."""
    return [[table.seats for table in stage.tables] for stage in tournament.stages]


def repeats(met: Meetings) -> int:
    """Meetings beyond each two's first."""
    return sum(times - 1 for times in met.values() if times > 1)


def grid(tournament: Tournament) -> tuple[tuple[int, ...], ...]:
    """How often each entry (row) met each (column), in order of entry; nobody meets himself."""
    met = count(seatings(tournament))
    numbers = range(1, len(tournament.entries) + 1)
    return tuple(tuple(met[min(a, b), max(a, b)] for b in numbers) for a in numbers)


def spread(people: int, tables: int) -> int:
    """The fewest pairs that share a table when so many are spread over so many tables."""
    each, more = divmod(people, tables)
    return (tables - more) * pairs_of(each) + more * pairs_of(each + 1)


def pairs_of(people: int) -> int:
    """How many pairs so many people are."""
    return people * (people - 1) // 2


def stage_bound(before: Sequence[Tables], tables: Tables) -> int:
    """How many pairs of a stage must have met before, however these players are spread over tables of these sizes:
    the best of two counts. Each player can meet only as many new people as there are; and everybody who shared a table
    at an earlier stage has to be spread over the tables there are now."""
    met = count(before)
    playing = sorted(number for seats in tables for number in seats)
    known = Counter(number for pair in met for number in pair)
    here = set(playing)
    away = Counter(number for pair in met for number, other in (pair, pair[::-1]) if other not in here)
    smallest = min(map(len, tables))
    alone = sum(max(0, smallest - 1 - (len(playing) - 1 - known[number] + away[number])) for number in playing)
    return max(-(-alone // 2), *(_spread_bound(earlier, here, len(tables)) for earlier in before), 0)


def _spread_bound(earlier: Tables, playing: Collection[int], tables: int) -> int:
    return sum(spread(sum(number in playing for number in seats), tables) for seats in earlier)


def whole_bound(stages: Sequence[Tables]) -> int:
    """How many repeats the stages must have together, whoever sits where: more pairs sat together than there are; or,
    stage by stage, what two stages of the same players have in common whatever their seating."""
    if not stages:
        return 0
    everybody = [{number for seats in tables for number in seats} for tables in stages]
    sat = sum(pairs_of(len(seats)) for tables in stages for seats in tables)
    by_count = sat - pairs_of(len(set().union(*everybody)))
    by_stage = sum(
        max(
            (_spread_bound(stages[i], everybody[j], len(stages[j])) for i in range(j) if everybody[i] == everybody[j]),
            default=0,
        )
        for j in range(1, len(stages))
    )
    return max(0, by_count, by_stage)
