"""The limit: the floor's work done as fast as Python can. Bare ASGI, sqlite3 with one writer that commits for all who
wait, pages put together from strings. `python -m tests.bench.limit PORT FOLDER` serves it.
"""

import asyncio
import sqlite3
import sys
import threading
from collections import defaultdict
from contextlib import suppress
from queue import Empty, SimpleQueue
from urllib.parse import parse_qs

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.bench.floor import HANDS

TABLES = 3000
_RAISE = "UPDATE tables SET version = version + 1 WHERE id = ? RETURNING version"
_CARDS = '<span class="face" id="c-{0}"><svg><use href="/static/cards.svg#{0}"/></svg></span>'
_BOARD = "".join(
    f'<section id="hand-{seat}"><h2>{hand["name"]}</h2>{"".join(map(_CARDS.format, hand["cards"]))}</section>'
    for seat, hand in enumerate(HANDS, 1)
)


def _write(path: str, jobs: "SimpleQueue[tuple[int, str, asyncio.Future[int]]]") -> None:
    """Stores moves for ever, all that wait in one transaction, and tells each table's new version."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE moves (id INTEGER PRIMARY KEY, table_id INTEGER, move TEXT)")
    connection.execute("CREATE TABLE tables (id INTEGER PRIMARY KEY, version INTEGER DEFAULT 1)")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO tables (id) VALUES (?)", ((number,) for number in range(1, TABLES + 1)))
    connection.execute("COMMIT")
    while True:
        group = [jobs.get()]
        with suppress(Empty):
            while True:
                group.append(jobs.get_nowait())
        connection.execute("BEGIN IMMEDIATE")
        stored = []
        for table, move, future in group:
            connection.execute("INSERT INTO moves (table_id, move) VALUES (?, ?)", (table, move))
            stored.append((future, *connection.execute(_RAISE, (table,)).fetchone()))
        connection.execute("COMMIT")
        group[0][2].get_loop().call_soon_threadsafe(_tell, stored)


def _tell(stored: "list[tuple[asyncio.Future[int], int]]") -> None:
    for future, version in stored:
        if not future.done():
            future.set_result(version)


def create_limit(folder: str) -> ASGIApp:
    """The application, on a new database in this folder."""
    jobs: SimpleQueue[tuple[int, str, asyncio.Future[int]]] = SimpleQueue()
    threading.Thread(target=_write, args=(f"{folder}/limit.db", jobs), daemon=True).start()
    versions: defaultdict[int, int] = defaultdict(lambda: 1)
    waiting: defaultdict[int, list[asyncio.Future[None]]] = defaultdict(list)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].split("/")
        table = int(path[2]) if len(path) > 2 else 0
        if scope["method"] == "POST":
            fields = parse_qs((await receive())["body"].decode())
            stored: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            jobs.put((table, fields["move"][0], stored))
            versions[table] = await stored
            for waiter in waiting.pop(table, ()):
                if not waiter.done():
                    waiter.set_result(None)
        elif path[-1] == "live" and scope["query_string"] == f"seen={versions[table]}".encode():
            waiter = asyncio.get_running_loop().create_future()
            waiting[table].append(waiter)
            await waiter
        version = versions[table]
        body = (
            f'<main id="live" data-version="{version}" data-my-turn="true">'
            f'<div id="poll" hx-get="/t/{table}/live?seen={version}"></div>{_BOARD}'
            f'<form method="post" action="/t/{table}/moves"><input type="hidden" name="seen" value="{version}">'
            '<button name="move" value="play">Play</button></form></main>'
        ).encode()
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


if __name__ == "__main__":
    uvicorn.run(
        create_limit(sys.argv[2]),
        port=int(sys.argv[1]),
        log_level="critical",
        access_log=False,
        lifespan="off",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )
