"""What the room costs, side by side in one run: an idle poll against a routed page, and stored moves, one writer alone
against many at once, against raw SQLite. Prints medians and their ratios; asserts nothing.

    python -m tests.bench.room
"""

import asyncio
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from starlette.types import ASGIApp, Message, Scope

from app.main import create_app, open_house
from app.presence import Presence
from app.rules.game import plain
from app.services import play, players, tables
from app.services.house import House
from app.services.room import load_room
from app.serving import migrate
from app.settings import read_settings
from app.wakeup import Wakeups
from app.web.live import Poll

_MOVES = 400
_MOVERS = 32


def _median_us(work: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1e6)
    return statistics.median(taken)


async def _ask(app: ASGIApp, path: str, query: bytes) -> None:
    scope: Scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": [(b"host", b"testserver")],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
        "root_path": "",
    }
    never = asyncio.Event()
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await never.wait()
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        pass

    await app(scope, receive, send)


def _gather(house: House, bots: int) -> tuple[int, str]:
    player, _token = house.write(players.welcome, "Ann")
    slug = house.write(tables.open_table, player, "lucky_paw", 1 + bots, {"auto_pass": "true"}, "instant")
    house.write(tables.fill_seats, slug, player, "easy")
    house.write(tables.start, slug, player)
    return player, slug


def _play_on(house: House, player: int, slug: str, table_id: int, moves: int) -> int:
    made = 0
    while made < moves:
        with house.database.reading() as connection:
            room = load_room(house, connection, slug, player)
        if room.is_scoring:
            house.write(play.set_ready, slug, player)
        elif room.is_finished:
            house.write(tables.rematch, slug, player)
        elif room.my_turn and room.view:
            house.write(play.play, slug, player, plain(room.view.legal[0]), room.version)
            made += 1
        else:
            house.write(play.attend, table_id)
            made += 1
    return made


def _raw_sqlite(folder: Path) -> float:
    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE moves (id INTEGER PRIMARY KEY, move TEXT)")
    connection.execute("CREATE TABLE tables (id INTEGER PRIMARY KEY, version INTEGER)")
    connection.execute("INSERT INTO tables VALUES (1, 1)")

    def move() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO moves (move) VALUES ('{}')")
        connection.execute("UPDATE tables SET version = version + 1 WHERE id = 1")
        connection.execute("COMMIT")

    return _median_us(move, _MOVES)


def main() -> None:
    """Prints the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = read_settings({}, data=folder)
        migrate(settings.database_url)
        house = open_house(settings)
        app = create_app(settings, house)
        player, slug = _gather(house, 2)
        with house.database.reading() as connection:
            version = load_room(house, connection, slug, player).version

        raw = _raw_sqlite(folder)
        began = time.perf_counter()
        made = _play_on(house, player, slug, 1, _MOVES)
        alone = (time.perf_counter() - began) * 1e6 / made
        rooms = [_gather(house, 2) for _ in range(_MOVERS)]
        threads = [
            threading.Thread(target=_play_on, args=(house, *room, number, _MOVES // 8))
            for number, room in enumerate(rooms, 2)
        ]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        together = (time.perf_counter() - began) * 1e6 / (_MOVERS * (_MOVES // 8))
        print(f"raw SQLite transaction, fsync each   {raw:8.0f} µs     1.0")
        print(f"whole move, one table alone          {alone:8.0f} µs  {alone / raw:6.1f}")
        print(f"whole move, {_MOVERS} tables at once       {together:8.0f} µs  {together / raw:6.1f}")

        loop = asyncio.new_event_loop()
        wakeups = Wakeups()
        wakeups.attach(loop)
        wakeups.heard("x", 7)
        idle = Poll(app, wakeups, Presence(), trusted=True, hold=0.0)
        poll = _median_us(lambda: loop.run_until_complete(_ask(idle, "/t/x/live", b"seen=7")), 500)
        page = _median_us(lambda: loop.run_until_complete(_ask(app, f"/t/{slug}", b"")), 200)
        fresh = f"seen={version - 1}".encode()
        fragment = _median_us(lambda: loop.run_until_complete(_ask(app, f"/t/{slug}/live", fresh)), 200)
        print(f"idle poll, in process                {poll:8.0f} µs     1.0")
        print(f"table fragment through the routes    {fragment:8.0f} µs  {fragment / poll:6.1f}")
        print(f"table page through the routes        {page:8.0f} µs  {page / poll:6.1f}")
        house.writer.close()
        house.database.close()


if __name__ == "__main__":
    main()
