"""What several rooms on one PostgreSQL take, for docs/operations.md: processor time of each program for a move and for
a page that waits, commits, connections, disk, memory. All share a machine with the guests: no figure is the clock's."""

import asyncio
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import NamedTuple

import psycopg
from sqlalchemy import make_url

from app.cli.makers.visitors.connection import Connection
from app.cli.makers.visitors.guests import Party, Tally, open_table
from app.storage.pipeline import CHANNEL
from app.storage.pubsub import Listener, PubSub
from app.web.middleware.long_poll import HOLD
from tests.bench.servers import folder, running, within
from tests.bench.table import Row, show
from tests.postgres import Postgres, _plain, postgres_server
from tests.proxies import caddy, pgbouncer

TABLES, SEATS = 16, 4
WARM, MOVES = 200, 1_000
IDLE = 10.0  # seconds
WAITERS = 500
SETTLED = 8.0  # seconds, in which they all have come to wait
COUNTED_AFTER = 1.5  # seconds in which the database's processes have told what they did
NOTICES = 20_000
LONGEST = 300.0
_TICK, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
_COUNTED = """
SELECT xact_commit, pg_snapshot_xmax(pg_current_snapshot())::text::bigint, pg_current_wal_insert_lsn() - '0/0'
FROM pg_stat_database WHERE datname = current_database()
"""
_CONNECTIONS = "SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()"
_SIZES = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
_NUMBERS = "SELECT (SELECT count(*) FROM moves), (SELECT count(*) FROM tables)"
_NOTICES = "SELECT count(pg_notify(%s, 'table' || number || ' 7')) FROM generate_series(1, %s) AS number"


Counts = dict[str, float]


class Meter:
    """The seconds of processor time that programs take for something, beyond those that they take when `idle`."""

    def __init__(self, used: Callable[[], Counts]) -> None:
        self._used = used
        self.idle: Counts = {}
        self.start()

    def start(self) -> None:
        """What is used from now on counts."""
        self._began, self._before = time.monotonic(), self._used()

    def spent(self, number: float) -> Counts:
        """What was used since the start for each of so many."""
        after, passed = self._used(), time.monotonic() - self._began
        return {
            name: (after[name] - before - passed * self.idle.get(name, 0.0)) / number
            for name, before in self._before.items()
        }


class Layout(NamedTuple):
    """What runs beside so many rooms."""

    name: str
    rooms: int
    programs: tuple[str, ...]


LAYOUTS = (
    Layout("one process, SQLite", 1, ()),
    Layout("one process, PostgreSQL", 1, ("postgres",)),
    Layout("four, PostgreSQL, Caddy", 4, ("caddy", "postgres")),
    Layout("four, PgBouncer, PostgreSQL, Caddy", 4, ("caddy", "pgbouncer", "postgres")),
)
Figures = dict[str, str]


def main() -> None:
    """Prints the figures as they come, and in the end the table of docs/operations.md."""
    columns: list[Figures] = []
    with postgres_server(durable=True) as server:
        for layout in LAYOUTS:
            columns.append({})
            show(Row(layout.name, ""))
            for label, figure in _layout(server, layout):
                columns[-1][label] = figure
                show(Row(f"  {label}", figure))
    lines = [["", *(layout.name for layout in LAYOUTS)], ["---"] * (len(LAYOUTS) + 1)]
    labels = dict.fromkeys(label for column in reversed(columns) for label in column)
    lines += [[label, *(column.get(label, "–") for column in columns)] for label in labels]
    print("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _layout(server: Postgres, layout: Layout) -> Iterator[tuple[str, str]]:
    with ExitStack() as stack:
        data = stack.enter_context(folder())
        programs = layout.programs
        is_postgres = "postgres" in programs
        url = stack.enter_context(server.migrated()) if is_postgres else f"sqlite:///{data / 'snug.db'}"
        bare = _sizes(url) if is_postgres else {}
        through = stack.enter_context(pgbouncer(url) if "pgbouncer" in programs else nullcontext(url))
        environ = {"SNUG_DIRECT_URL": url} if through != url else {}
        serve = ("app.cli", "serve", "--port", "{port}", "--data", str(data), "--database", through)
        rooms = [stack.enter_context(running(*serve, environ=environ)) for _ in range(layout.rooms)]
        addresses = [room.url.removeprefix("http://") for room in rooms]
        door = stack.enter_context(caddy(addresses) if "caddy" in programs else nullcontext(rooms[0].url))
        yield "memory of a new process", f"{max(room.memory() for room in rooms) / 1e6:.0f} MB"
        counted = _counted(url) if is_postgres else {}
        meter = Meter(lambda: {"Snug": sum(room.cpu() for room in rooms), **{name: _cpu(name) for name in programs}})
        time.sleep(IDLE)
        meter.idle = meter.spent(IDLE)
        yield "CPU of an idle second, a process", f"{meter.idle['Snug'] / layout.rooms * 1000:.1f} ms"
        if is_postgres:
            commits = (_counted(url)["commits"] - counted["commits"]) / (IDLE + COUNTED_AFTER)
            yield "commits of an idle second, a process", f"{commits / layout.rooms:.1f}"
        parties = within(LONGEST, _opened(door))
        within(LONGEST, _play(parties, WARM))
        counted = _counted(url) if is_postgres else {}
        meter.start()
        moves = within(LONGEST, _play(parties, MOVES))
        yield from _told("CPU of a move", meter.spent(moves))
        if is_postgres:
            many = {name: (count - counted[name]) / moves for name, count in _counted(url).items()}
            yield "commits, a move", f"{many['commits']:.1f}"
            yield "commits that write, a move", f"{many['writes']:.2f}"
            yield "write-ahead log for a move", f"{many['log']:,.0f} B"
            yield "connections a process", f"{_connections(url) / layout.rooms:.1f}"
        yield "memory of a busy process", f"{max(room.memory() for room in rooms) / 1e6:.0f} MB"

        def memory() -> float:
            proxy = sum(_memory(name) for name in programs if name == "caddy")
            return float(sum(room.memory() for room in rooms) + proxy)

        held, spent = within(LONGEST, _waiting(door, parties, memory, meter))
        yield "memory of a page that waits: rooms and Caddy", f"{held / 1000:.1f} kB"
        yield from _told("CPU of a poll without news", spent)
        if is_postgres:
            yield "CPU of a hint from another process", f"{_hint(url) * 1e6:.0f} µs"
            for what, size in _disk(url, bare).items():
                yield f"disk for a {what}", f"{size:,.0f} B"


def _told(what: str, seconds: Counts) -> Iterator[tuple[str, str]]:
    """What rooms, database and proxies took."""
    between = [each for name, each in seconds.items() if name not in ("Snug", "postgres")]
    yield f"{what}: rooms", f"{seconds['Snug'] * 1000:.2f} ms"
    if "postgres" in seconds:
        yield f"{what}: PostgreSQL", f"{seconds['postgres'] * 1000:.2f} ms"
    if between:
        yield f"{what}: Caddy and PgBouncer", f"{sum(between) * 1000:.2f} ms"


async def _opened(url: str) -> list[Party]:
    tally = Tally()
    parties = [await open_table(url, "lucky_paw", SEATS, random.Random(number), tally) for number in range(TABLES)]
    _close(parties)
    return parties


async def _play(parties: list[Party], moves: int) -> int:
    """Plays on until so many moves were made; how many it were."""
    tally = parties[0].tally
    before = tally.moves
    await asyncio.gather(*(party.play(lambda: tally.moves >= before + moves) for party in parties))
    _close(parties)
    if tally.errors:
        raise RuntimeError(tally.last_error)
    return tally.moves - before


def _close(parties: list[Party]) -> None:
    for party in parties:  # the next loop connects anew
        party.close()


async def _waiting(url: str, parties: list[Party], memory: Callable[[], float], meter: Meter) -> tuple[float, Counts]:
    """The bytes that each page takes which waits for news, and the seconds that each of its polls takes."""
    for party in parties:
        await party.guests[0].look()
        party.guests[0].page.read()
    empty = memory()
    polls = [parties[number % TABLES].guests[0].page.poll for number in range(WAITERS)]
    asking = [asyncio.create_task(_wait(Connection(url, {}), poll)) for poll in polls]
    await asyncio.sleep(SETTLED)
    full = memory()
    meter.start()
    await asyncio.sleep(HOLD)  # each asks once more
    spent = meter.spent(WAITERS)
    waiting = sum(not task.done() for task in asking)
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    if waiting < WAITERS:
        raise RuntimeError(f"only {waiting} of {WAITERS} could wait")
    return (full - empty) / WAITERS, spent


async def _wait(connection: Connection, poll: str) -> None:
    while (await connection.ask(poll, fragment=True)).status == 204:
        pass


def _processes(program: str) -> Iterator[list[str]]:
    """What Linux says of every process of this program that descends from this one."""
    known = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().partition("(")[2].rpartition(")")
        except OSError:  # it has ended
            continue
        known[int(path.parent.name)] = name, rest.split()
    for pid, (name, words) in known.items():
        above = pid
        while above in known and above != os.getpid():
            above = int(known[above][1][1])
        if name == program and above == os.getpid():
            yield [str(pid), *words]


def _cpu(program: str) -> float:
    """Its seconds of processor time, those of children that have ended included."""
    return sum(sum(map(int, words[12:16])) for words in _processes(program)) / _TICK


def _memory(program: str) -> int:
    return sum(int(words[22]) for words in _processes(program)) * _PAGE


def _counted(url: str) -> dict[str, int]:
    """What the database has counted so far."""
    time.sleep(COUNTED_AFTER)
    with psycopg.connect(_plain(make_url(url))) as connection:
        (line,) = connection.execute(_COUNTED).fetchall()
        return dict(zip(("commits", "writes", "log"), line, strict=True))


def _connections(url: str) -> int:
    with psycopg.connect(_plain(make_url(url))) as connection:
        ((number,),) = connection.execute(_CONNECTIONS).fetchall()
        return int(number)


def _sizes(url: str) -> dict[str, int]:
    """The bytes of each stored table with its indexes, and nothing in it that is not needed."""
    with psycopg.connect(_plain(make_url(url)), autocommit=True) as connection:
        connection.execute("VACUUM FULL")
        return {name: int(size) for name, size in connection.execute(_SIZES)}


def _disk(url: str, empty: dict[str, int]) -> Counts:
    """The bytes that a table with its guests takes, and a move."""
    grown = {name: size - empty[name] for name, size in _sizes(url).items()}
    with psycopg.connect(_plain(make_url(url))) as connection:
        ((moves, tables),) = connection.execute(_NUMBERS).fetchall()
    of_moves = grown.pop("moves")
    return {"move": of_moves / moves, "table with its guests": sum(grown.values()) / tables}


def _hint(url: str) -> float:
    """The seconds of processor time in which a process hears that a table of another one has changed, and does nothing
    about it."""
    pubsub, loop = PubSub(), asyncio.new_event_loop()
    pubsub.attach(loop)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    listener = Listener(url, pubsub)
    with psycopg.connect(_plain(make_url(url)), autocommit=True) as connection:
        time.sleep(1)
        began = time.process_time()
        connection.execute(_NOTICES, (CHANNEL, NOTICES))
        while pubsub.version(f"table{NOTICES}") is None:
            time.sleep(0.01)
        used = time.process_time() - began
    listener.close()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
    return used / NOTICES
