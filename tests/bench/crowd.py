"""Many who wait: what each of them takes, how soon one table hears of a move meanwhile, and how soon all onlookers of
one table do. The limit stands beside it, with as many."""

import asyncio
import random
import resource
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median

from app.cli.makers.visitors.connection import Connection
from app.cli.makers.visitors.guests import Guest, Party, Tally, open_table, quantile
from app.cli.makers.visitors.page_reader import version_in
from tests.bench.clones import clone
from tests.bench.move import parties_at
from tests.bench.servers import Server, folder, room, side, within
from tests.bench.table import Row

WAITERS = (2_000, 10_000)
TABLES = 500  # they wait at
ONLOOKERS = 500
MOVES, CROWDED_MOVES = 20, 5
_AT_ONCE = 50
LONGEST = 150.0  # seconds for each crowd, on a busy machine; on a quiet one it takes a tenth of them
_QUIET = 0.2  # of half a second's processor time: the server has hardly anything to do
_SPARE = 200  # open files beside those of the waiters


class Crowd:
    """People without a seat whose polls are held."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._tasks: list[asyncio.Task[None]] = []
        self.heard: list[float] = []

    async def gather(self, tables: dict[str, int], size: int, *, look_up: bool) -> None:
        """So many come to the tables, whose versions are given, and wait. A room that was just opened has to `look_up`
        a table when it is asked first; that is done before."""
        addresses, there = list(tables.items()), self._server.files()
        for start in range(0, len(addresses) if look_up else 0, _AT_ONCE):
            await asyncio.gather(*(self._look_up(*one) for one in addresses[start : start + _AT_ONCE]))
        self.memory = self._server.memory()
        for number in range(size):
            self._tasks.append(asyncio.create_task(self._wait(*addresses[number % len(addresses)])))
            if number % _AT_ONCE == 0:
                await self._until_there(there + number - 2 * _AT_ONCE)
        await self._until_there(there + size - _AT_ONCE)  # of those before, some may have been hung up on meanwhile
        used = 0.0
        while self._server.cpu() - used > _QUIET:
            used = self._server.cpu()
            await asyncio.sleep(0.5)

    async def _until_there(self, files: int) -> None:
        while self._server.files() < files:
            await asyncio.sleep(0.05)

    async def _look_up(self, path: str, version: int) -> None:
        connection = Connection(self._server.url, {})
        await connection.ask(f"{path}/live?seen={version}", fragment=True)
        connection.close()

    async def _wait(self, path: str, version: int) -> None:
        connection = Connection(self._server.url, {})
        while True:
            with suppress(TimeoutError):
                answer = await connection.ask(f"{path}/live?seen={version}", fragment=True)
                if answer.status == 200:
                    self.heard.append(time.perf_counter())
                    version = version_in(answer.html) or version

    async def leave(self) -> int:
        """All go away; how many had been waiting to the end."""
        waited = sum(not task.done() for task in self._tasks)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return waited


def _may_open(files: int) -> str:
    """Lets this process and its servers open so many files; else says why not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < files:
        return f"skipped: that takes {files:,} open files, and {hard:,} are allowed here"
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return ""


async def _with_waiters(
    server: Server, party: Party, tables: dict[str, int], size: int, *, look_up: bool
) -> tuple[float, float]:
    """The bytes of memory for each of so many who wait, and the median seconds until another screen has a move."""
    crowd = Crowd(server)
    await crowd.gather(tables, size, look_up=look_up)
    memory = (server.memory() - crowd.memory) / size
    while party.tally.moves < MOVES:
        await party.step()
    waited = await crowd.leave()
    party.close()
    if waited < size:
        raise RuntimeError(f"only {waited:,} of {size:,} could wait")
    return memory, quantile(party.tally.heard, 0.5)


async def started(url: str) -> Party:
    """Two guests who have made a few moves, and hung up."""
    party = await open_table(url, "lucky_paw", 2, random.Random(1), Tally(), {"rounds": "9"})
    for _ in range(4):
        await party.step()
    party.close()
    return party


async def rejoin(url: str, before: Party) -> Party:
    """The same guests in the room when it is open again, at another address."""
    guests = [Guest(url, guest.path) for guest in before.guests]
    for guest, known in zip(guests, before.guests, strict=True):
        guest.acting.cookies.update(known.acting.cookies)
        await guest.look()
    return Party(guests, random.Random(2), Tally())


def _ours(data: Path, size: int) -> tuple[float, float]:
    with room(data) as server:
        before = within(LONGEST, started(server.url))
    versions = clone(data / "snug.db", TABLES)
    del versions[before.guests[0].path.rpartition("/")[2]]
    with room(data) as server:

        async def measured() -> tuple[float, float]:
            tables = {f"/t/{slug}": version for slug, version in versions.items()}
            return await _with_waiters(server, await rejoin(server.url, before), tables, size, look_up=True)

        return within(LONGEST, measured())


def _theirs(size: int) -> tuple[float, float]:
    with side("limit") as server:

        async def measured() -> tuple[float, float]:
            (party,) = await parties_at("limit", server.url, 1)
            tables = {f"/t/{number}": 1 for number in range(2, TABLES + 2)}
            return await _with_waiters(server, party, tables, size, look_up=False)

        return within(LONGEST, measured())


def waiters() -> Iterator[Row]:
    """A line for each number of people who wait."""
    for size in WAITERS:
        what = f"{size:,} waiters: kB each, wake p50"
        if reason := _may_open(size + _SPARE):
            yield Row(what, "–", reason)
            continue
        with folder() as data:
            (memory, wake), (bare_memory, bare_wake) = _ours(data, size), _theirs(size)
        yield Row(
            what,
            f"{memory / 1024:.1f} kB, {wake * 1000:.1f} ms",
            f"limit {bare_memory / 1024:.1f} kB, {bare_wake * 1000:.1f} ms",
            f"{memory / bare_memory:.2f} ×, {wake / bare_wake:.2f} ×",
        )


async def _watched(name: str, server: Server) -> tuple[float, float]:
    """The median seconds from a move to the last onlooker's page, and those of processor time."""
    (party,) = await parties_at(name, server.url, 1)
    for _ in range(4):
        await party.step()
    crowd, guest = Crowd(server), party.guests[0]
    guest.page.read()
    await crowd.gather({guest.path: guest.page.version}, ONLOOKERS, look_up=False)
    last: list[float] = []
    used: list[float] = []
    while len(last) < CROWDED_MOVES:
        crowd.heard.clear()
        before = server.cpu()
        if not await party.step():
            continue
        while len(crowd.heard) < ONLOOKERS:
            await asyncio.sleep(0.02)
        last.append(max(crowd.heard) - party.moved_at)
        used.append(server.cpu() - before)
    await crowd.leave()
    party.close()
    return median(last), median(used)


def onlookers() -> Iterator[Row]:
    """One line: all look at the same table."""
    what = f"{ONLOOKERS} onlookers: last page, server CPU"
    if reason := _may_open(ONLOOKERS + _SPARE):
        yield Row(what, "–", reason)
        return
    figures = []
    for name in ("Snug", "limit"):
        with side(name) as server:
            figures.append(within(LONGEST, _watched(name, server)))
    (last, used), (bare_last, bare_used) = figures
    yield Row(
        what,
        f"{last:.2f} s, {used:.2f} s",
        f"limit {bare_last:.2f} s, {bare_used:.2f} s",
        f"{last / bare_last:.1f} ×, {used / bare_used:.1f} ×",
    )
