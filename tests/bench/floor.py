"""The floor: what an hour's FastAPI + SQLAlchemy + Jinja program needs for the work of a move, with nothing of a game.

A POST stores a move durably and answers with a fragment of about 8 kB; a GET that was held until then answers with
another. Its pages can be read like the room's. `python -m tests.bench.floor PORT FOLDER` serves it.
"""

import asyncio
import sys
from collections import defaultdict
from typing import Annotated, Any

import jinja2
import uvicorn
from fastapi import FastAPI, Form
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import Column, Connection, Engine, Integer, MetaData, String, Table, create_engine, event

TABLES = 100
TEMPLATE = """
<main id="live" data-version="{{ version }}" data-my-turn="true">
  <div id="poll" hx-get="/t/{{ table }}/live?seen={{ version }}"></div>
  {% for hand in hands %}
  <section id="hand-{{ loop.index }}"><h2>{{ hand.name }}</h2>
    {% for card in hand.cards %}<span class="face" id="c-{{ card }}"><svg><use href="/static/cards.svg#{{ card }}"/></svg></span>{% endfor %}
  </section>
  {% endfor %}
  <form method="post" action="/t/{{ table }}/moves">
    <input type="hidden" name="seen" value="{{ version }}"><button name="move" value="play">Play</button>
  </form>
</main>
"""  # noqa: E501 - a card a line, as pages have it
CARDS = [f"{rank}{suit}" for suit in "SHDC" for rank in ("A", *range(2, 11), "J", "Q", "K")]
HANDS = [{"name": f"Player {seat + 1}", "cards": (CARDS * 2)[seat * 13 :][:23]} for seat in range(4)]


def _opened(folder: str) -> tuple[Engine, Table, Table]:
    engine = create_engine(f"sqlite:///{folder}/floor.db")
    metadata = MetaData()
    moves = Table(
        "moves",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("table_id", Integer, index=True),
        Column("move", String(20)),
    )
    tables = Table("tables", metadata, Column("id", Integer, primary_key=True), Column("version", Integer))

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(tables.insert(), [{"version": 1} for _ in range(TABLES)])
    return engine, moves, tables


def create_floor(folder: str) -> FastAPI:
    """The application, on a new database in this folder."""
    engine, moves, tables = _opened(folder)
    page = jinja2.Environment(autoescape=True, auto_reload=False).from_string(TEMPLATE)
    versions = dict.fromkeys(range(1, TABLES + 1), 1)
    waiting: defaultdict[int, list[asyncio.Future[None]]] = defaultdict(list)
    app = FastAPI()

    def drawn(table: int) -> HTMLResponse:
        return HTMLResponse(page.render(table=table, version=versions[table], hands=HANDS))

    @app.get("/t/{table}")
    async def show(table: int) -> Response:
        return drawn(table)

    @app.post("/t/{table}/moves")
    async def move(table: int, move: Annotated[str, Form()]) -> Response:
        row = tables.update().where(tables.c.id == table).values(version=tables.c.version + 1)
        with engine.begin() as connection:
            connection.execute(moves.insert().values(table_id=table, move=move))
            versions[table] = connection.execute(row.returning(tables.c.version)).scalar_one()
        for waiter in waiting.pop(table, ()):
            waiter.set_result(None)
        return drawn(table)

    @app.get("/t/{table}/live")
    async def live(table: int, seen: int) -> Response:
        if versions[table] == seen:
            waiter = asyncio.get_running_loop().create_future()
            waiting[table].append(waiter)
            await waiter
        return drawn(table)

    return app


if __name__ == "__main__":
    uvicorn.run(
        create_floor(sys.argv[2]),
        port=int(sys.argv[1]),
        log_level="critical",
        access_log=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )
