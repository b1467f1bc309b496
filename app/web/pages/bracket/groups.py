"""The standings of the groups before a knockout."""

from functools import lru_cache

import msgspec

from snug.tournament.lines import StandingsRow
from snug.tournament.points import shown
from snug.tournament.standings import group_standings
from snug.tournament.state import Tournament


class GroupLine(msgspec.Struct, frozen=True):
    """A line of a group's standings; the `fate` is "through", "out", "left" or nothing yet."""

    number: int
    name: str
    place: int
    points: str
    fate: str


class _Same:
    """A tournament that is equal to itself only: who looks on at one version of it all look at the same."""

    def __init__(self, held: Tournament) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.held is self.held

    def __hash__(self) -> int:
        return id(self.held)


def groups_of(held: Tournament) -> tuple[tuple[GroupLine, ...], ...]:
    """The standings of every group, once they are drawn."""
    return _groups_of(_Same(held)) if held.plan.groups and held.stages else ()


@lru_cache(8)
def _groups_of(same: _Same) -> tuple[tuple[GroupLine, ...], ...]:
    held = same.held
    assert held.plan.groups
    last = held.stages[held.plan.groups.stages - 1] if len(held.closed) >= held.plan.groups.stages else None

    def line_of(line: StandingsRow) -> GroupLine:
        (number,) = line.entries
        fate = "left" if held.entry(number).status == "left" else ""
        if last:
            fate = "through" if number in last.through else fate or "out"
        return GroupLine(number, line.name, line.place, shown(line.points), fate)

    return tuple(tuple(map(line_of, lines)) for lines in group_standings(held))
