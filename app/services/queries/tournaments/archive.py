"""What a tournament was: each closed stage with its tables, and everything that happened, in words."""

from itertools import groupby
from operator import itemgetter

import msgspec
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.queries.tournaments.live_tables import is_secret
from app.services.queries.tournaments.load import load_tournament_page
from app.services.queries.tournaments.page import TournamentPage
from app.services.queries.tournaments.words import in_words
from app.services.seats.spectators import NONE
from app.services.tournaments.tables import NOBODY
from app.storage import models
from snug.tournament.events import Corrected, StageSeated
from snug.tournament.points import shown
from snug.tournament.seating import achieved
from snug.tournament.state import Tournament
from snug.words import Message, figures


class PastSeat(msgspec.Struct, frozen=True):
    """Somebody at a table that is done: the seat's number, the score there, the place, and what the stage was worth."""

    number: int
    name: str
    score: str
    place: int
    points: str
    is_me: bool


class PastTable(msgspec.Struct, frozen=True):
    """A table that is done, best place first. `slug` leads to its replay for those who may see that."""

    number: int
    seats: tuple[PastSeat, ...]
    slug: str | None


class PastStage(msgspec.Struct, frozen=True):
    """A closed stage. `cuts` say who of those that were level went on, `put_right` what was corrected since."""

    number: int
    game: str
    tables: tuple[PastTable, ...]
    sat_out: tuple[str, ...]
    seating: Message
    cuts: tuple[Message, ...]
    put_right: tuple[Message, ...]


class LogPart(msgspec.Struct, frozen=True):
    """What happened before the first stage (0), or from the seating of this one on."""

    stage: int
    lines: tuple[Message, ...]


def load_stage(
    context: AppContext, connection: Connection, slug: str, number: int, player_id: int | None
) -> tuple[TournamentPage, PastStage]:
    """A closed stage of a tournament, as this person may see it. Raises NotFound."""
    page = load_tournament_page(context, connection, slug, player_id)
    held = page.held
    if not 1 <= number <= len(held.closed):
        raise NotFound("There is no finished stage %(stage)s.", stage=number)
    stage = held.closed[number - 1]
    place, table = models.TournamentTable, models.Table
    stored = connection.execute(
        select(place.number, table.slug, table.settings["watchers"].as_string().label("watchers"))
        .join(table, table.id == place.table_id)
        .join(models.Tournament, models.Tournament.id == place.tournament_id)
        .where(models.Tournament.slug == slug, place.stage == number, place.annulled == 0)
    ).all()
    slugs = {row.number: row.slug for row in stored}
    shut = {row.number for row in stored if row.watchers == NONE or page.conditions.watch == NOBODY}
    tables = []
    for at, done in enumerate(stage.tables, 1):
        seats = [
            PastSeat(seat, held.name(entry), figures(f"{score:g}"), rank, shown(stage.points[entry]), entry in page.own)
            for seat, (entry, score, rank) in enumerate(zip(done.seats, done.scores, done.places, strict=True), 1)
        ]
        may_see = at not in shut or any(seat.is_me for seat in seats)
        seats.sort(key=lambda seat: seat.place)
        tables.append(PastTable(at, tuple(seats), slugs.get(at) if may_see else None))
    past = PastStage(
        number,
        held.plan.stage(number).rules.name,
        tuple(tables),
        tuple(held.name(entry) for entry in stage.sitting_out),
        achieved(held, number).sentence,
        tuple(cut.sentence for cut in stage.cuts),
        tuple(
            in_words(held, event, stage, told=True)
            for event in held.log
            if isinstance(event, Corrected) and event.stage == number
        ),
    )
    return page, past


def log_of(tournament: Tournament) -> tuple[LogPart, ...]:
    """The whole log in words, stage by stage."""
    lines: list[tuple[int, Message]] = []
    number = 0
    for event in tournament.log:
        number += isinstance(event, StageSeated)
        stage = tournament.stages[number - 1] if number else None
        lines.append((number, in_words(tournament, event, stage, told=not is_secret(stage))))
    return tuple(LogPart(stage, tuple(line for _, line in part)) for stage, part in groupby(lines, itemgetter(0)))
