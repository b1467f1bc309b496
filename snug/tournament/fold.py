"""The fold: a tournament after each line of its log. What cannot happen is refused and changes nothing."""

from collections.abc import Iterable

from msgspec.structs import replace

from snug.tournament import entries, set_up, stages
from snug.tournament import events as log
from snug.tournament.events import AnyLogEvent
from snug.tournament.plan import MOST_POINTS, Plan, check_plan
from snug.tournament.state import EventRefused, Tournament


def begin(plan: Plan) -> Tournament:
    """A tournament that nobody has entered yet. Raises BadSetup."""
    check_plan(plan)
    return Tournament(plan)


def apply(tournament: Tournament, event: AnyLogEvent) -> Tournament:
    """The tournament after one more line of its log. Raises EventRefused; finished stages stay as they are."""
    if tournament.over and not isinstance(event, log.Adjusted | log.Announced):
        raise EventRefused("OVER", "The tournament is over.")
    after = _apply(tournament, event)
    return replace(after, log=(*tournament.log, event))


def fold(plan: Plan, events: Iterable[AnyLogEvent]) -> Tournament:
    """The tournament that a log comes to. Raises BadSetup or EventRefused."""
    tournament = begin(plan)
    for event in events:
        tournament = apply(tournament, event)
    return tournament


def as_of(tournament: Tournament, stage: int) -> Tournament:
    """The tournament as it was when stage `stage` was closed. Raises EventRefused if it has not been."""
    closings = [index for index, event in enumerate(tournament.log, 1) if isinstance(event, log.StageClosed)]
    if not 1 <= stage <= len(closings):
        raise EventRefused("NO_STAGE", "There is no finished stage %(stage)s.", stage=stage)
    return fold(tournament.stated or tournament.plan, tournament.log[: closings[stage - 1]])


def _apply(tournament: Tournament, event: AnyLogEvent) -> Tournament:
    match event:
        case log.Entered():
            return entries.entered(tournament, event)
        case log.Withdrew():
            return entries.withdrew(tournament, event)
        case log.Returned():
            return entries.returned(tournament, event)
        case log.Replaced():
            return entries.replaced(tournament, event)
        case log.StageSeated():
            return stages.stage_seated(tournament, event)
        case log.LotSealed():
            return stages.lot_sealed(tournament, event)
        case log.TableFinished():
            return stages.table_finished(tournament, event)
        case log.Corrected():
            return stages.corrected(tournament, event)
        case log.StageClosed():
            return stages.stage_closed(tournament, event)
        case log.SetUpChanged():
            return set_up.changed(tournament, event)
        case log.Adjusted():
            return _adjusted(tournament, event)
        case log.Ended():
            return _ended(tournament, event)
        case log.Entrusted():
            tournament.entry(event.entry)  # it must exist
            return tournament
        case log.Announced():
            return tournament


def _adjusted(tournament: Tournament, event: log.Adjusted) -> Tournament:
    entry = tournament.entry(event.entry)
    if not tournament.takes_part(entry):
        raise EventRefused("NOT_IN", "%(name)s does not take part.", name=entry.name)
    if not 0 < abs(event.points) < MOST_POINTS:
        raise EventRefused("BAD_POINTS", "Say how many points to give or to take.")
    return tournament


def _ended(tournament: Tournament, event: log.Ended) -> Tournament:
    if tournament.stage:
        raise EventRefused("STAGE_OPEN", "Stage %(number)s is not finished yet.", number=tournament.stage.number)
    return tournament
