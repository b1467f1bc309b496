"""The current rounds of many tables, read together."""

import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, bindparam, func, select
from sqlalchemy.orm import aliased

from app.services.context import AppContext
from app.services.errors import Broken
from app.services.quarantine import quarantine_on_error
from app.services.table.rounds import CurrentRound, replayed
from app.storage import models


def _newest() -> Select[Any]:
    """A row for each round of every table's newest match: the last one's with a move, and with what was taken back
    after that."""
    match, played, move, took = models.Match, models.Round, models.Move, models.Takeback
    any_match, any_round = aliased(match), aliased(played)
    newest = select(func.max(any_match.number)).where(any_match.table_id == match.table_id).scalar_subquery()
    last = select(func.max(any_round.number)).where(any_round.match_id == match.id).scalar_subquery()
    numbers = match.id.label("match_id"), match.number.label("match_number"), move.number.label("move_number")
    of_match = (match.table_id, *numbers, match.options, match.names, match.host_seat)
    of_round = (played.id.label("round_id"), played.number.label("round_number"), played.dealer, played.scores)
    of_move = (move.seat, move.move, move.seen, move.reveals, move.made_at)
    of_takeback = (took.first, took.last, took.seat.label("asked_by"), took.agreed)
    versions = played.version.label("began"), move.version.label("made"), took.version.label("taken_back_at")
    return (
        select(*of_match, *of_round, *of_move, *of_takeback, *versions)
        .select_from(match)
        .join(played, played.match_id == match.id)
        .outerjoin(move, (move.round_id == played.id) & (played.number == last))
        .outerjoin(took, (took.round_id == move.round_id) & (took.last == move.number))
        .join(models.Table, models.Table.id == match.table_id)
        .where(match.table_id.in_(bindparam("tables", expanding=True)), match.number == newest)
        .where(models.Table.quarantined_at.is_(None))
        .order_by(match.table_id, played.number, move.number, took.version)
    )


_NEWEST: Final = _newest()


class Played(NamedTuple):
    """A table in play, at a version."""

    id: int
    game: str
    version: int


def current_rounds(context: AppContext, connection: Connection, tables: Collection[Played]) -> dict[int, CurrentRound]:
    """The rounds of these tables by their ids. Those that are not at hand cost one statement, however many they are. Of
    a frozen table there is none, and one on which the rules fail is frozen."""
    found = {table.id: live for table in tables if (live := context.rounds.get(table.id, table.version))}
    missing = [table for table in tables if table.id not in found]
    try:
        lines = _lines(connection, missing) if missing else {}
    except ValueError:  # what is stored of one of them cannot be read
        lines = {}
        for table in missing:
            with _freezing(context, table):
                lines |= _lines(connection, [table])
    for table in missing:
        if table.id in lines:
            with _freezing(context, table):
                found[table.id] = live = _replayed(table.game, lines[table.id])
                context.rounds.keep(table.id, table.version, live)
    return found


def _lines(connection: Connection, tables: Collection[Played]) -> dict[int, list[Any]]:
    rows = connection.execute(_NEWEST, {"tables": [table.id for table in tables]})
    return {table_id: [*of_one] for table_id, of_one in groupby(rows, attrgetter("table_id"))}


@contextmanager
def _freezing(context: AppContext, table: Played) -> Iterator[None]:
    try:
        with quarantine_on_error(table.id):
            yield
    except Broken as broken:
        context.freeze(broken)


def _replayed(game: str, lines: Sequence[Any]) -> CurrentRound:
    match = lines[0]
    stored = models.Match(
        id=match.match_id,
        number=match.match_number,
        options=match.options,
        names=match.names,
        host_seat=match.host_seat,
    )
    rounds = [
        models.Round(
            id=line.round_id, number=line.round_number, dealer=line.dealer, version=line.began, scores=line.scores
        )
        for line in {line.round_id: line for line in lines}.values()
    ]
    made = {line.move_number: line for line in lines if line.move_number}  # once, however often it was taken back
    taken = [
        models.Takeback(
            first=line.first, last=line.last, seat=line.asked_by, agreed=line.agreed, version=line.taken_back_at
        )
        for line in lines
        if line.first
    ]
    moves = [(line.seat, line.move, line.seen, line.made, line.reveals) for line in made.values()]
    began_at = next((line.made_at for line in made.values()), math.inf)
    return replayed(game, stored, rounds, moves, sorted(taken, key=lambda took: took.version), began_at)
