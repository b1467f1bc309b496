"""The clock of an evening: what each stage was planned to take and took, and how far away the end is."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.tournaments.conditions import conditions_of
from app.storage import models
from snug.tournament.events import Called, StageClosed, StageSeated
from snug.tournament.forecast import forecast, minutes_of
from snug.tournament.state import Tournament


class EveningClock(msgspec.Struct, frozen=True):
    """`took`: the minutes of each closed stage. Seconds: `stage_left` of what was planned for the one being played,
    below 0 if it takes longer; `break_left` until the next one, or the end of the break that was called; `end` until
    all is over, as far as it can be told."""

    took: tuple[int, ...]
    stage_left: int | None = None
    break_left: int | None = None
    end: int | None = None


def moments_of(connection: Connection, row: models.Tournament, tournament: Tournament) -> dict[int, float]:
    """When each line was written with which a stage began or was closed, or something was called, by their numbers."""
    wanted = [n for n, line in enumerate(tournament.log, 1) if isinstance(line, StageSeated | StageClosed | Called)]
    if not wanted:
        return {}
    line = models.TournamentLine
    made = select(line.number, line.made_at).where(line.tournament_id == row.id, line.number.in_(wanted))
    return {one.number: one.made_at for one in connection.execute(made)}


def clock_of(
    context: AppContext, row: models.Tournament, tournament: Tournament, moments: Mapping[int, float]
) -> EveningClock | None:
    """The clock of a tournament that has begun and is not over; None for others."""
    if not tournament.stages:
        return None
    now, begun, took = context.now(), 0.0, list[int]()
    for number, line in enumerate(tournament.log, 1):
        if isinstance(line, StageSeated):
            begun = moments.get(number, now)
        elif isinstance(line, StageClosed):
            took.append(round((moments.get(number, now) - begun) / 60))
    if tournament.over:
        return EveningClock(tuple(took))
    stage, left = tournament.stage, None
    if stage:
        left = round(begun + 60 * round(minutes_of(tournament.plan.stage(stage.number))) - now)
    waits = None if tournament.stage else _break_left(context, row, tournament, moments)
    return EveningClock(tuple(took), left, waits, _end(row, tournament, left, waits))


def _break_left(
    context: AppContext, row: models.Tournament, tournament: Tournament, moments: Mapping[int, float]
) -> int | None:
    if row.due_at is not None:
        return max(0, round(row.due_at - context.room_time()))
    if tournament.call is None:
        return None
    number, call = tournament.call
    return max(0, round(moments.get(number, context.now()) + 60 * call.minutes - context.now()))


def _end(row: models.Tournament, tournament: Tournament, left: int | None, waits: int | None) -> int | None:
    """Seconds until the last stage is over, if nobody comes or goes; None where that cannot be told."""
    people = len(tournament.stages[0].players) + len(tournament.stages[0].sitting_out)
    stages = forecast(tournament.plan, people).stages
    coming = stages[len(tournament.stages) :]
    if tournament.stage is None and not coming:  # a second final
        coming = stages[-1:]
    if tournament.plan.has_final and tournament.stage and tournament.stage.is_final:
        coming = ()
    pause = (conditions_of(row).pause or 0.0) * (len(coming) - (tournament.stage is None and bool(coming)))
    return round(max(left or 0, 0) + (waits or 0) + sum(60 * stage.minutes for stage in coming) + pause)
