"""Groups before a knockout: who is in which, and the tournament that each plays by itself."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from snug.tournament.events import Adjusted, AnyLogEvent, StageClosed
from snug.tournament.state import Entry, EventRefused, Stage, Tournament

_ELSEWHERE = Entry(0, "", "", "left")  # who is in another group


def even(people: int, groups: int) -> list[int]:
    """How many are in each of so many groups, the bigger ones first."""
    return [people // groups + (at < people % groups) for at in range(groups)]


def grouped(tournament: Tournament, groups: Sequence[Sequence[int]]) -> Tournament:
    """The tournament with these groups, from its first stage on. Raises EventRefused unless everybody who is in has one
    group, and the groups are as many as planned and as equal as can be."""
    people = [entry.number for entry in tournament.active]
    count = tournament.plan.groups.count if tournament.plan.groups else 0
    if not count or tournament.stages:
        raise EventRefused("BAD_GROUPS", "There are no groups to be drawn now.")
    if Counter(number for group in groups for number in group) != Counter(people):
        raise EventRefused("BAD_GROUPS", "Everybody belongs to one group.")
    if sorted(map(len, groups), reverse=True) != even(len(people), count):
        raise EventRefused("BAD_GROUPS", "Groups are as many as planned, and as equal as can be.")
    for at, group in enumerate(groups, 1):
        for number in group:
            tournament = tournament.with_entry(replace(tournament.entry(number), group=at))
    return tournament


def smallest(tournament: Tournament) -> int:
    """The group that a late entry joins."""
    count = tournament.plan.groups.count if tournament.plan.groups else 0
    people = Counter(entry.group for entry in tournament.active)
    return min(range(1, count + 1), key=people.__getitem__, default=0)


def within(tournament: Tournament, group: int) -> Tournament:
    """The tournament that a group plays by itself, everybody in new company: its seating and its standings. What
    happens after the groups are done changes nothing in it."""
    plan, of = tournament.plan, tournament.plan.groups
    if of is None:
        return tournament
    stages = tuple(tournament.stages[: of.stages])
    inside = {entry.number for entry in tournament.entries if entry.group == group}
    if len(tournament.closed) >= of.stages:
        inside = {number for number in inside if any(stage.includes(number) for stage in stages)}
    return Tournament(
        replace(plan, format="rotating", stages=plan.stages[: of.stages], groups=None, third_place=False, counts="all"),
        tuple(_alone(entry, of.stages) if entry.number in inside else _ELSEWHERE for entry in tournament.entries),
        tuple(_part(stage, inside) for stage in stages),
        _adjustments(tournament.log, of.stages, inside),
        wishes=tournament.wishes,
    )


def _alone(entry: Entry, stages: int) -> Entry:
    return replace(entry, missed={number: score for number, score in entry.missed.items() if number <= stages})


def _part(stage: Stage, inside: set[int]) -> Stage:
    """What happened in a stage inside one group."""
    return replace(
        stage,
        tables=tuple(table for table in stage.tables if inside.intersection(table.seats)),
        sitting_out=tuple(number for number in stage.sitting_out if number in inside),
        bots=stage.bots & inside,
        absent=stage.absent & inside,
        points={number: points for number, points in stage.points.items() if number in inside},
        scores=None if stage.scores is None else {n: score for n, score in stage.scores.items() if n in inside},
    )


def _adjustments(log: Sequence[AnyLogEvent], stages: int, inside: set[int]) -> tuple[AnyLogEvent, ...]:
    """What the organiser gave or took in this group before its last stage was closed."""
    found, closed = list[AnyLogEvent](), 0
    for event in log:
        closed += isinstance(event, StageClosed)
        if closed >= stages:
            break
        if isinstance(event, Adjusted) and event.entry in inside:
            found.append(event)
    return tuple(found)


def apart(tournament: Tournament, ranks: Mapping[int, int]) -> list[list[tuple[int, ...]]]:
    """Company to be avoided when a knockout is seated that follows groups, as if it had been at tables: those of one
    group before all, then who met in the knockout; and a little, those of the same rank in their groups."""
    groups = tournament.plan.groups
    if groups is None:
        return []
    by_group, by_rank = dict[int, list[int]](), dict[int, list[int]]()
    for entry in tournament.entries:
        if entry.group:
            by_group.setdefault(entry.group, []).append(entry.number)
            by_rank.setdefault(ranks.get(entry.number, 0), []).append(entry.number)
    met = [[table.seats for table in stage.tables] for stage in tournament.stages[groups.stages :]]
    return [*[[*map(tuple, by_group.values())]] * 9, *met * 3, [*map(tuple, by_rank.values())]]
