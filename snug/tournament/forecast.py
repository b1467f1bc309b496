"""What a plan comes to with so many people: tables, stages, who sits out, and about how long it takes."""

from functools import lru_cache

import msgspec
from msgspec.structs import replace

from snug.tournament.groups import even
from snug.tournament.plan import PaperGame, Plan, StagePlan
from snug.tournament.rounds.halves import stages_ahead
from snug.tournament.rounds.sizes import table_sizes
from snug.tournament.seating import seat_stage
from snug.tournament.state import Entry, EventRefused, Stage, Table, Tournament

_MOST_STAGES = 60


class PlannedStage(msgspec.Struct, frozen=True):
    """The sizes of a stage's tables, biggest first, how many sit out, and about how many minutes a match takes."""

    sizes: tuple[int, ...]
    out: int
    minutes: float


class Forecast(msgspec.Struct, frozen=True):
    """What a plan comes to. `people` are those who can play, which is fewer than have come where teams are not full.
    `stages` ends with the final of a knockout; it is empty where so few make no table."""

    people: int
    stages: tuple[PlannedStage, ...]

    @property
    def minutes(self) -> float:
        """Of all matches, one after the other."""
        return sum(stage.minutes for stage in self.stages)


def forecast(plan: Plan, people: int) -> Forecast:
    """What the plan comes to with so many people if nobody leaves."""
    if plan.teams:
        people -= people % plan.teams.size
    if plan.groups:
        groups = even(people, plan.groups.count)
        played = [_planned(plan.stage(number), groups) for number in range(1, plan.groups.stages + 1)]
        going = sum(min(plan.groups.through, size) for size in groups)
        stages = [*played, *_knockout(plan, going, plan.groups.stages)]
    elif plan.has_halves:
        stages = []
        for number, halves in enumerate(stages_ahead(people, 0), 1):
            tables = sum(half // 2 for half in halves) or 1  # one of each half at the final
            stages.append(PlannedStage((2,) * tables, sum(halves) - 2 * tables, minutes_of(plan.stage(number))))
    elif plan.format == "knockout":
        stages = _knockout(plan, people, 0)
    elif plan.format == "round_robin":
        stages = [_planned(plan.stage(number), [people]) for number in range(1, rounds_of(plan, people) + 1)]
    else:
        one = plan.format == "series"
        stages = [_planned(stage, [people], one=one) for stage in plan.stages]
    return Forecast(people, tuple(stages) if all(stage.sizes for stage in stages) else ())


@lru_cache(maxsize=256)
def _rounds_to_meet(stages: tuple[tuple[str | PaperGame, int, int, int], ...], people: int) -> int:
    """In how many rounds the seating lets so many meet at such tables, by game, size, fewest and most."""
    planned = tuple(StagePlan(game, {}, size, fewest, most) for game, size, fewest, most in stages)
    entries = tuple(Entry(number, "", "", "in") for number in range(1, people + 1))
    now = Tournament(Plan(format="round_robin", stages=planned), entries)
    while not now.over:
        try:
            seated = seat_stage(now, "forecast", steps=0)
        except EventRefused:
            return max(1, len(now.stages))
        tables = tuple(Table(seats) for seats in seated.tables)
        stage = Stage(len(now.stages) + 1, tables, seated.sitting_out, scores={})
        now = replace(now, stages=(*now.stages, stage))
    return len(now.stages)


def rounds_of(plan: Plan, people: int) -> int:
    """The stages of a round robin of so many, if nobody leaves."""
    return _rounds_to_meet(tuple((stage.game, stage.size, *stage.seats) for stage in plan.stages), people)


def _planned(stage: StagePlan, groups: list[int], *, one: bool = False) -> PlannedStage:
    sizes = sorted((size for group in groups for size in table_sizes(stage, group, one=one)), reverse=True)
    return PlannedStage(tuple(sizes), sum(groups) - sum(sizes), minutes_of(stage))


def _knockout(plan: Plan, people: int, after: int) -> list[PlannedStage]:
    stages: list[PlannedStage] = []
    while len(stages) < _MOST_STAGES:
        stage = plan.stage(after + len(stages) + 1)
        people = max(people, stage.seats[0]) if stages else people
        planned = _planned(stage, [people])
        stages.append(planned)
        if len(planned.sizes) < 2 and not planned.out:
            break
        people = planned.out + sum(min(plan.advance, size - 1) for size in planned.sizes)
    return stages


def minutes_of(stage: StagePlan) -> float:
    """About how long friends take for a match of this stage."""
    rules = stage.rules
    return rules.minutes if isinstance(rules, PaperGame) else rules.minutes_with(rules.options(**stage.options))
