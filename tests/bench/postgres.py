"""Committed moves of PostgreSQL a second: at many tables at once through the services, beside what the driver can do
with a pipeline of the same two statements."""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from statistics import median

import psycopg

from app.services.context import AppContext
from app.services.handlers import add_handlers
from app.services.play import play
from app.services.seats import seats
from app.services.table.open_table import FINISHED, SCORES
from app.services.table.snapshot import at_hand, load_snapshot
from app.storage.db import Database
from app.storage.writers import open_writer
from snug.engine.game import plain
from tests.bench.servers import on_servers_core, within
from tests.bench.table import Row, times
from tests.factories import Party, begin
from tests.postgres import NoPostgres, postgres_server

TABLES = 32
ROUNDS = 5
SECONDS = 1.5
LONGEST = 120.0
_PREPARE = (
    "CREATE TABLE bare_tables (id int PRIMARY KEY, version int NOT NULL)",
    "CREATE TABLE bare_moves (table_id int, number int, move json, PRIMARY KEY (table_id, number))",
    f"INSERT INTO bare_tables SELECT number, 0 FROM generate_series(1, {TABLES}) AS number",
)
_UPDATE = "UPDATE bare_tables SET version = version + 1 WHERE id = %s AND version = %s"
_INSERT = "INSERT INTO bare_moves VALUES (%s, %s, %s)"
_MOVE = '{"move": "play", "cards": ["7H"], "stack": 1}'


class Bare:
    """One move at every table in one pipeline and one commit, again and again: what stands beside the services."""

    def __init__(self, connection: "psycopg.Connection[object]") -> None:
        self._connection, self._numbers = connection, count()
        for statement in _PREPARE:
            connection.execute(statement)
        connection.commit()

    def clear(self) -> None:
        """Leaves nothing behind."""
        self._connection.execute("DROP TABLE bare_tables, bare_moves")
        self._connection.commit()

    def rate(self, seconds: float) -> float:
        """Moves a second."""
        began, moves = time.perf_counter(), 0
        while (passed := time.perf_counter() - began) < seconds:
            number = next(self._numbers)
            with self._connection.pipeline():
                cursor = self._connection.cursor()
                cursor.executemany(_UPDATE, [(table, number) for table in range(1, TABLES + 1)])
                cursor.executemany(_INSERT, [(table, number, _MOVE) for table in range(1, TABLES + 1)])
                self._connection.commit()
            moves += TABLES
        return moves / passed


async def _play(party: Party, dice: random.Random, end: float) -> int:
    """Plays at a table as soon as it is somebody's turn; how many moves it took."""
    context, slug, moves = party.context, party.slug, 0
    players = [guest.id for guest in party.guests]
    while time.perf_counter() < end:
        snapshot = at_hand(context, slug)
        if snapshot is None:
            with context.database.reading() as connection:
                snapshot = load_snapshot(context, connection, slug)
        if snapshot.row.status == SCORES:
            for player in players:
                await context.write_soon(play.set_ready, slug, player)
            continue
        if snapshot.row.status == FINISHED:
            await context.write_soon(seats.rematch, slug, players[0])
            continue
        assert snapshot.round
        match = snapshot.round.match
        number = match.to_act[0]
        move = plain(dice.choice(match.game.legal(match.round, number)))
        moves += await context.write_soon(play.play, slug, players[number - 1], move, snapshot.row.version)
    return moves


async def _rate(parties: list[Party], seconds: float) -> tuple[float, float]:
    """Moves a second, and this process's seconds for one."""
    parties[0].context.pubsub.attach(asyncio.get_running_loop())
    began, used = time.perf_counter(), time.process_time()
    played = await asyncio.gather(*(_play(party, random.Random(party.slug), began + seconds) for party in parties))
    return sum(played) / (time.perf_counter() - began), (time.process_time() - used) / max(1, sum(played))


def rows(rounds: int = ROUNDS, seconds: float = SECONDS) -> Iterator[Row]:
    """One line: its own PostgreSQL as it comes from the packager, so that a commit is on disk, on the servers' core."""
    what = f"committed moves, PostgreSQL, {TABLES} tables"
    with ExitStack() as stack:
        try:
            with on_servers_core():
                server = stack.enter_context(postgres_server(durable=True))
        except NoPostgres as error:
            yield Row(what, "not measured", str(error))
            return
        url = stack.enter_context(server.migrated())
        bare = Bare(stack.enter_context(psycopg.connect(url.replace("+psycopg", ""))))
        database = Database(url)
        stack.callback(database.close)
        context = add_handlers(AppContext(database, open_writer(database), os.urandom(32)))
        stack.callback(context.writer.close)
        parties = [begin(context, 2, rounds=9) for _ in range(TABLES)]
        rates: dict[str, list[float]] = {"Snug": [], "bare": [], "share": []}
        for number in range(-1, rounds):  # the first is to warm up
            rate, share = within(LONGEST, _rate(parties, seconds))
            for name, value in {"Snug": rate, "bare": bare.rate(seconds), "share": share}.items():
                if number >= 0:
                    rates[name].append(value)
        bare.clear()
    beside = (
        f"bare pipeline {median(rates['bare']):,.0f}/s; Python's share {median(rates['share']) * 1e6:.0f} µs a move"
    )
    yield Row(what, f"{median(rates['Snug']):,.0f}/s", beside, f"{times(rates['Snug'], rates['bare']):.2f} × bare")
