"""What happened to a tournament, and how it is played, in words."""

from collections.abc import Sequence

from app.services.table.settings import OFF
from app.services.tournaments.conditions import Conditions
from snug.declared import field_of
from snug.tournament import events as log
from snug.tournament.acts.set_up import changes
from snug.tournament.events import AnyLogEvent
from snug.tournament.plan import PaperGame, Plan
from snug.tournament.state import Stage, Table, Tournament
from snug.words import Message, figures, gettext, gettext_noop, listed, ngettext, together

_TRUST = {
    "organiser": gettext_noop("%(who)s organises from now on."),
    "helper": gettext_noop("%(who)s helps to organise."),
    "none": gettext_noop("%(who)s no longer helps to organise."),
}
_WISHES = {
    "apart": gettext_noop("The organiser wishes to see %(names)s at different tables."),
    "together": gettext_noop("The organiser wishes to see %(names)s at one table."),
    "none": gettext_noop("%(names)s may sit apart or together, as it comes."),
}
_DONE = {
    "screen": gettext_noop("Table %(table)s is done: %(scores)s."),
    "paper": gettext_noop("Table %(table)s is done: %(scores)s, as one of the table wrote down."),
    "organiser": gettext_noop("Table %(table)s is done: %(scores)s, as the organiser wrote down."),
}


def in_words(tournament: Tournament, event: AnyLogEvent, stage: Stage | None, *, told: bool) -> Message:
    """A line of the log as a sentence; `stage` is the one that was played then, and `told` whether its results are."""
    match event:
        case log.Entered():
            if event.by_organiser:
                return gettext("%(who)s was put on the list by the organiser.", who=event.name)
            if event.team:
                return gettext("%(who)s entered for %(team)s.", who=event.name, team=event.team)
            return gettext("%(who)s entered.", who=event.name)
        case log.Seeded():
            return _seeded(tournament, event)
        case log.Wished():
            names = listed([tournament.name(number) for number in event.entries])
            return gettext(_WISHES[event.wish], names=names)
        case log.StageSeated():
            return _seated(tournament, event)
        case log.TableFinished():
            if stage is None or not told:
                return gettext("Table %(table)s is done.", table=event.table)
            scores = _scores(tournament, stage.tables[event.table - 1], event.scores)
            return gettext(_DONE[event.source], table=event.table, scores=scores)
        case log.Corrected():
            if event.stage:
                return _corrected_later(tournament, event)
            if not told:
                return gettext("Table %(table)s was corrected: %(reason)s", table=event.table, reason=event.reason)
            return gettext(
                "Table %(table)s was corrected to %(scores)s: %(reason)s",
                table=event.table,
                scores=_scores(tournament, stage.tables[event.table - 1], event.scores)
                if stage
                else ", ".join(figures(f"{score:g}") for score in event.scores),
                reason=event.reason,
            )
        case log.Annulled():
            return gettext(
                "Table %(table)s plays again, what was played counts for nothing: %(reason)s",
                table=event.table,
                reason=event.reason,
            )
        case log.Reinstated():
            return gettext("What was annulled at table %(table)s counts after all.", table=event.table)
        case log.PlayedOff():
            played = ", ".join(
                f"{tournament.name(number)} {figures(f'{score:g}')}"
                for number, score in zip(event.entries, event.scores, strict=True)
            )
            return gettext("One deal more among those who were level: %(scores)s.", scores=played)
        case log.LotSealed():
            return gettext("A lot was sealed for those who will be level: %(seal)s.", seal=event.seal)
        case log.StageClosed():
            if event.lot:
                return gettext("The stage was closed. Its lot, sealed before, was %(lot)s.", lot=event.lot)
            return gettext("The stage was closed.")
        case log.Ended():
            return gettext("Ended early: %(reason)s", reason=event.reason)
        case log.Announced():
            return gettext("To everybody: %(text)s", text=event.text)
        case log.Called():
            return _called(event)
        case log.SetUpChanged():
            return _changed(tournament, event)
    who = tournament.name(event.entry)
    match event:
        case log.Adjusted():
            return ngettext(
                "%(who)s: %(points)s point: %(reason)s",
                "%(who)s: %(points)s points: %(reason)s",
                abs(event.points),
                who=who,
                points=figures(f"{event.points:+g}"),
                reason=event.reason,
            )
        case log.Moved():
            if event.swap:
                other = tournament.name(event.swap)
                return gettext("The organiser had %(who)s and %(other)s change places.", who=who, other=other)
            return gettext("%(who)s was moved to table %(table)s by the organiser.", who=who, table=event.table)
        case log.Replaced():
            return gettext("%(who)s was followed by %(by)s.", who=who, by=tournament.name(event.by))
        case log.Entrusted():
            return gettext(_TRUST[event.role], who=who)
        case log.DeviceChanged():
            if event.has_one:
                return gettext("%(who)s has a device of their own from now on.", who=who)
            return gettext("%(who)s has no device any more.", who=who)
        case log.Returned():
            return gettext("%(who)s is back.", who=who)
        case log.Withdrew():
            if event.by_organiser:
                return gettext("%(who)s was taken off the list by the organiser.", who=who)
            return gettext("%(who)s left.", who=who)


def _seeded(tournament: Tournament, event: log.Seeded) -> Message:
    if not event.entries:
        return gettext("The order of the field is left to the lot.")
    names = ", ".join(map(tournament.name, event.entries))
    return gettext("The organiser put the field in this order, the best first: %(names)s.", names=names)


def _called(event: log.Called) -> Message:
    if event.what == "last_deal":
        return gettext("The last deal was called.")
    if event.what == "break":
        return ngettext(
            "A break of %(count)s minute was called.", "A break of %(count)s minutes was called.", event.minutes
        )
    return gettext("What had been called was taken back.")


def _corrected_later(tournament: Tournament, event: log.Corrected) -> Message:
    line = next(number for number, one in enumerate(tournament.log, 1) if one is event)
    said = gettext(
        "Table %(table)s of stage %(stage)s was corrected to %(scores)s: %(reason)s.",
        table=event.table,
        stage=event.stage,
        scores=_scores(tournament, tournament.stages[event.stage - 1].tables[event.table - 1], event.scores),
        reason=event.reason.rstrip("."),
    )
    return together([said, *tournament.effects[line]])


def _scores(tournament: Tournament, table: Table, scores: Sequence[float]) -> str:
    seats = zip(table.seats, scores, strict=True)
    return ", ".join(f"{tournament.name(number)} {figures(f'{score:g}')}" for number, score in seats)


def _seated(tournament: Tournament, event: log.StageSeated) -> Message:
    tables = ngettext("%(count)s table was set.", "%(count)s tables were set.", len(event.tables))
    if not event.sitting_out:
        return tables
    names = listed([tournament.name(number) for number in event.sitting_out])
    out = ngettext("%(names)s sits out.", "%(names)s sit out.", len(event.sitting_out), names=names)
    return together([tables, out])


def _changed(tournament: Tournament, event: log.SetUpChanged) -> Message:
    """What the organiser changed before the start."""
    said = [gettext("It is called %(name)s.", name=event.title)] if event.title else []
    said += changes(tournament, event)
    titles = [gettext("“%(title)s”", title=field_of(Conditions, name).title) for name in event.conditions]
    if titles:
        said.append(gettext("Different now: %(what)s.", what=listed(titles)))
    return gettext("The set-up was changed: %(what)s", what=together(said))


def ways(plan: Plan) -> tuple[Message, ...]:
    """How the games are played, where that has a name."""
    said: dict[str, Message] = {}
    for stage in plan.stages:
        game = stage.rules
        if isinstance(game, PaperGame):
            continue
        named = (*game.presets, game.shortest) if game.shortest else game.presets
        for way in (way for way in named if dict(way.options) == stage.options):
            said.setdefault(str(stage.game), gettext("%(game)s is played so: %(way)s.", game=game.name, way=way.name))
    return tuple(said.values())


def turn_clock(plan: Plan, conditions: Conditions) -> tuple[str, str] | None:
    """The title of the clock at every table and how it runs; None where there is none."""
    if conditions.clock == OFF or conditions.paper or not plan.known_games:
        return None
    clock = field_of(Conditions, "clock")
    return clock.title, dict(clock.choices)[conditions.clock]
