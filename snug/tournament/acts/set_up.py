"""Changing what was stated while people still sign up."""

from msgspec.structs import replace

from snug.engine.game import BadSetup
from snug.tournament import events as log
from snug.tournament.checks import check_plan
from snug.tournament.plan import Plan
from snug.tournament.state import Entry, EventRefused, Tournament
from snug.tournament.statement import statement
from snug.words import Message, gettext, ngettext


def changed(tournament: Tournament, event: log.SetUpChanged) -> Tournament:
    """The plan is another one from now on. Whoever came last stands by where places become fewer, and comes in where
    they become more. Raises EventRefused."""
    if tournament.stages:
        raise EventRefused("BEGUN", "The tournament has begun: its set-up stays as it is.")
    if event.plan is None:
        return tournament
    try:
        check_plan(event.plan)
    except BadSetup as error:
        raise EventRefused(error.code, error.sentence) from error
    entries = _placed(tournament, event.plan)
    return replace(tournament, plan=event.plan, entries=entries, stated=tournament.stated or tournament.plan)


def _placed(tournament: Tournament, plan: Plan) -> tuple[Entry, ...]:
    """Everybody on the list under another plan."""
    before, active = tournament.plan.teams, len(tournament.active)
    if plan.teams and active:
        if before is None or before.size != plan.teams.size:
            raise EventRefused(
                "TEAMS_SET", "People have signed up already: whether teams play, and of how many, stays."
            )
        if active > plan.players:
            many = ngettext(
                "%(count)s has signed up already: with teams, places cannot become fewer than that.",
                "%(count)s have signed up already: with teams, places cannot become fewer than that.",
                active,
            )
            raise EventRefused("TEAMS_SET", many)
        return tournament.entries
    placed, free = [], plan.players
    for entry in tournament.entries:
        if entry.status in ("in", "reserve"):
            entry = replace(entry, team="", status="in" if free > 0 else "reserve")
            free -= 1
        placed.append(entry)
    return tuple(placed)


def changes(tournament: Tournament, event: log.SetUpChanged) -> tuple[Message, ...]:
    """What a line of this tournament's log changed in its plan, a sentence each."""
    plan = tournament.stated or tournament.plan
    for line in tournament.log:
        if not isinstance(line, log.SetUpChanged) or line.plan is None:
            continue
        if line is event:
            return _differences(plan, line.plan)
        plan = line.plan
    return ()


def _differences(before: Plan, after: Plan) -> tuple[Message, ...]:
    said = set(statement(before))
    new = [sentence for sentence in statement(after) if sentence not in said]
    if before.players != after.players:
        new.insert(0, gettext("There are %(places)s places.", places=after.players))
    return tuple(new)
