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

from app.cli.upgrade import migrate
from app.engine.game import plain
from app.main import create_app, open_context
from app.services.context import AppContext
from app.services.play import play
from app.services.players import players
from app.services.queries.table_page import load_table_page
from app.services.seats import create, seats
from app.settings import read_settings
from app.storage.presence import Presence
from app.storage.pubsub import PubSub
from app.web.middleware.long_poll import LongPoll

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


def _gather(context: AppContext, bots: int) -> tuple[int, str]:
    player, _token = context.write(players.welcome, "Ann")
    slug = context.write(create.create_table, player, "lucky_paw", 1 + bots, {"auto_pass": "true"}, "instant")
    context.write(seats.fill_seats, slug, player, "easy")
    context.write(seats.start, slug, player)
    return player, slug


def _play_on(context: AppContext, player: int, slug: str, table_id: int, moves: int) -> int:
    made = 0
    while made < moves:
        with context.database.reading() as connection:
            table_page = load_table_page(context, connection, slug, player)
        if table_page.is_scoring:
            context.write(play.set_ready, slug, player)
        elif table_page.is_finished:
            context.write(seats.rematch, slug, player)
        elif table_page.my_turn and table_page.view:
            context.write(play.play, slug, player, plain(table_page.view.legal[0]), table_page.version)
            made += 1
        else:
            context.write(play.run_due, table_id)
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
        context = open_context(settings)
        app = create_app(settings, context)
        player, slug = _gather(context, 2)
        with context.database.reading() as connection:
            version = load_table_page(context, connection, slug, player).version

        raw = _raw_sqlite(folder)
        began = time.perf_counter()
        made = _play_on(context, player, slug, 1, _MOVES)
        alone = (time.perf_counter() - began) * 1e6 / made
        rooms = [_gather(context, 2) for _ in range(_MOVERS)]
        threads = [
            threading.Thread(target=_play_on, args=(context, *table_page, number, _MOVES // 8))
            for number, table_page in enumerate(rooms, 2)
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
        pubsub = PubSub()
        pubsub.attach(loop)
        pubsub.heard("x", 7)
        idle = LongPoll(app, pubsub, Presence(), trusted=True, hold=0.0)
        poll = _median_us(lambda: loop.run_until_complete(_ask(idle, "/t/x/live", b"seen=7")), 500)
        page = _median_us(lambda: loop.run_until_complete(_ask(app, f"/t/{slug}", b"")), 200)
        fresh = f"seen={version - 1}".encode()
        fragment = _median_us(lambda: loop.run_until_complete(_ask(app, f"/t/{slug}/live", fresh)), 200)
        print(f"idle poll, in process                {poll:8.0f} µs     1.0")
        print(f"table fragment through the routes    {fragment:8.0f} µs  {fragment / poll:6.1f}")
        print(f"table page through the routes        {page:8.0f} µs  {page / poll:6.1f}")
        context.writer.close()
        context.database.close()


if __name__ == "__main__":
    main()
