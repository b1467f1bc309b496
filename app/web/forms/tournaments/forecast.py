"""What would come of a form for a tournament, in a few sentences."""

from collections import Counter
from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any, Final

import msgspec

from app.services.errors import Refused
from app.services.tournaments.conditions import PAUSE
from app.web.deps import whole
from app.web.forms.tournaments.fields import is_asked
from app.web.forms.tournaments.read import plan_of
from snug.engine.game import BadSetup
from snug.tournament.checks import read_plan
from snug.tournament.forecast import Forecast, PlannedStage, forecast
from snug.tournament.plan import Plan
from snug.words import Message, figures, gettext, listed, ngettext

_HOURS: Final = 100  # minutes from which on hours are told
_LENGTHS: Final = (2, 3, 4, 6)  # matches that everybody plays, as offered at a tap


class Length(msgspec.Struct, frozen=True):
    """An evening of so many `stages`, about how long it takes, and whether that is what was chosen."""

    stages: int
    time: Message
    is_chosen: bool


def lengths_of(values: Mapping[str, Any]) -> tuple[Length, ...]:
    """How long an evening can be; none where the format says how many stages there are, or the form holds what cannot
    be."""
    if not is_asked("stages", values):
        return ()
    least = len(values["games"])
    chosen = max(whole(values["stages"]), least)
    lengths = []
    for stages in sorted({chosen, *(max(length, least) for length in _LENGTHS)}):
        try:
            plan = read_plan(plan_of({**values, "stages": str(stages)}), strict=False)
        except (Refused, BadSetup):
            return ()
        minutes = forecast(plan, plan.players).minutes + _pause(values) * (stages - 1)
        lengths.append(Length(stages, _short_time(minutes), stages == chosen))
    return tuple(lengths)


def _short_time(minutes: float) -> Message:
    if minutes >= _HOURS:
        return gettext("%(count)s h", count=figures(f"{ceil(minutes / 30) / 2:g}"))
    return gettext("%(count)s min", count=_rounded(minutes))


def _pause(values: Mapping[str, Any]) -> float:
    return whole(values["wait"]) if values["starts"] == "time" else PAUSE / 60


def forecast_of(values: Mapping[str, Any]) -> tuple[Message | str, ...]:
    """What a form comes to as it is filled in; why it cannot be, where it cannot."""
    try:
        plan = read_plan(plan_of(values), strict=False)
    except (Refused, BadSetup) as error:
        return (error.sentence,)
    return tuple(sentences(plan, _pause(values)))


def sentences(plan: Plan, pause: float = 0) -> Iterator[Message]:
    """What a plan comes to when every place is taken, with so many minutes between stages; and with one person fewer,
    where somebody has to sit out then."""
    full = forecast(plan, plan.players)
    yield _told(plan, full, pause)
    if full.people < plan.players:
        yield ngettext(
            "In teams of %(size)s, %(count)s place stays empty.",
            "In teams of %(size)s, %(count)s places stay empty.",
            plan.players - full.people,
            size=plan.teams.size if plan.teams else 1,
        )
    if any(stage.out for stage in full.stages):
        return
    fewer = () if plan.teams or plan.has_halves else (plan.players - 1, plan.players - 2, plan.players - 3)
    for people in fewer:
        first = next(iter(forecast(plan, people).stages), None)
        if first and first.out:
            yield ngettext(
                "With %(people)s people, %(count)s sits out each stage.",
                "With %(people)s people, %(count)s sit out each stage.",
                first.out,
                people=people,
            )
            return


def _told(plan: Plan, full: Forecast, pause: float) -> Message:
    people = ngettext("%(count)s person", "%(count)s people", full.people)
    if not full.stages:
        return gettext("%(people)s: too few for this. Take more places, or fewer groups.", people=people)
    minutes = full.minutes + pause * (len(full.stages) - 1)
    return gettext(
        "%(people)s: %(tables)s, %(stages)s, %(out)s, %(time)s.",
        people=people,
        tables=_tables(plan, full),
        stages=ngettext("%(count)s stage", "%(count)s stages", len(full.stages)),
        out=_out(full.stages),
        time=_time(minutes),
    )


def _tables(plan: Plan, full: Forecast) -> Message | str:
    first = _sizes(full.stages[0])
    if not plan.is_knockout(len(full.stages)):
        return first
    seats = [sum(stage.sizes) + stage.out for stage in full.stages]
    if len(seats) == 1:
        return gettext("one table, the final")
    at = plan.groups.stages if plan.groups else 1
    between = listed([str(count) for count in seats[at:-1]])
    final = gettext("a final of %(count)s", count=seats[-1])
    if not between or plan.has_halves:
        return gettext("%(first)s, then %(final)s", first=first, final=final)
    return gettext("%(first)s, then %(between)s, then %(final)s", first=first, between=between, final=final)


def _sizes(stage: PlannedStage) -> str:
    return listed(
        [
            ngettext("%(count)s table of %(size)s", "%(count)s tables of %(size)s", count, size=size)
            for size, count in Counter(stage.sizes).items()
        ]
    )


def _out(stages: tuple[PlannedStage, ...]) -> Message:
    most = max(stage.out for stage in stages)
    if not most:
        return gettext("nobody sits out")
    if all(stage.out == most for stage in stages):
        return ngettext("%(count)s sits out each stage", "%(count)s sit out each stage", most)
    return ngettext("at most %(count)s sits out", "at most %(count)s sit out", most)


def _time(minutes: float) -> Message:
    if minutes >= _HOURS:
        half_hours = ceil(minutes / 30)
        hours = f"{half_hours // 2}½" if half_hours % 2 else str(half_hours // 2)
        return gettext("about %(hours)s hours", hours=hours)
    return ngettext("about %(count)s minute", "about %(count)s minutes", _rounded(minutes))


def _rounded(minutes: float) -> int:
    return ceil(minutes) if minutes < 10 else 5 * ceil(minutes / 5)
