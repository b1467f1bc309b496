"""Reads a tournament as one person may see it. Decks stay secret."""

from sqlalchemy import Connection, select

from app.services.circles.pages import circle_named
from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.fairness.deals import stage_seals
from app.services.queries.tournaments.page import Row, TableLine, TournamentPage
from app.services.queries.tournaments.words import in_words
from app.services.tournaments import log as tournament_log
from app.services.tournaments.calls import begins_at
from app.services.tournaments.standings_cache import CurrentStandings
from app.storage import models
from app.storage.rows import all_of
from app.tournament.points import shown
from app.tournament.standings import Line, standings
from app.tournament.state import Score, Tournament
from app.tournament.statement import statement

_MARKS = {"played": "", "bot": "b", "sat_out": "s", "missed": "m", "left": "l"}


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
        log=tuple(in_words(tournament, event) for event in tournament.corrections),
        begins_at=begins_at(row),
        circle=circle_named(connection, row.circle_id),
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


def _row(line: Line, numbers: set[int]) -> Row:
    return Row(
        line.place,
        line.name,
        shown(line.points),
        tuple(map(_score, line.stages)),
        shown(line.adjusted) if line.adjusted else "",
        line.why,
        not numbers.isdisjoint(line.entries),
    )


def _score(score: Score | None) -> str:
    return f"{shown(score.points)}{_MARKS[score.kind]}" if score else "–"
