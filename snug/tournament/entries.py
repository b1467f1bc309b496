"""Coming and going: who is in, who stands by, who has left."""

from msgspec.structs import replace

from snug.tournament import events as log
from snug.tournament.groups import smallest
from snug.tournament.points import missed_score
from snug.tournament.state import Entry, EventRefused, Stage, Tournament
from snug.words import ngettext

MOST_ENTRIES = 512


def entered(tournament: Tournament, event: log.Entered) -> Tournament:
    """Somebody signs up: in, or on the reserve list. Raises EventRefused."""
    plan, number = tournament.plan, len(tournament.entries) + 1
    if event.entry != number:
        raise EventRefused(
            "BAD_ENTRY", "The next entry is number %(number)s, not %(entry)s.", number=number, entry=event.entry
        )
    if number > MOST_ENTRIES:
        raise EventRefused("LIST_FULL", "The tournament and its reserve list are full.")
    if any(entry.name == event.name and entry.status != "left" for entry in tournament.entries):
        raise EventRefused("NAME_TAKEN", "%(name)s is on the list already.", name=event.name)
    full = tournament.is_full
    late = len(tournament.stages) >= plan.late_until
    if late and not full and plan.drop_out != "reserve":
        raise EventRefused("TOO_LATE", "The tournament has begun, and nobody can enter any more.")
    if event.team and not plan.teams:
        raise EventRefused("NO_TEAMS", "In this tournament everybody plays for himself.")
    has_device = not event.by_organiser
    if full or late:
        return tournament.with_entry(Entry(number, event.name, "", "reserve", has_device=has_device))
    if plan.teams:
        _check_team(tournament, event.team, plan.teams.size)
    return _admit(tournament, Entry(number, event.name, event.team, "in", has_device=has_device))


def _check_team(tournament: Tournament, team: str, size: int) -> None:
    if not team:
        raise EventRefused("TEAM_NEEDED", "Say for which team you play.")
    if sum(entry.team == team for entry in tournament.active) >= size:
        raise _team_full(team, size)
    known = {entry.team for entry in tournament.active}
    if team not in known and tournament.stages:
        raise EventRefused("TEAM_LATE", "The tournament has begun: join a team that has room.")
    if team not in known and (len(known) + 1) * size > tournament.plan.players:
        raise EventRefused("TEAMS_FULL", "There is no room for another team.")


def _team_full(team: str, size: int) -> EventRefused:
    full = ngettext(
        "The team %(team)s has its %(count)s player.", "The team %(team)s has its %(count)s players.", size, team=team
    )
    return EventRefused("TEAM_FULL", full)


def device_changed(tournament: Tournament, event: log.DeviceChanged) -> Tournament:
    """Somebody has a device from now on, or none, which waits while the table is on a screen. Raises EventRefused."""
    entry, stage = tournament.entry(event.entry), tournament.stage
    if entry.status not in ("in", "reserve"):
        raise EventRefused("NOT_IN", "%(name)s is not in the tournament any more.", name=entry.name)
    if entry.has_device == event.has_one:
        raise EventRefused("ALREADY_SO", "That is so already.")
    tables = stage.tables if stage and not event.has_one else ()
    if any(entry.number in table.seats and not (table.on_paper or table.result) for table in tables):
        raise EventRefused("NOT_NOW", "%(name)s plays on a screen just now.", name=entry.name)
    return tournament.with_entry(replace(entry, has_device=event.has_one))


def withdrew(tournament: Tournament, event: log.Withdrew) -> Tournament:
    """Somebody leaves; the drop-out policy decides what becomes of the place. Raises EventRefused."""
    entry = tournament.entry(event.entry)
    if entry.status not in ("in", "reserve"):
        raise EventRefused("NOT_IN", "%(name)s is not in the tournament any more.", name=entry.name)
    if entry.status == "reserve":
        return tournament.with_entry(replace(entry, status="left"))
    policy = tournament.plan.drop_out
    stands_by = next((other for other in tournament.entries if other.status == "reserve"), None)
    if stands_by and (policy == "reserve" or not tournament.stages) and not _decided(tournament, entry):
        return _substitute(tournament, entry, stands_by)
    bot = policy == "bot" and tournament.stages
    return _absent(tournament, entry.number).with_entry(replace(entry, status="bot" if bot else "left"))


def returned(tournament: Tournament, event: log.Returned) -> Tournament:
    """Who left is back: in his seat while its part of the stage lasts, else from the next on. Raises EventRefused."""
    entry, stage = tournament.entry(event.entry), tournament.stage
    if refusal := _why_not_back(tournament, entry):
        raise refusal
    if stage and _part_to_play(stage, entry.number):
        tournament = tournament.with_stage(replace(stage, absent=stage.absent - {entry.number}))
    return _admit(tournament, replace(entry, status="in"))


def may_return(tournament: Tournament, number: int) -> bool:
    """Whether an entry that has left can come back now."""
    return not tournament.over and _why_not_back(tournament, tournament.entry(number)) is None


def _why_not_back(tournament: Tournament, entry: Entry) -> EventRefused | None:
    plan, stage = tournament.plan, tournament.stage
    if entry.status not in ("bot", "left"):
        return EventRefused("NOT_AWAY", "%(name)s has not left.", name=entry.name)
    if not tournament.takes_part(entry):
        return EventRefused("NOT_PLAYED", "%(name)s left before the start: sign up again.", name=entry.name)
    if entry.status == "bot":
        return None
    is_expected = stage is not None and _part_to_play(stage, entry.number)
    if not is_expected and plan.is_knockout(len(tournament.stages) + (not stage)):
        return EventRefused("KNOCKED_OUT", "%(name)s left a knockout, and cannot come back into it.", name=entry.name)
    if tournament.is_full:
        return EventRefused("FULL", "Every place is taken.")
    if plan.teams and sum(other.team == entry.team for other in tournament.active) >= plan.teams.size:
        return _team_full(entry.team, plan.teams.size)
    return None


def replaced(tournament: Tournament, event: log.Replaced) -> Tournament:
    """Somebody of the reserve list takes a place. Raises EventRefused."""
    entry, by = tournament.entry(event.entry), tournament.entry(event.by)
    if not entry.active:
        raise EventRefused("NOT_IN", "%(name)s is not in the tournament any more.", name=entry.name)
    if by.status != "reserve":
        raise EventRefused("NOT_RESERVE", "%(name)s is not on the reserve list.", name=by.name)
    if _decided(tournament, entry):
        raise EventRefused(
            "NOT_NOW", "%(name)s has finished this stage of the knockout: wait until it is closed.", name=entry.name
        )
    return _substitute(tournament, entry, by)


def _decided(tournament: Tournament, entry: Entry) -> bool:
    """Whether an entry's fate in the current stage of a knockout is settled, so that nobody can take it over."""
    stage = tournament.stage
    if stage is None or not tournament.plan.is_knockout(stage.number):
        return False
    return not _part_to_play(stage, entry.number)


def _part_to_play(stage: Stage, number: int) -> bool:
    """Whether an entry sits at a table that is still playing, or sits out, as long as the stage lasts."""
    return number in stage.sitting_out or any(number in table.seats for table in stage.tables if not table.result)


def _substitute(tournament: Tournament, leaver: Entry, by: Entry) -> Tournament:
    """`by` comes in as a late entry, in the leaver's team and at his table if it is still playing."""
    tournament = _absent(tournament, leaver.number).with_entry(replace(leaver, status="left"))
    if stage := tournament.stage:
        tables = tuple(
            table.seated(_swapped(table.seats, leaver.number, by.number))
            if leaver.number in table.seats and not table.result
            else table
            for table in stage.tables
        )
        small_final, lower = (
            frozenset(_swapped(tuple(numbers), leaver.number, by.number))
            for numbers in (stage.small_final, stage.lower)
        )
        tournament = tournament.with_stage(replace(stage, tables=tables, small_final=small_final, lower=lower))
    return _admit(tournament, replace(by, status="in", team=leaver.team, group=leaver.group, losses=leaver.losses))


def _swapped(seats: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    return tuple(new if number == old else number for number in seats)


def _admit(tournament: Tournament, entry: Entry) -> Tournament:
    """The entry takes part from now on: stages closed without it have a stated score, and as many sit-outs are
    credited that it is at most one behind. Where there are groups, it joins the smallest."""
    if not tournament.stages:
        return tournament.with_entry(entry)
    if not entry.group:
        entry = replace(entry, group=smallest(tournament))
    scores = {
        stage.number: missed_score(tournament.plan, stage)
        for stage in tournament.closed
        if entry.number not in (stage.scores or ())
    }
    knockout = tournament.plan.is_knockout(len(tournament.stages) + (not tournament.stage))
    company = (other for other in tournament.active if knockout or other.group == entry.group)
    others = [tournament.turns(other.number) for other in company if other.status == "in"]
    behind = min(others, default=0) - 1 - tournament.sat_out(entry.number)
    return tournament.with_entry(replace(entry, missed=scores, credit=max(entry.credit, behind, 0)))


def _absent(tournament: Tournament, number: int) -> Tournament:
    """Notes that an entry left the current stage before its part was done."""
    stage = tournament.stage
    if stage is None or not _part_to_play(stage, number):
        return tournament
    return tournament.with_stage(replace(stage, absent=stage.absent | {number}))
