"""Reads a tournament as one person may see it. Decks stay secret."""

from collections.abc import Callable, Set
from fractions import Fraction
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.errors import or_not_found
from app.services.fairness.deals import stage_seals
from app.services.queries.circles import circle_named
from app.services.queries.tournaments.clock import clock_of, moments_of
from app.services.queries.tournaments.lines import Row, TableLine
from app.services.queries.tournaments.live_tables import Hall, Standing, hall_of, is_secret, looks_on, with_scores
from app.services.queries.tournaments.page import TournamentPage
from app.services.queries.tournaments.words import in_words
from app.services.tournaments import log as tournament_log
from app.services.tournaments.calls import begins_at
from app.services.tournaments.conditions import conditions_of
from app.services.tournaments.entries import codes_of
from app.services.tournaments.provisional_standings import SoFar, so_far
from app.services.tournaments.tables import PLAYERS, takes_part, watch_of
from app.storage import models
from app.storage.rows import all_of
from snug.tournament.lines import StandingsRow
from snug.tournament.points import decimal, shown
from snug.tournament.standings import standings
from snug.tournament.state import Table, Tournament
from snug.tournament.statement import statement


class CurrentStandings(NamedTuple):
    """A tournament and who stands where in it, after the closed stages and with what is done of the one played; and
    when its stages began and ended."""

    tournament: Tournament
    lines: tuple[StandingsRow, ...]
    so_far: SoFar | None
    moments: dict[int, float]


def version_of(connection: Connection, slug: str) -> int:
    """How often a tournament has changed. Raises NotFound."""
    version = connection.execute(select(models.Tournament.version).filter_by(slug=slug)).scalar_one_or_none()
    return or_not_found(version, tournament_log.NO_TOURNAMENT)


def _current_standings(context: AppContext, connection: Connection, row: models.Tournament) -> CurrentStandings:
    """The tournament at this version, from memory if it is there. Not for writers: what they see might never be."""
    kept: CurrentStandings | None = context.standings.get(row.id, row.version)
    if kept:
        return kept
    tournament = tournament_log.current(context, connection, row)
    moments = moments_of(connection, row, tournament)
    board = CurrentStandings(tournament, standings(tournament), so_far(tournament), moments)
    context.standings.keep(row.id, row.version, board)
    return board


def hall_mark(context: AppContext, connection: Connection, slug: str, player_id: int | None) -> tuple[int, str]:
    """How often a tournament has changed, and a mark that does with what this person sees. Raises NotFound."""
    row = tournament_log.find(connection, slug)
    tournament, watch = _current_standings(context, connection, row).tournament, watch_of(row.conditions)
    is_one = watch == PLAYERS and takes_part(connection, row.id, player_id)
    return row.version, hall_of(context, connection, row, tournament).mark(looks_on(tournament, watch, is_one))


def load_tournament_page(
    context: AppContext, connection: Connection, slug: str, player_id: int | None
) -> TournamentPage:
    """The tournament behind a link, as `player_id` (None: a stranger) may see it. Raises NotFound."""
    row = tournament_log.find(connection, slug)
    board = _current_standings(context, connection, row)
    tournament = board.tournament
    entered = select(models.TournamentEntry).filter_by(tournament_id=row.id)
    stored = all_of(connection, entered.where(models.TournamentEntry.player_id.is_not(None)))
    own = [tournament.entry(entry.number) for entry in stored if entry.player_id == player_id]
    mine = next((entry for entry in own if entry.status not in ("left", "bot")), None)
    gone = next((entry for entry in own if entry.status in ("left", "bot") and tournament.takes_part(entry)), None)
    helpers = {entry.number for entry in stored if entry.helps}
    is_chief = row.organiser_id == player_id
    is_organiser = is_chief or any(entry.number in helpers for entry in own)
    numbers = {entry.number for entry in own}
    people = {entry.number for entry in stored}
    bots = {entry.number for entry in tournament.entries if entry.has_device and entry.number not in people}
    watch = watch_of(row.conditions)
    hall, looks = hall_of(context, connection, row, tournament), looks_on(tournament, watch, is_organiser or bool(own))
    return TournamentPage(
        row=row,
        held=tournament,
        rules=statement(tournament.plan),
        conditions=conditions_of(row),
        is_chief=is_chief,
        is_organiser=is_organiser,
        people=frozenset(people),
        helpers=frozenset(helpers),
        mine=mine,
        gone=gone if mine is None else None,
        tables=_tables(hall, tournament, mine.number if mine else None, is_organiser, looks),
        rows=tuple(_row(line, numbers, bots=bots) for line in board.lines),
        log=tuple(
            in_words(tournament, event, None, told=not is_secret(tournament.stage)) for event in tournament.corrections
        ),
        begins_at=begins_at(row),
        circle=circle_named(connection, row.circle_id),
        seals=stage_seals(connection, row.id, len(tournament.plan.stages)) if tournament.plan.same_deal else (),
        so_far=_rows_so_far(board.so_far, numbers, bots),
        is_secret=is_secret(tournament.stage),
        hall=hall.mark(looks),
        own=frozenset(numbers),
        codes=codes_of(row, tournament) if is_organiser else {},
        clock=clock_of(context, row, tournament, board.moments),
    )


def _tables(
    hall: Hall, tournament: Tournament, mine: int | None, is_organiser: bool, looks: bool
) -> tuple[TableLine, ...]:
    return tuple(
        _line(number, hall.tables[number], table, mine in table.seats, is_organiser, looks)
        for number, table in enumerate(tournament.stage.tables if tournament.stage else (), 1)
    )


def _line(number: int, standing: Standing, table: Table, is_mine: bool, is_organiser: bool, looks: bool) -> TableLine:
    seats = standing.seats if looks else standing.named
    if is_mine and table.result:  # one's own result is no secret
        seats = with_scores(standing.named, table)
    watches = looks and standing.may_look and not is_mine
    slug = standing.slug if is_mine or is_organiser or watches else None
    return TableLine(
        number,
        seats,
        standing.state,
        table.result is not None,
        is_mine,
        slug,
        watches,
        on_paper=table.on_paper,
        was_annulled=table.annulled is not None,
    )


def _rows_so_far(board: SoFar | None, numbers: set[int], bots: set[int]) -> tuple[Row, ...]:
    if board is None:
        return ()
    rows = [_row(line, numbers, bots=bots) for line in board.lines]
    spans = board.spans or (None,) * len(rows)
    return tuple(msgspec.structs.replace(row, span=span) for row, span in zip(rows, spans, strict=True))


def rows_for_machines(held: Tournament) -> tuple[Row, ...]:
    """The standings with points as decimal numbers, for spreadsheets and programs."""
    return tuple(_row(line, set(), decimal) for line in standings(held))


def _row(
    line: StandingsRow, numbers: set[int], write: Callable[[Fraction], str] = shown, bots: Set[int] = frozenset()
) -> Row:
    return Row(
        line.place,
        line.name,
        write(line.points),
        line.stage_figures(write),
        write(line.adjusted) if line.adjusted else "",
        line.why,
        not numbers.isdisjoint(line.entries),
        line.shared,
        is_bot=bots >= {*line.entries},
    )
