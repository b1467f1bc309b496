"""How late bots move beside many others, and what a person's move takes meanwhile: tables of four bots each, of as many
hosts, beside one where two people play; each has been played at for a while before anything is measured."""

import asyncio
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from app.cli.makers.visitors.guests import Party, Tally, quantile
from app.cli.upgrade import upgraded
from app.main import open_context
from app.services.players.players import welcome
from app.services.seats import create, seats
from snug.bots.levels import STEADY
from tests.bench.clones import clone
from tests.bench.move import parties_at
from tests.bench.servers import Server, folder, room, within
from tests.bench.table import Row
from tests.factories import setup_with

TABLES = (0, 96, 300, 1_000)
WARM, SECONDS = 8.0, 15.0
LONGEST = 120.0
_LOOK = 0.2  # seconds between two looks at what is due when
_DUE = "SELECT id, version, due_at FROM tables WHERE due_at IS NOT NULL AND status = 'playing'"
_MADE = """SELECT table_id, moves.version, min(made_at) FROM moves JOIN rounds ON rounds.id = round_id
    JOIN matches ON matches.id = match_id WHERE moves.made_at >= ? GROUP BY table_id, moves.version"""

_COUNT = "SELECT count(*) FROM moves WHERE made_at >= ? AND seat > 0"


def populate(data: Path, tables: int, level: str = STEADY) -> None:
    """A database with so many tables of bots of this level, all of which begin within a second."""
    settings = upgraded(data, None)
    assert settings, "a new database"
    if not tables:
        return
    context = open_context(settings)
    host, _ = context.write(welcome, "Host")
    slug = context.write(create.create_table, host, "lucky_paw", 4, {"rounds": 9}, setup_with("brisk"))
    context.write(seats.leave_seat, slug, host)
    context.write(seats.fill_seats, slug, host, level)
    context.write(seats.start, slug, host)
    context.writer.close()
    context.database.close()
    clone(data / "snug.db", tables - 1)
    with closing(sqlite3.connect(data / "snug.db")) as connection:
        for name, key in (("tables", "id"), ("seats", "table_id")):
            connection.execute(f"UPDATE {name} SET due_at = due_at + ({key} * 997 % 1000) / 1000.0 WHERE due_at > 0")
        connection.commit()


class Watch:
    """Notes from outside when each table is due, and tells afterwards by how much it was late."""

    def __init__(self, database: Path) -> None:
        self._connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        self._due: dict[tuple[int, int], float] = {}
        self._since = time.time()

    async def run(self, seconds: float) -> None:
        """Looks again and again for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for table_id, version, due_at in self._connection.execute(_DUE):
                self._due[table_id, version + 1] = due_at
            await asyncio.sleep(_LOOK)

    def moves(self) -> int:
        """How often anything was done at a table since."""
        (made,) = self._connection.execute(_COUNT, (self._since,)).fetchone()
        self._connection.close()
        return int(made)

    def late(self) -> list[float]:
        """The seconds from when a bot was to move until it did."""
        made = self._connection.execute(_MADE, (self._since,)).fetchall()
        self._connection.close()
        known = [(at, self._due.get((table_id, version))) for table_id, version, at in made]
        return [max(0.0, at - due_at) for at, due_at in known if due_at]


async def _beside(server: Server, data: Path) -> tuple[list[float], Tally, float]:
    """How late the bots were, what came of the people's moves, the server's share of a core."""
    (party,) = await parties_at("Snug", server.url, 1)
    await play(party, WARM)
    party.tally = Tally()
    watch, before = Watch(data / "snug.db"), server.cpu()
    await asyncio.gather(watch.run(SECONDS), play(party, SECONDS))
    used = (server.cpu() - before) / SECONDS
    party.close()
    return watch.late(), party.tally, used


async def play(party: Party, seconds: float) -> None:
    """About two moves a second, as busy people do."""
    dice, end = random.Random(1), time.monotonic() + seconds
    while time.monotonic() < end:
        await party.step()
        await asyncio.sleep(dice.uniform(0.05, 0.3))


def rows() -> Iterator[Row]:
    """A line for each number of tables."""
    alone: list[float] = []
    for size in TABLES:
        with folder() as data:
            populate(data, size)
            with room(data) as server:
                late, tally, used = within(LONGEST, _beside(server, data))
        alone = alone or tally.answered
        waits = f"{_ms(tally.answered, 0.5)}, {_ms(tally.answered, 0.99)}; heard {_ms(tally.heard, 0.5)}, "
        yield Row(
            f"{size:,} tables of bots: late p50, p99; a person",
            f"{_ms(late, 0.5)}, {_ms(late, 0.99)}" if late else "–",
            f"{waits}{_ms(tally.heard, 0.99)}; {len(late) / SECONDS:.0f} moves/s, {used:.2f} cores",
            f"{quantile(tally.answered, 0.5) / quantile(alone, 0.5):.2f} × alone",
        )


def _ms(values: list[float], share: float) -> str:
    return f"{quantile(values, share) * 1000:.0f} ms"
