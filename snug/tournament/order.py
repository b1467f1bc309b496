"""Who is before whom: the steps that rank the lines one after the other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

import msgspec

from snug.engine.fairness import lot_drawn
from snug.tournament.lines import StandingsRow, entry_lines, last_decides, total
from snug.tournament.plan import Tie
from snug.tournament.points import NOTHING, Points
from snug.tournament.state import Stage, Table, Tournament
from snug.words import Message, gettext

TIE_NAMES: Final[dict[Tie, Message]] = {
    "wins": gettext("tables won"),
    "head_to_head": gettext("points against each other"),
    "strength": gettext("mean points of the opponents met"),
    "countback": gettext("points in the latest stage that differs"),
}

POINTS: Final = gettext("points")
REACHED: Final = gettext("stage reached")


class Mark(msgspec.Struct, frozen=True):
    """What one step of the order came to for a competitor."""

    label: Message
    value: Fraction


_Group = Sequence[StandingsRow]
_Values = Sequence[Mark] | None


class _Step(msgspec.Struct, frozen=True):
    """One step of the order: a mark for every line of a group, None where it does not apply to the group."""

    marks: Callable[[_Group], _Values]
    low_wins: bool = False


Marks = list[Mark]


def ranked(
    tournament: Tournament, lines: list[StandingsRow], *, going_on: bool = False, lot: str = ""
) -> list[tuple[StandingsRow, Marks]]:
    """The lines in order, each with its marks as far as they were needed; equal marks share a place, in the order of
    the `lot`, else of the last one that was drawn. `going_on`: who goes on from a knockout's stage is before all who
    went out at it; not where a log's cuts are decided."""
    lot = lot or lot_of(tournament)
    in_turn = sorted(lines, key=lambda line: [lot_drawn(lot, number) for number in line.entries])
    return list(_split(in_turn, _steps(tournament, going_on), []))


def lot_of(tournament: Tournament) -> str:
    """The lot that was drawn last; empty where none was."""
    return tournament.closed[-1].lot if tournament.closed else ""


def _split(group: _Group, steps: Sequence[_Step], path: Marks) -> Iterable[tuple[StandingsRow, Marks]]:
    if not steps or (len(group) == 1 and path):
        yield from ((line, path) for line in group)
        return
    step, *further = steps
    marks = step.marks(group)
    if marks is None:
        yield from _split(group, further, path)
        return
    level: dict[tuple[int, int], list[StandingsRow]] = defaultdict(list)  # hashed sooner than a fraction
    found = {}
    for line, mark in zip(group, marks, strict=True):
        ratio = mark.value.as_integer_ratio()
        level[ratio].append(line)
        found[ratio] = mark
    for ratio in sorted(level, key=lambda ratio: found[ratio].value, reverse=not step.low_wins):
        yield from _split(level[ratio], further, [*path, found[ratio]])


def _steps(tournament: Tournament, going_on: bool) -> list[_Step]:
    plan, facts = tournament.plan, _Facts(tournament, going_on)
    steps = []
    if plan.has_halves:
        steps.append(_Step(facts.losses, True))
    if plan.has_final:
        steps += [_Step(facts.reached), _Step(facts.in_last_stage, plan.low_wins), _Step(facts.in_play_off, True)]
    steps.append(_Step(lambda group: [Mark(POINTS, line.points) for line in group], plan.low_wins))
    if last_decides(tournament):
        steps.append(_Step(_before_the_last, plan.low_wins))
    for tie in plan.ties:
        if tie == "countback":
            steps += [_Step(_in_stage(stage.number), plan.low_wins) for stage in reversed(tournament.closed)]
        elif tie == "wins":
            steps.append(_Step(facts.tables_won))
        elif tie == "strength":
            steps.append(_Step(facts.strength, plan.low_wins))
        else:
            steps.append(_Step(facts.head_to_head))
    return steps


def _in_stage(number: int) -> Callable[[_Group], _Values]:
    def marks(group: _Group) -> _Values:
        scores = [line.stages[number - 1] for line in group]
        if not all(scores):
            return None
        label = gettext("points in stage %(stage)s", stage=number)
        return [Mark(label, score.points if score else NOTHING) for score in scores]

    return marks


def _before_the_last(group: _Group) -> _Values:
    return [Mark(gettext("points in the stages before the last"), total(line.stages[:-1])) for line in group]


class _Met:
    """Who has won tables and who met whom at the finished stages, counted once."""

    def __init__(self, stages: Iterable[Stage]) -> None:
        self.won: Points = defaultdict(Fraction)
        self.beaten: Counter[tuple[int, int]] = Counter()  # twice for ahead, once for level
        self.times: Counter[tuple[int, int]] = Counter()
        self.opponents: dict[int, list[int]] = defaultdict(list)
        for stage in stages:
            for table in stage.tables:
                self._count(stage, table)

    def _count(self, stage: Stage, table: Table) -> None:
        for mine, place in zip(table.seats, table.places, strict=True):
            if place == 1 and (stage.scores or {})[mine].kind != "left":
                self.won[mine] += Fraction(1, table.places.count(1))
            for theirs, other in zip(table.seats, table.places, strict=True):
                if mine != theirs:
                    self.times[mine, theirs] += 1
                    self.beaten[mine, theirs] += (place < other) * 2 + (place == other)
                    self.opponents[mine].append(theirs)


class _Facts:
    """What the steps of the order need to know of the finished stages."""

    def __init__(self, tournament: Tournament, going_on: bool) -> None:
        groups, done = tournament.plan.groups, len(tournament.closed)
        self._grouped = groups.stages if groups else 0
        self._in_small = {number for stage in tournament.closed for number in stage.small_final}
        sends_home = tournament.plan.is_knockout(done) or 0 < done == self._grouped
        self._going = {n.number for n in tournament.active} if going_on and sends_home and not tournament.over else {}
        self._done, self._entries = done, tournament.entries
        self._tournament = tournament
        self._last: dict[int, int] = {}
        self._played_off: dict[int, Fraction] = {}
        if done and tournament.closed[-1].is_final:
            self._count_play_offs(tournament.closed[-1])
        for stage in tournament.closed:
            self._last.update(dict.fromkeys((*stage.players, *stage.sitting_out), stage.number))

    @cached_property
    def _met(self) -> _Met:
        return _Met(self._tournament.closed)

    @cached_property
    def _points(self) -> Points:
        return {line.entries[0]: line.points for line in entry_lines(self._tournament)}

    def _count_play_offs(self, final: Stage) -> None:
        ranks = defaultdict[int, list[int]](list)
        for play_off in final.play_offs:
            for number, rank in play_off.ranks.items():
                ranks[number].append(rank)
        for number, own in ranks.items():
            self._played_off[number] = Fraction(1 + sum(other < own for other in ranks.values()))

    def reached(self, group: _Group) -> _Values:
        """The last stage in which a line took part, or the next one; groups are one, and a small final is less than a
        final."""
        return [Mark(REACHED, self._reached(line.entries[0])) for line in group]

    def _reached(self, number: int) -> Fraction:
        if number in self._going:
            return Fraction(self._done + 1)
        return Fraction(2 * max(self._last.get(number, 0), self._grouped) - (number in self._in_small), 2)

    def losses(self, group: _Group) -> _Values:
        """The tables lost of a double elimination; who has left it has lost all that there are to lose."""
        entries = [self._entries[line.entries[0] - 1] for line in group]
        return [Mark(gettext("tables lost"), Fraction(e.losses if e.active else 2)) for e in entries]

    def in_last_stage(self, group: _Group) -> _Values:
        """The points of the last stage in which they took part, the same one for the whole group; of a knockout's."""
        number = group[0].entries[0]
        last = self._done if number in self._going else self._last.get(number, 0)
        return _in_stage(last)(group) if last > self._grouped else None

    def in_play_off(self, group: _Group) -> _Values:
        """The places in the play-offs of a final that is over, where all of a group played one off."""
        if not all(line.entries[0] in self._played_off for line in group):
            return None
        return [Mark(gettext("the play-off"), self._played_off[line.entries[0]]) for line in group]

    def tables_won(self, group: _Group) -> _Values:
        """Tables won; a first place that is shared counts its share."""
        return [Mark(TIE_NAMES["wins"], sum((self._met.won[n] for n in line.entries), NOTHING)) for line in group]

    def strength(self, group: _Group) -> _Values:
        """The mean points of everybody met, as often as met."""
        met = [[other for number in line.entries for other in self._met.opponents[number]] for line in group]
        if not all(met):
            return None
        means = (sum((self._points[other] for other in others), NOTHING) / len(others) for others in met)
        return [Mark(TIE_NAMES["strength"], mean) for mean in means]

    def head_to_head(self, group: _Group) -> _Values:
        """Points against the others of the group, 1 for ahead, ½ for level; only where all have met equally often."""
        pairs = ((a.entries, b.entries) for a in group for b in group if a is not b)
        met = (sum(self._met.times[x, y] for x in mine for y in theirs) for mine, theirs in pairs)
        often = next(met, 0)
        if not often or any(times != often for times in met):
            return None

        def beaten(line: StandingsRow) -> Fraction:
            others = [entry for other in group if other is not line for entry in other.entries]
            return Fraction(sum(self._met.beaten[x, y] for x in line.entries for y in others), 2)

        return [Mark(TIE_NAMES["head_to_head"], beaten(line)) for line in group]
