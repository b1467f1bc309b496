"""Clients that go away at random moments, in the middle of a post and of a poll that is held. The room has nothing left
of them soon after, no post is done twice, and who stays is answered. On both databases."""

import asyncio
import os
import random
import socket
import struct
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from math import inf
from pathlib import Path
from typing import Final, NamedTuple, cast
from urllib.parse import urlsplit

from sqlalchemy.pool import QueuePool

from app.cli.makers.visitors.guests import Guest, Party, Tally, open_table
from app.cli.makers.visitors.page_reader import Way
from app.cli.upgrade import migrate
from app.settings import read_settings
from app.storage.db import Database
from tests.postgres import postgres_server
from tests.servers import Served, serving
from tests.simulation.victims import MOVES
from tests.soak.limits import NO_LIMITS
from tests.soak.numbers import Numbers

SIZE: Final = 20_000
QUICK: Final = 200
STUCK: Final = 2.0  # seconds
_AT_ONCE = 40
_TABLES = 4
_LONGEST = 0.06  # seconds until a client goes away
_RESET = struct.pack("ii", 1, 0)  # no farewell: what is under way is cut
_HOLD = 60.0  # seconds, longer than any batch: nobody's poll ends by itself


class Left(NamedTuple):
    """Who went away, how many moves they sent and how many were done, and how long it took at most until nothing was
    left of them."""

    clients: int
    posts: int
    done: int
    settled: float


class Leavers:
    """Clients of one table, who all are whoever sits there."""

    def __init__(self, url: str, party: Party, dice: random.Random) -> None:
        parts = urlsplit(url)
        self._address = parts.hostname or "", parts.port or 0
        self.party, self._dice = party, dice
        self.posts = 0

    async def come_and_go(self, number: int) -> None:
        """So many of them, with moves and polls."""
        movers = [(guest, ways) for guest in self.party.guests if (ways := guest.page.ways("/moves"))]
        await asyncio.gather(*(self._one(movers) for _ in range(number)))

    async def _one(self, movers: list[tuple[Guest, list[Way]]]) -> None:
        dice = self._dice
        if movers and dice.random() < 0.6:
            guest, ways = dice.choice(movers)
            way = dice.choice(ways)
            self.posts += 1
            request = guest.acting._request(way.action, way.fields, True)
        else:
            guest = dice.choice(self.party.guests)
            request = guest.acting._request(f"{guest.path}/live?seen={guest.page.version}", None, True)
        await asyncio.sleep(dice.uniform(0, _LONGEST))
        reader, writer = await asyncio.open_connection(*self._address)
        line: socket.socket = writer.get_extra_info("socket")
        if dice.random() < 0.5:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        writer.write(request if dice.random() < 0.7 else request[: dice.randrange(len(request))])
        await asyncio.sleep(dice.uniform(0, _LONGEST))
        with suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(reader.read(dice.choice((1, 500))), 0.001)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def play_on(self) -> None:
        """Somebody stays and looks, and makes a move now and then."""
        for guest in self.party.guests:
            await guest.look()
        if self._dice.random() < 0.3 or not any(guest.page.ways("/moves") for guest in self.party.guests):
            await self.party.step()


def _left_over(served: Served) -> dict[str, int]:
    """What the room still has of anybody."""
    database = served.context.database
    pools = {"readers": database.reader, "writers": database.writer}
    return {
        "lines": served.lines(),
        "polls": sum(map(len, served.context.pubsub._waiting.values())),
        **{name: cast(QueuePool, engine.pool).checkedout() for name, engine in pools.items()},
    }


async def _crowd(served: Served, clients: int, end: float) -> Left:
    dice = random.Random("disconnects")
    tables = []
    for number in range(_TABLES):
        party = await open_table(served.url, "lucky_paw", 2, random.Random(f"table {number}"), Tally(), {"rounds": "9"})
        tables.append(Leavers(served.url, party, dice))
    idle = {"lines": 0, "polls": 0, "readers": 0, "writers": 1}  # which keeps its connection
    settled, left = 0.0, 0
    while left < clients and time.monotonic() < end:
        number = min(_AT_ONCE, clients - left)
        await asyncio.gather(*(table.come_and_go(number // _TABLES) for table in tables))
        left += number
        for table in tables:
            async with asyncio.timeout(STUCK):
                await table.party.guests[0].look()
            table.party.close()
        began = time.monotonic()
        while (found := _left_over(served)) != idle:
            assert time.monotonic() - began < STUCK, f"left over: {found}"
            await asyncio.sleep(0.005)
        settled = max(settled, time.monotonic() - began)
        for table in tables:
            await table.play_on()
    for table in tables:
        table.party.close()
    return Left(left, sum(table.posts for table in tables), 0, settled)


def leave(data: Path, database_url: str, clients: int, end: float = inf) -> Left:
    """So many clients of a room go away before the end; of every version at most one move is stored."""
    os.environ.setdefault("PYTEST_CURRENT_TEST", "clients who leave")  # which the server deals by
    with serving(read_settings(NO_LIMITS, data, database_url), hold=_HOLD) as served:
        left = asyncio.run(_crowd(served, clients, end))
    database = Database(database_url)
    with database.reading() as connection:
        stored = Counter((slug, seen) for slug, seen, _move in connection.execute(MOVES))
    database.close()
    assert set(stored.values()) == {1}
    return left._replace(done=stored.total())


def measure(clients: int, end: float = inf) -> Numbers:
    """So many clients, half of them on either database, each in half of the time until the end."""
    half = (time.monotonic() + end) / 2
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="snug-soak-")))
        sqlite = f"sqlite:///{data / 'snug.db'}"
        migrate(sqlite)
        postgres = stack.enter_context(stack.enter_context(postgres_server(durable=True)).migrated())
        first = leave(data, sqlite, clients // 2, half)
        second = leave(data, postgres, clients // 2, end)
    return {
        "clients": first.clients + second.clients,
        "posts": first.posts + second.posts,
        "moves": first.done + second.done,
        "settled": round(max(first.settled, second.settled), 2),
    }
