"""A tournament, checked from what is stored of it alone."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from app.services.integrity.links import chain_of_tournament, faults_found
from app.storage import models
from snug.tournament import fold
from snug.tournament.events import Annulled, AnyLogEvent, Reinstated, TableFinished
from snug.tournament.plan import Plan
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from snug.words import Message, gettext


def faults_of_tournament(connection: Connection, tournament_id: int) -> list[Message]:
    """What is wrong with a tournament as it is stored: its log folded anew, the results of its tables, its chain."""
    query = select(models.Tournament).where(models.Tournament.id == tournament_id)
    return faults_found(connection, query, _faults)


def _faults(connection: Connection, row: models.Tournament) -> Iterator[Message]:
    stored = models.TournamentLine
    lines = connection.execute(select(stored).filter_by(tournament_id=row.id).order_by(stored.number)).all()
    yield from chain_of_tournament(row, lines)
    tournament = fold.begin(msgspec.convert(row.plan, Plan))
    for number, line in enumerate(lines, 1):
        if line.number != number:
            yield gettext("line %(number)s of its log is missing", number=number)
            return
        try:
            tournament = fold.apply(tournament, msgspec.convert(line.event, AnyLogEvent))
        except Exception as error:  # whatever it is, it is what is wrong with the line
            why = getattr(error, "code", "") or type(error).__name__
            yield gettext("line %(number)s of its log cannot be: %(why)s", number=number, why=why)
            return
    standings(tournament)
    yield from _faults_of_tables(connection, row, tournament)


def _faults_of_tables(connection: Connection, row: models.Tournament, tournament: Tournament) -> Iterator[Message]:
    """The result of a table's first match is the one that was written into the log when it was over."""
    told: dict[tuple[int, int], TableFinished] = {}
    annulled: dict[tuple[int, int], TableFinished] = {}
    stage = 0
    for event in tournament.log:
        stage += event.__struct_config__.tag == "stage_seated"
        if isinstance(event, TableFinished) and event.source == "screen":
            told[stage, event.table] = event
        elif isinstance(event, Annulled) and (stage, event.table) in told:
            annulled[stage, event.table] = told.pop((stage, event.table))
        elif isinstance(event, Reinstated) and (stage, event.table) in annulled:
            told[stage, event.table] = annulled.pop((stage, event.table))
    place, match, result = models.TournamentTable, models.Match, models.Result
    rows: Iterable[Any] = connection.execute(  # a match without a result has none of its columns
        select(place.stage, place.number, match.link, result.side, result.points, result.place)
        .join(match, (match.table_id == place.table_id) & (match.number == 1))
        .outerjoin(result, result.match_id == match.id)
        .where(place.tournament_id == row.id, place.annulled == 0)
    )
    sides: dict[tuple[int, int], dict[int, tuple[float, int]]] = {}
    for of_stage, number, link, side, points, at in rows:
        if side is not None:
            sides.setdefault((of_stage, number), {})[side] = points, at
        elif link is None:  # it was over before results were kept
            told.pop((of_stage, number), None)
    for where, event in told.items():
        logged = [*zip(event.scores, event.places, strict=True)]
        played = [both for _, both in sorted(sides.get(where, {}).items())]
        if logged != played:
            stage, number = where
            yield gettext("the result of table %(number)s of stage %(stage)s is wrong", number=number, stage=stage)
