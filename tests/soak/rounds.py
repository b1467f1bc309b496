"""Fifty posts at once from one version of a table: the mover's, and rivals with other moves. Exactly one is applied.
On SQLite with one process, on PostgreSQL with two."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from math import inf
from typing import Final, NamedTuple

from sqlalchemy import select

from app.cli.makers.visitors.connection import Connection
from app.cli.makers.visitors.guests import Guest, NotPlayable, Party, Tally, open_table
from app.storage import models
from app.storage.db import Database
from tests.bench.servers import folder, room, running
from tests.postgres import postgres_server
from tests.soak.limits import NO_LIMITS
from tests.soak.numbers import Numbers

SIZE: Final = 1000
QUICK: Final = 3
RIVALS: Final = 50
_FINE = (200, 409, 422, 503)  # done, too late, against the rules, too many at once


class Contested(Party):
    """Guests whose every move is posted by many connections at once, which belong to the mover and end at all of the
    rooms."""

    def __init__(self, guests: list[Guest], dice: random.Random, urls: Sequence[str]) -> None:
        super().__init__(guests, dice, Tally())
        self._lines = {
            id(guest): [Connection(url, guest.acting.cookies) for url in islice(cycle(urls), RIVALS)]
            for guest in guests
        }
        self._shuffle = dice.shuffle
        self.answers: Counter[int] = Counter()
        self.contested: list[int] = []

    async def _move(self, mover: Guest) -> float:
        ways = list(islice(cycle(mover.page.ways("/moves")), RIVALS))
        self._shuffle(ways)
        version, began = mover.page.version, time.perf_counter()
        lines = self._lines[id(mover)]
        answers = await asyncio.gather(
            *(line.ask(way.action, way.fields, fragment=True) for line, way in zip(lines, ways, strict=True))
        )
        statuses = [answer.status for answer in answers]
        self.answers.update(statuses)
        applied = {way for way, status in zip(ways, statuses, strict=True) if status == 200}
        assert set(statuses) <= set(_FINE), Counter(statuses)
        assert len(applied) == 1, f"{len(applied)} different moves from version {version} were applied"
        self.contested.append(version)
        await mover.look()
        return began

    def close(self) -> None:
        """Everybody goes away."""
        super().close()
        for lines in self._lines.values():
            for line in lines:
                line.close()


class Counted(NamedTuple):
    """How many rounds, and what was answered how often."""

    rounds: int
    answers: Counter[int]


async def _contest(urls: Sequence[str], rounds: int, end: float) -> Contested:
    dice = random.Random("contested")
    opened = await open_table(urls[0], "lucky_paw", 2, dice, Tally(), {"rounds": "9"})
    party = Contested(opened.guests, dice, urls)
    errors = 0
    while len(party.contested) < rounds and time.monotonic() < end:
        try:
            await party.step()
        except NotPlayable:  # one of two rooms has not heard of it yet
            errors += 1
            assert errors < rounds
            for guest in party.guests:
                await guest.look()
    party.close()
    return party


def contest(urls: Sequence[str], database_url: str, rounds: int, end: float = inf) -> Counted:
    """So many rounds before the end, at a table of these rooms, which share a database: of every version one move is
    stored."""
    party = asyncio.run(_contest(urls, rounds, end))
    database = Database(database_url)
    with database.reading() as connection:
        seen = Counter(connection.execute(select(models.Move.seen).where(models.Move.seen.is_not(None))).scalars())
    database.close()
    assert seen == Counter(party.contested)
    assert set(seen.values()) == {1}
    return Counted(len(party.contested), party.answers)


@contextmanager
def on_sqlite() -> Iterator[tuple[list[str], str]]:
    """The address of a room, and its database's."""
    with folder() as data, room(data, environ=NO_LIMITS) as server:
        yield [server.url], f"sqlite:///{data / 'snug.db'}"


@contextmanager
def on_postgres(rooms: int = 2) -> Iterator[tuple[list[str], str]]:
    """The addresses of rooms on one database, and the database's."""
    with ExitStack() as stack:
        database = stack.enter_context(stack.enter_context(postgres_server(durable=True)).migrated())
        data = stack.enter_context(folder())
        serve = ("app.cli", "serve", "--port", "{port}", "--data", str(data), "--database", database)
        yield [stack.enter_context(running(*serve, environ=NO_LIMITS)).url for _ in range(rooms)], database


def measure(rounds: int, end: float = inf) -> Numbers:
    """So many rounds on either database, each in half of the time until the end."""
    numbers: Numbers = {"rivals": RIVALS}
    half = (time.monotonic() + end) / 2
    for name, opened, until in (("sqlite", on_sqlite(), half), ("postgres", on_postgres(), end)):
        with opened as (urls, database_url):
            counted = contest(urls, database_url, rounds, until)
            numbers |= {
                f"{name}_rounds": counted.rounds,
                f"{name}_posts": counted.answers.total(),
                f"{name}_late": counted.answers[409],
            }
    return numbers
