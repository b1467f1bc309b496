"""Who is before whom: every competitor's points, and the steps that rank them one after the other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from snug.engine.fairness import lot_drawn
from snug.tournament.events import Adjusted
from snug.tournament.plan import Teams, Tie
from snug.tournament.points import NOTHING, Points, exact, team_points
from snug.tournament.state import Entry, Score, Stage, Table, Tournament
from snug.words import Message, gettext

TIE_NAMES: Final[dict[Tie, Message]] = {
    "wins": gettext("tables won"),
    "head_to_head": gettext("points against each other"),
    "strength": gettext("mean points of the opponents met"),
    "countback": gettext("points in the latest stage that differs"),
}

POINTS: Final = gettext("points")
REACHED: Final = gettext("stage reached")


class StandingsRow(msgspec.Struct, frozen=True):
    """A competitor, player or team, in the standings. `stages` has every finished stage's points (None: not in it),
    `adjusted` what the organiser gave or took. `why` explains ties, each once: the first of those who share a
    place says so, and why they are before the next. `shared`: others have the same place."""

    place: int
    name: str
    entries: tuple[int, ...]
    points: Fraction
    stages: tuple[Score | None, ...]
    adjusted: Fraction
    why: tuple[Message, ...] = ()
    shared: bool = False


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


# Lines and their points


def entry_lines(tournament: Tournament) -> list[StandingsRow]:
    """Everybody who takes part, in the order of entry."""
    adjusted = _adjustments(tournament)
    lines = []
    for entry in filter(tournament.takes_part, tournament.entries):
        stages = _stage_scores(tournament, entry)
        extra = adjusted.get(entry.number, NOTHING)
        points = _total(_counted(tournament, stages), extra)
        lines.append(StandingsRow(0, entry.name, (entry.number,), points, stages, extra))
    return lines


def _stage_scores(tournament: Tournament, entry: Entry) -> tuple[Score | None, ...]:
    number = entry.number
    return tuple((stage.scores or {}).get(number) or entry.missed.get(stage.number) for stage in tournament.closed)


def team_lines(tournament: Tournament) -> list[StandingsRow]:
    """Every team, with what its members won together."""
    teams = tournament.plan.teams
    members: dict[str, list[StandingsRow]] = defaultdict(list)
    for line in entry_lines(tournament):
        members[tournament.entry(line.entries[0]).team].append(line)
    lines = []
    for name, own in members.items():
        stages = tuple(
            _team_score(teams, row, tournament.plan.low_wins) for row in zip(*(m.stages for m in own), strict=True)
        )
        extra = sum((member.adjusted for member in own), NOTHING)
        points = _total(_counted(tournament, stages), extra)
        lines.append(StandingsRow(0, name, tuple(member.entries[0] for member in own), points, stages, extra))
    return lines


def last_decides(tournament: Tournament) -> bool:
    """Whether the last stage alone counts now: as soon as it is closed, where the plan has it so."""
    plan = tournament.plan
    return plan.counts == "last" and not plan.has_final and _is_complete(tournament)


def _is_complete(tournament: Tournament) -> bool:
    return len(tournament.closed) == len(tournament.plan.stages)


def _counted(tournament: Tournament, stages: Sequence[Score | None]) -> Sequence[Score | None]:
    return stages[-1:] if last_decides(tournament) else stages


def _total(scores: Iterable[Score | None], extra: Fraction = NOTHING) -> Fraction:
    return sum((score.points for score in scores if score), extra)


def _team_score(teams: Teams | None, row: Sequence[Score | None], low_wins: bool) -> Score | None:
    """A team's stage. Where somebody came for one who left, those who took part count, and no more than the team has
    places."""
    scores = sorted(filter(None, row), key=lambda score: score.kind in ("missed", "left"))
    if not scores or teams is None:
        return None
    return Score(team_points(teams, [score.points for score in scores[: teams.size]], low_wins), scores[0].kind)


def _adjustments(tournament: Tournament) -> Points:
    points: Points = defaultdict(Fraction)
    for event in tournament.log:
        if isinstance(event, Adjusted):
            points[event.entry] += exact(event.points)
    return points


# The order


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
    level: dict[Fraction, list[StandingsRow]] = defaultdict(list)
    labels = {}
    for line, mark in zip(group, marks, strict=True):
        level[mark.value].append(line)
        labels[mark.value] = mark
    for value in sorted(level, reverse=not step.low_wins):
        yield from _split(level[value], further, [*path, labels[value]])


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
    return [Mark(gettext("points in the stages before the last"), _total(line.stages[:-1])) for line in group]


class _Facts:
    """What the steps of the order need to know of the finished stages, counted once."""

    def __init__(self, tournament: Tournament, going_on: bool) -> None:
        groups, done = tournament.plan.groups, len(tournament.closed)
        self._grouped = groups.stages if groups else 0
        self._in_small = {number for stage in tournament.closed for number in stage.small_final}
        sends_home = tournament.plan.is_knockout(done) or 0 < done == self._grouped
        self._going = {n.number for n in tournament.active} if going_on and sends_home and not tournament.over else {}
        self._done, self._entries = done, tournament.entries
        self._won: Points = defaultdict(Fraction)
        self._beaten: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        self._met: Counter[tuple[int, int]] = Counter()
        self._opponents: dict[int, list[int]] = defaultdict(list)
        self._last: dict[int, int] = {}
        self._played_off: dict[int, Fraction] = {}
        if done and tournament.closed[-1].is_final:
            self._count_play_offs(tournament.closed[-1])
        for stage in tournament.closed:
            self._last.update(dict.fromkeys((*stage.players, *stage.sitting_out), stage.number))
            for table in stage.tables:
                self._count(table.seats, table.places)
                self._count_wins(stage, table)
        self._points = {line.entries[0]: line.points for line in entry_lines(tournament)}

    def _count(self, seats: Sequence[int], places: Sequence[int]) -> None:
        for mine, place in zip(seats, places, strict=True):
            for theirs, other in zip(seats, places, strict=True):
                if mine != theirs:
                    self._met[mine, theirs] += 1
                    self._beaten[mine, theirs] += Fraction((place < other) * 2 + (place == other), 2)
                    self._opponents[mine].append(theirs)

    def _count_wins(self, stage: Stage, table: Table) -> None:
        for entry, place in zip(table.seats, table.places, strict=True):
            if place == 1 and (stage.scores or {})[entry].kind != "left":
                self._won[entry] += Fraction(1, table.places.count(1))

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
        return max(self._last.get(number, 0), self._grouped) - Fraction(number in self._in_small, 2)

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
        return [Mark(TIE_NAMES["wins"], sum((self._won[n] for n in line.entries), NOTHING)) for line in group]

    def strength(self, group: _Group) -> _Values:
        """The mean points of everybody met, as often as met."""
        met = [[other for number in line.entries for other in self._opponents[number]] for line in group]
        if not all(met):
            return None
        means = (sum((self._points[other] for other in others), NOTHING) / len(others) for others in met)
        return [Mark(TIE_NAMES["strength"], mean) for mean in means]

    def head_to_head(self, group: _Group) -> _Values:
        """Points against the others of the group, 1 for ahead, ½ for level; only where all have met equally often."""
        pairs = ((a.entries, b.entries) for a in group for b in group if a is not b)
        met = (sum(self._met[x, y] for x in mine for y in theirs) for mine, theirs in pairs)
        often = next(met, 0)
        if not often or any(times != often for times in met):
            return None
        label = TIE_NAMES["head_to_head"]
        totals = [
            sum(
                (
                    self._beaten[x, y]
                    for x in line.entries
                    for other in group
                    if other is not line
                    for y in other.entries
                ),
                NOTHING,
            )
            for line in group
        ]
        return [Mark(label, total) for total in totals]
