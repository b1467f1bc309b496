"""What calls a person, wherever they are in the room: the table that is ready, an announcement, the end."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, func, select

from app.services.context import AppContext
from app.services.errors import or_not_found
from app.services.tournaments import log as tournament_log
from app.services.tournaments.calls import begins_at, begins_soon, version_of_call
from app.storage import models
from app.storage.rows import all_of
from snug.tournament.forecast import minutes_of
from snug.tournament.state import Tournament

_FOLLOWED = 4  # tournaments that a list of one's places listens to: the newest


class ReadyTable(NamedTuple):
    """A table of the stage being played where somebody's seat waits."""

    slug: str
    number: int


class Call(msgspec.Struct, frozen=True):
    """What a tournament tells one person wherever they are, at a version of that. `stage` is the number of the stage
    being played, 0 between stages; `news` is what was announced since the last one began."""

    slug: str
    name: str
    version: int
    stage: int
    is_over: bool
    news: str
    begins_soon: bool = False
    table: ReadyTable | None = None


def call_of(context: AppContext, connection: Connection, slug: str, player_id: int | None) -> Call:
    """What this tournament tells a person (None: a stranger). Raises NotFound."""
    return _calls(context, connection, [tournament_log.find(connection, slug)], player_id)[0]


def calls_in(
    context: AppContext, connection: Connection, tournament_ids: Collection[int], player_id: int
) -> tuple[Call, ...]:
    """What the newest of these tournaments tell a person, but those that are over."""
    newest = sorted(tournament_ids, reverse=True)[:_FOLLOWED]
    if not newest:
        return ()
    wanted = select(models.Tournament).where(models.Tournament.id.in_(newest)).order_by(models.Tournament.id.desc())
    calls = _calls(context, connection, all_of(connection, wanted), player_id)
    return tuple(call for call in calls if not call.is_over)


class Evening(NamedTuple):
    """When a tournament begins, by the wall clock, about how long it takes, and when any of that was said last."""

    name: str
    begins_at: float
    minutes: int
    changed_at: float


def evening_of(context: AppContext, connection: Connection, slug: str) -> Evening:
    """What a calendar keeps of a tournament. Raises NotFound where it begins at no set time."""
    row = tournament_log.find(connection, slug)
    at = or_not_found(begins_at(row), "This tournament has no set time to begin at.")
    stages = _current(context, connection, row).plan.stages
    newest = select(func.max(models.TournamentLine.made_at)).where(models.TournamentLine.tournament_id == row.id)
    changed_at = connection.execute(newest).scalar_one() or row.created_at
    return Evening(row.name, at, round(sum(map(minutes_of, stages))), changed_at)


def _calls(
    context: AppContext, connection: Connection, rows: Sequence[models.Tournament], player_id: int | None
) -> list[Call]:
    held = {row.id: _current(context, connection, row) for row in rows}
    entries: dict[int, set[int]] = {row.id: set() for row in rows}
    entry = models.TournamentEntry
    playing = [row_id for row_id, tournament in held.items() if tournament.stage]
    if player_id is not None and playing:
        mine = select(entry.tournament_id, entry.number)
        for tournament_id, number in connection.execute(
            mine.where(entry.player_id == player_id, entry.tournament_id.in_(playing))
        ):
            entries[tournament_id].add(number)
    return [
        Call(
            slug=row.slug,
            name=row.name,
            version=version_of_call(held[row.id], begins_soon(context, row)),
            stage=stage.number if (stage := held[row.id].stage) else 0,
            is_over=held[row.id].over,
            news=held[row.id].news,
            begins_soon=begins_soon(context, row) and not held[row.id].stages,
            table=_ready(connection, row.id, held[row.id], entries[row.id]),
        )
        for row in rows
    ]


def _current(context: AppContext, connection: Connection, row: models.Tournament) -> Tournament:
    """The tournament, kept for the many who are called together. Not for writers: what they see might never be."""
    tournament = tournament_log.current(context, connection, row)
    context.tournaments.keep(row.id, row.version, tournament)
    return tournament


def _ready(connection: Connection, tournament_id: int, held: Tournament, mine: Collection[int]) -> ReadyTable | None:
    staying = {number for number in mine if held.entry(number).status not in ("left", "bot")}
    stage = held.stage
    if stage is None or not staying:
        return None
    waiting = (
        number
        for number, table in enumerate(stage.tables, 1)
        if table.result is None and not table.on_paper and not staying.isdisjoint(table.seats)
    )
    number = next(waiting, None)
    if number is None:
        return None
    place = models.TournamentTable
    placed = select(models.Table.slug).join(place, place.table_id == models.Table.id)
    this = placed.filter_by(tournament_id=tournament_id, stage=stage.number, number=number, annulled=0)
    return ReadyTable(connection.execute(this).scalar_one(), number)
