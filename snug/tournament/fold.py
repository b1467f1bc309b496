"""The fold: a tournament after each line of its log. What cannot happen is refused and changes nothing."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from snug.tournament import entries, stages
from snug.tournament import events as log
from snug.tournament.acts import field, play_offs, set_up, tables
from snug.tournament.acts.cuts import lost
from snug.tournament.acts.play_offs import check_played_off
from snug.tournament.checks import check_plan
from snug.tournament.events import AnyLogEvent
from snug.tournament.plan import MOST_POINTS, Plan
from snug.tournament.standings import what_follows
from snug.tournament.state import EventRefused, Tournament


def begin(plan: Plan) -> Tournament:
    """A tournament that nobody has entered yet. Raises BadSetup."""
    check_plan(plan)
    return Tournament(plan)


def apply(tournament: Tournament, event: AnyLogEvent) -> Tournament:
    """The tournament after one more line of its log. Raises EventRefused; of finished stages only results change."""
    if tournament.over and not isinstance(event, log.Adjusted | log.Announced | log.Corrected):
        raise EventRefused("OVER", "The tournament is over.")
    if isinstance(event, log.Corrected) and event.stage:
        return _corrected_later(tournament, event)
    if isinstance(event, log.StageClosed):
        check_played_off(tournament)
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


def _corrected_later(tournament: Tournament, event: log.Corrected) -> Tournament:
    """The tournament as if a closed stage had ended so, but that who went on stays where the next stage is seated, or
    where somebody of those has come or gone since. Raises EventRefused."""
    if not 1 <= event.stage <= len(tournament.closed):
        raise EventRefused("NO_STAGE", "There is no finished stage %(stage)s.", stage=event.stage)
    lines = (*tournament.log, event)
    gone_on = {stage.number: stage.through for stage in tournament.closed}
    seated = {number: through for number, through in gone_on.items() if number < len(tournament.stages)}
    try:
        after = _anew(tournament, lines, seated)
    except EventRefused:
        after = _anew(tournament, lines, gone_on)
    said = what_follows(tournament, after, event.stage)
    return replace(after, log=lines, effects={**tournament.effects, len(lines): said})


def _anew(tournament: Tournament, lines: Iterable[AnyLogEvent], gone_on: Mapping[int, frozenset[int]]) -> Tournament:
    after = begin(tournament.stated or tournament.plan)
    for line in _in_turn(lines):
        if isinstance(line, log.PlayedOff):
            after = _if_owed(after, line)
            continue
        before, after = after, _apply(after, line)
        if isinstance(line, log.StageClosed):
            after = _went_on(before, after, gone_on)
        after = replace(after, log=(*after.log, line))
    return after


def _if_owed(tournament: Tournament, line: log.PlayedOff) -> Tournament:
    """The tournament after a play-off, or as it was where those are not level any more."""
    try:
        after = _apply(tournament, line)
    except EventRefused:
        after = tournament
    return replace(after, log=(*tournament.log, line))


def _in_turn(lines: Iterable[AnyLogEvent]) -> Iterator[AnyLogEvent]:
    """The lines with those that put right a closed stage where they would have been before it was closed."""
    later, others = defaultdict[int, list[log.Corrected]](list), list[AnyLogEvent]()
    for line in lines:
        if isinstance(line, log.Corrected) and line.stage:
            later[line.stage].append(replace(line, stage=0))
        else:
            others.append(line)
    number = 0
    for line in others:
        if isinstance(line, log.StageClosed):
            number += 1
            yield from later[number]
        yield line


def _went_on(before: Tournament, after: Tournament, gone_on: Mapping[int, frozenset[int]]) -> Tournament:
    """The tournament after a stage from which these went on, whoever would have by its results."""
    stage = after.stages[-1]
    through = gone_on.get(stage.number, stage.through)
    for number in stage.through ^ through:
        entry = before.entry(number)
        after = after.with_entry(entry if number in through else lost(after.plan, entry))
    return after if through == stage.through else after.with_stage(replace(stage, through=through, cuts=()))


def _apply(tournament: Tournament, event: AnyLogEvent) -> Tournament:
    return _AFTER[type(event)](tournament, event)


def _entrusted(tournament: Tournament, event: log.Entrusted) -> Tournament:
    tournament.entry(event.entry)  # it must exist
    return tournament


def _adjusted(tournament: Tournament, event: log.Adjusted) -> Tournament:
    entry = tournament.entry(event.entry)
    if not tournament.takes_part(entry):
        raise EventRefused("NOT_IN", "%(name)s does not take part.", name=entry.name)
    if not 0 < abs(event.points) < MOST_POINTS:
        raise EventRefused("BAD_POINTS", "Say how many points to give or to take.")
    return tournament


def _called(tournament: Tournament, event: log.Called) -> Tournament:
    if event.what == "last_deal" and not tournament.stage:
        raise EventRefused("NO_STAGE", "No stage is being played: there is no last deal to call.")
    if event.what == "break" and (tournament.stage or not event.minutes):
        raise EventRefused("NO_BREAK", "A break is between stages, and takes a minute at least.")
    if event.what == "nothing" and tournament.call is None:
        raise EventRefused("NOT_CALLED", "Nothing is called just now.")
    return tournament


def _ended(tournament: Tournament, event: log.Ended) -> Tournament:
    if tournament.stage:
        raise EventRefused("STAGE_OPEN", "Stage %(number)s is not finished yet.", number=tournament.stage.number)
    return tournament


_AFTER: Final[Mapping[type[log.LogEvent], Callable[[Tournament, Any], Tournament]]] = {
    log.Entered: entries.entered,
    log.DeviceChanged: entries.device_changed,
    log.Withdrew: entries.withdrew,
    log.Returned: entries.returned,
    log.Replaced: entries.replaced,
    log.Seeded: field.seeded,
    log.Wished: field.wished,
    log.StageSeated: stages.stage_seated,
    log.LotSealed: stages.lot_sealed,
    log.TableFinished: stages.table_finished,
    log.Corrected: stages.corrected,
    log.Moved: tables.moved,
    log.Annulled: tables.annulled,
    log.Reinstated: tables.reinstated,
    log.PlayedOff: play_offs.played_off,
    log.StageClosed: stages.stage_closed,
    log.SetUpChanged: set_up.changed,
    log.Adjusted: _adjusted,
    log.Ended: _ended,
    log.Called: _called,
    log.Entrusted: _entrusted,
    log.Announced: lambda tournament, _: tournament,
}
