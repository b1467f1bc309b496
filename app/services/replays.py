"""Rounds replayed from their moves. The cache only ever holds what was committed, and never outranks the log."""

import threading
from collections import OrderedDict
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from app import models
from app.db import AnyRow
from app.rules import GAMES
from app.rules import match as matches
from app.rules.dealer import Outcome
from app.rules.game import DEALER, Event, convert, read_move, read_options
from app.rules.match import Match
from app.rules.record import Step

_KEPT = 512


class LiveRound(msgspec.Struct, frozen=True):
    """A table's current round: the match at this moment, how many moves are stored, what came of each."""

    match_id: int
    match_number: int
    round_id: int
    began: int
    moves: int
    match: Match
    log: tuple[tuple[Event, ...], ...]
    host_seat: int
    names: tuple[str, ...]


class Replays:
    """The newest rounds by table, valid at exactly one table version. Safe from any thread."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[int, tuple[int, LiveRound]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, table_id: int, version: int) -> LiveRound | None:
        """The round as it stood at this version, if it is at hand."""
        with self._lock:
            kept = self._rounds.get(table_id)
        return kept[1] if kept and kept[0] == version else None

    def keep(self, table_id: int, version: int, live: LiveRound) -> None:
        """Remembers a committed round; an older version never replaces a newer one."""
        with self._lock:
            kept = self._rounds.get(table_id)
            if kept and kept[0] > version:
                return
            self._rounds[table_id] = (version, live)
            self._rounds.move_to_end(table_id)
            if len(self._rounds) > _KEPT:
                self._rounds.popitem(last=False)


def load_live(
    replays: Replays, connection: Connection, table_id: int, game: str, version: int, *, committed: bool = True
) -> LiveRound | None:
    """The table's current round, None before the first match. Replays its moves unless the cache has this version.
    In a writing transaction `committed` is false: what it sees might never be, so it is not remembered."""
    if kept := replays.get(table_id, version):
        return kept
    found = connection.execute(
        select(models.Match).where(models.Match.table_id == table_id).order_by(models.Match.number.desc()).limit(1)
    ).first()
    if found is None:
        return None
    live = replay(connection, game, found)
    if committed:
        replays.keep(table_id, version, live)
    return live


def replay(connection: Connection, game: str, stored: Any) -> LiveRound:
    """The last round of a stored match, from its moves."""
    current, match, steps = round_of(connection, game, stored)
    log: list[tuple[Event, ...]] = []
    for step in steps:
        match, events = matches.play(match, *step)
        log.append(events)
    return LiveRound(
        stored.id,
        stored.number,
        current.id,
        current.version,
        len(steps),
        match,
        tuple(log),
        stored.host_seat,
        tuple(stored.names),
    )


def round_of(
    connection: Connection, game: str, stored: Any, number: int | None = None
) -> tuple[AnyRow, Match, tuple[Step, ...]]:
    """A round of a stored match, the last one unless a number is given: as it is stored, the match when it began, and
    what was done. There must be such a round."""
    seats = len(stored.names)
    rules = GAMES[game]
    options = read_options(rules, seats, stored.options)
    rounds = select(models.Round).where(models.Round.match_id == stored.id).order_by(models.Round.number)
    if number is not None:
        rounds = rounds.where(models.Round.number <= number)
    *finished, current = connection.execute(rounds).all()
    match = matches.begin(rules, options, seats, stored.host_seat)
    for row in finished:
        scores = tuple(row.scores)
        totals = rules.tally(options, match.totals, rules.entries(options, scores))
        match = msgspec.structs.replace(match, rounds=(*match.rounds, scores), totals=totals)
    match = msgspec.structs.replace(match, round=rules.start(options, seats, current.number, current.dealer))
    moves = connection.execute(
        select(models.Move.seat, models.Move.move)
        .where(models.Move.round_id == current.id)
        .order_by(models.Move.number)
    ).all()
    steps = tuple((seat, convert(raw, Outcome) if seat == DEALER else read_move(rules, raw)) for seat, raw in moves)
    return current, match, steps
