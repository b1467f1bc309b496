"""A tournament as one person sees it: who is in, what is played, who stands where. Decks stay secret."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.fairness.deals import stage_seals
from app.services.tournaments import log as tournament_log
from app.services.tournaments.standings_cache import CurrentStandings
from app.storage import models
from app.storage.rows import all_of
from app.tournament import meetings
from app.tournament.events import Adjusted, Corrected, Ended, Entrusted, Replaced, Withdrew
from app.tournament.points import decimal, shown
from app.tournament.seating import achieved
from app.tournament.sizes import why_no_start
from app.tournament.standings import Line, standings
from app.tournament.state import Correction, Entry, Tournament
from app.tournament.statement import statement
from app.words import Message, gettext, gettext_noop, ngettext

_TRUST = {
    "organiser": gettext_noop("%(who)s organises from now on."),
    "helper": gettext_noop("%(who)s helps to organise."),
    "none": gettext_noop("%(who)s no longer helps to organise."),
}
_MARKS = {"played": "", "bot": "b", "sat_out": "s", "missed": "m", "left": "l"}


class TableLine(msgspec.Struct, frozen=True):
    """A table of the stage being played: who sits there in order, their scores once it is over; `slug` for those who
    may go there."""

    number: int
    names: tuple[str, ...]
    scores: tuple[str, ...]
    is_mine: bool
    slug: str | None

    @property
    def result(self) -> str:
        """The scores of the seats, one after the other."""
        return ", ".join(f"{name}: {score}" for name, score in zip(self.names, self.scores, strict=True))


class Row(msgspec.Struct, frozen=True):
    """A line of the standings as it is read; a stage's points bear a mark where they were not played for."""

    place: int
    name: str
    points: str
    stages: tuple[str, ...]
    adjusted: str
    why: tuple[Message, ...]
    is_me: bool
    shared: bool


class TournamentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament for one pair of eyes: `held` is its plan and what its log came to. `is_organiser` also for those of
    the entries `helpers`, `is_chief` not; `people` are the entries that are no bots. `seals` are the commitments to
    what the stages are dealt from, where all tables of a stage get the same deal."""

    slug: str
    code: str | None
    name: str
    version: int
    held: Tournament
    rules: tuple[Message, ...]
    starts: str
    wait: int
    due_at: float | None
    is_chief: bool
    is_organiser: bool
    people: frozenset[int]
    helpers: frozenset[int]
    mine: Entry | None
    gone: Entry | None
    tables: tuple[TableLine, ...]
    rows: tuple[Row, ...]
    log: tuple[Message, ...]
    seals: tuple[str, ...] = ()

    @property
    def reserves(self) -> tuple[Entry, ...]:
        """The reserve list."""
        return self._with("reserve")

    @property
    def staying(self) -> tuple[Entry, ...]:
        """Whoever the organiser can take off the list."""
        return self._with("in", "reserve")

    @property
    def away(self) -> tuple[Entry, ...]:
        """Whoever left a tournament that has begun, and can be let back in."""
        return self._with("bot", "left") if self.held.stages else ()

    @property
    def helping(self) -> tuple[Entry, ...]:
        """The other people who help to organise."""
        return tuple(entry for entry in self.other_people if entry.number in self.helpers)

    @property
    def not_helping(self) -> tuple[Entry, ...]:
        """The other people who do not."""
        return tuple(entry for entry in self.other_people if entry.number not in self.helpers)

    @property
    def other_people(self) -> tuple[Entry, ...]:
        """The entries that are people, without this one."""
        own = self.mine.number if self.mine else 0
        return tuple(entry for entry in self.held.entries if entry.number in self.people and entry.number != own)

    def _with(self, *statuses: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.held.entries if entry.status in statuses)

    @property
    def my_table(self) -> TableLine | None:
        """The table that waits for this person."""
        return next((table for table in self.tables if table.is_mine and not table.scores), None)

    @property
    def may_enter(self) -> bool:
        """Whether this person can sign up, be it for the reserve list."""
        held, plan = self.held, self.held.plan
        late = len(held.stages) >= plan.late_until
        full = len(held.active) >= plan.players
        return self.mine is None and not held.over and (full or not late or plan.drop_out == "reserve")

    @property
    def no_start(self) -> str:
        """Why the organiser cannot start the next stage now; empty if he can, or while one is being played."""
        return "" if self.held.stage or self.held.over else why_no_start(self.held)

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams that have room."""
        plan = self.held.plan
        members = [entry.team for entry in self.held.active]
        return tuple(t for t in dict.fromkeys(members) if plan.teams and members.count(t) < plan.teams.size)

    @property
    def grid(self) -> tuple[tuple[int, ...], ...]:
        """How often each entry met each other."""
        return meetings.grid(self.held)

    @property
    def seatings(self) -> tuple[Message, ...]:
        """What each stage's seating achieved, in words."""
        return tuple(achieved(self.held, stage.number).sentence for stage in self.held.stages)


def version_of(connection: Connection, slug: str) -> int:
    """How often a tournament has changed. Raises NotFound."""
    version = connection.execute(select(models.Tournament.version).where(models.Tournament.slug == slug))
    found = version.scalar_one_or_none()
    if found is None:
        raise NotFound(tournament_log.NO_TOURNAMENT)
    return found


def _current_standings(context: AppContext, connection: Connection, row: models.Tournament) -> CurrentStandings:
    """The tournament at this version, from memory if it is there. Not for writers: what they see might never be."""
    if kept := context.standings.get(row.id, row.version):
        return kept
    tournament = tournament_log.current(context, connection, row)
    board = CurrentStandings(tournament, standings(tournament))
    context.standings.keep(row.id, row.version, board)
    return board


def load_tournament_page(
    context: AppContext, connection: Connection, slug: str, player_id: int | None
) -> TournamentPage:
    """The tournament behind a link, as `player_id` (None: a stranger) may see it. Raises NotFound."""
    row = tournament_log.find(connection, slug)
    board = _current_standings(context, connection, row)
    tournament = board.tournament
    stored = all_of(
        connection,
        select(models.TournamentEntry).where(
            models.TournamentEntry.tournament_id == row.id, models.TournamentEntry.player_id.is_not(None)
        ),
    )
    own = [tournament.entry(entry.number) for entry in stored if entry.player_id == player_id]
    mine = next((entry for entry in own if entry.status not in ("left", "bot")), None)
    gone = next((entry for entry in own if entry.status in ("left", "bot") and tournament.takes_part(entry)), None)
    helpers = {entry.number for entry in stored if entry.helps}
    is_chief = row.organiser_id == player_id
    is_organiser = is_chief or any(entry.number in helpers for entry in own)
    numbers = {entry.number for entry in own}
    return TournamentPage(
        slug=row.slug,
        code=row.code,
        name=row.name,
        version=row.version,
        held=tournament,
        rules=statement(tournament.plan),
        starts=row.conditions["starts"],
        wait=row.conditions["wait"],
        due_at=row.due_at,
        is_chief=is_chief,
        is_organiser=is_organiser,
        people=frozenset(entry.number for entry in stored),
        helpers=frozenset(helpers),
        mine=mine,
        gone=gone if mine is None else None,
        tables=_tables(connection, row.id, tournament, mine.number if mine else None, is_organiser),
        rows=tuple(_row(line, numbers) for line in board.lines),
        log=tuple(_words(tournament, event) for event in tournament.corrections),
        seals=stage_seals(connection, row.id, len(tournament.plan.stages)) if tournament.plan.same_deal else (),
    )


def _tables(
    connection: Connection, tournament_id: int, tournament: Tournament, mine: int | None, is_organiser: bool
) -> tuple[TableLine, ...]:
    stage = tournament.stage
    if stage is None:
        return ()
    stored = connection.execute(
        select(models.TournamentTable.number, models.Table.slug)
        .join(models.Table, models.Table.id == models.TournamentTable.table_id)
        .where(models.TournamentTable.tournament_id == tournament_id, models.TournamentTable.stage == stage.number)
    )
    slugs = dict(stored.all())
    return tuple(
        TableLine(
            number,
            tuple(tournament.name(seat) for seat in table.seats),
            tuple(f"{score:g}" for score in table.result.scores) if table.result else (),
            mine in table.seats,
            slugs[number] if is_organiser or mine in table.seats else None,
        )
        for number, table in enumerate(stage.tables, 1)
    )


def rows_for_machines(held: Tournament) -> tuple[Row, ...]:
    """The standings with points as decimal numbers, for spreadsheets and programs."""
    return tuple(_row(line, set(), decimal) for line in standings(held))


def _row(line: Line, numbers: set[int], write: Callable[[Fraction], str] = shown) -> Row:
    return Row(
        line.place,
        line.name,
        write(line.points),
        tuple(f"{write(score.points)}{_MARKS[score.kind]}" if score else "–" for score in line.stages),
        write(line.adjusted) if line.adjusted else "",
        line.why,
        not numbers.isdisjoint(line.entries),
        line.shared,
    )


def _words(tournament: Tournament, event: Correction) -> Message:
    match event:
        case Corrected():
            return gettext(
                "Table %(table)s was corrected to %(scores)s: %(reason)s",
                table=event.table,
                scores=", ".join(f"{score:g}" for score in event.scores),
                reason=event.reason,
            )
        case Ended():
            return gettext("Ended early: %(reason)s", reason=event.reason)
    who = tournament.name(event.entry)
    match event:
        case Adjusted():
            return ngettext(
                "%(who)s: %(points)s point: %(reason)s",
                "%(who)s: %(points)s points: %(reason)s",
                abs(event.points),
                who=who,
                points=f"{event.points:+g}",
                reason=event.reason,
            )
        case Replaced():
            return gettext("%(who)s was followed by %(by)s.", who=who, by=tournament.name(event.by))
        case Entrusted():
            return gettext(_TRUST[event.role], who=who)
        case Withdrew():
            return gettext("%(who)s was taken off the list by the organiser.", who=who)


def exported(page: TournamentPage) -> dict[str, Any]:
    """The whole tournament as plain data, without what is still secret."""
    held = page.held
    return {
        "name": page.name,
        "plan": msgspec.to_builtins(held.plan),
        "rules": [sentence.as_read() for sentence in page.rules],
        "over": held.over,
        "entries": [
            {"number": entry.number, "name": entry.name, "team": entry.team, "status": entry.status}
            for entry in held.entries
        ],
        "standings": [
            {
                "place": r.place,
                "name": r.name,
                "points": r.points,
                "stages": r.stages,
                "adjusted": r.adjusted,
                "why": [sentence.as_read() for sentence in r.why],
            }
            for r in rows_for_machines(held)
        ],
        "met": page.grid,
        "log": [tournament_log.shown_event(held, at) for at in range(len(held.log))],
    }
