"""Every competitor's points, stage by stage: the lines that are ranked."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import msgspec

from snug.tournament.events import Adjusted
from snug.tournament.plan import Teams
from snug.tournament.points import NOTHING, Points, exact, shown, team_points
from snug.tournament.state import Score, Tournament
from snug.words import Message

_MARKS = {"played": "", "bot": "b", "sat_out": "s", "missed": "m", "left": "l"}


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

    def stage_figures(self, write: Callable[[Fraction], str] = shown) -> tuple[str, ...]:
        """What each stage was worth, with a letter where it was not simply played."""
        return tuple(f"{write(score.points)}{_MARKS[score.kind]}" if score else "–" for score in self.stages)


def entry_lines(tournament: Tournament) -> list[StandingsRow]:
    """Everybody who takes part, in the order of entry."""
    adjusted, closed, last_alone = _adjustments(tournament), tournament.closed, last_decides(tournament)
    lines = []
    for entry in filter(tournament.takes_part, tournament.entries):
        stages = tuple((stage.scores or {}).get(entry.number) or entry.missed.get(stage.number) for stage in closed)
        extra = adjusted.get(entry.number, NOTHING)
        points = total(stages[-1:] if last_alone else stages, extra)
        lines.append(StandingsRow(0, entry.name, (entry.number,), points, stages, extra))
    return lines


def team_lines(tournament: Tournament) -> list[StandingsRow]:
    """Every team, with what its members won together."""
    teams = tournament.plan.teams
    last_alone = last_decides(tournament)
    members: dict[str, list[StandingsRow]] = defaultdict(list)
    for line in entry_lines(tournament):
        members[tournament.entry(line.entries[0]).team].append(line)
    lines = []
    for name, own in members.items():
        stages = tuple(
            _team_score(teams, row, tournament.plan.low_wins) for row in zip(*(m.stages for m in own), strict=True)
        )
        extra = sum((member.adjusted for member in own), NOTHING)
        points = total(stages[-1:] if last_alone else stages, extra)
        lines.append(StandingsRow(0, name, tuple(member.entries[0] for member in own), points, stages, extra))
    return lines


def last_decides(tournament: Tournament) -> bool:
    """Whether the last stage alone counts now: as soon as it is closed, where the plan has it so."""
    plan = tournament.plan
    return plan.counts == "last" and not plan.has_final and len(tournament.closed) == len(plan.stages)


def total(scores: Iterable[Score | None], extra: Fraction = NOTHING) -> Fraction:
    """Of all that there are."""
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
