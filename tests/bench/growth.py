"""What the server's processor time for a move and a page becomes as things grow: the moves made at a table, the tables
in the database, the players of a tournament."""

import random
import shutil
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from app.cli.makers.visitors.connection import Connection
from app.cli.makers.visitors.guests import Party, Tally, open_table
from app.cli.makers.visitors.page_reader import Page
from tests.bench.clones import clone
from tests.bench.crowd import rejoin
from tests.bench.plot import Curves, write_plot
from tests.bench.servers import Server, folder, room, side, within
from tests.bench.table import Row

MOVES = (10, 25, 50, 100, 200, 400)
TABLES = (10, 100, 1_000, 10_000, 100_000)
PLAYERS = (4, 16, 64, 256)
LONGEST = 120.0  # seconds for one curve
WINDOW = 10  # moves or pages that are measured together
Figures = dict[str, dict[int, float]]


async def _ms(server: Server, times: int, work: Callable[[], Awaitable[object]]) -> float:
    """The server's milliseconds for each time that this is done."""
    before = server.cpu()
    for _ in range(times):
        await work()
    return (server.cpu() - before) * 1000 / times


async def _moves(server: Server, party: Party, number: int) -> float:
    """The server's milliseconds for each of so many moves."""
    before, wanted = server.cpu(), party.tally.moves + number
    while party.tally.moves < wanted:
        await party.step()
    return (server.cpu() - before) * 1000 / number


async def by_moves(server: Server) -> Figures:
    """A table gets older."""
    party = await open_table(server.url, "lucky_paw", 2, random.Random(1), Tally(), {"rounds": "9"})
    figures: Figures = {"move": {}, "page": {}}
    for mark in MOVES:
        await _moves(server, party, max(1, mark - WINDOW - party.tally.moves))
        figures["move"][mark] = await _moves(server, party, WINDOW)
        figures["page"][mark] = await _ms(server, WINDOW, party.guests[0].look)
    party.close()
    return figures


def by_tables() -> Figures:
    """The database fills with tables that are being played at."""
    figures: Figures = {"move": {}, "cold page": {}, "lobby": {}}
    with folder() as few, folder() as many:
        with room(few) as server:
            before = within(LONGEST, _ten_tables(server.url))
        for size in TABLES:
            shutil.copytree(few, many, dirs_exist_ok=True)
            slugs = list(clone(many / "snug.db", size // TABLES[0] - 1))
            with room(many) as server:

                async def measured(size: int = size, slugs: list[str] = slugs) -> None:
                    party = await rejoin(server.url, before)
                    await _moves(server, party, 2)
                    figures["move"][size] = await _moves(server, party, WINDOW)
                    others = iter(random.Random(size).sample(slugs, min(len(slugs), WINDOW)))
                    nobody, somebody = Connection(server.url, {}), party.guests[0].acting
                    await nobody.ask("/")
                    pages = _ms(server, min(len(slugs), WINDOW), lambda: nobody.ask(f"/t/{next(others)}"))
                    figures["cold page"][size] = await pages
                    figures["lobby"][size] = await _ms(server, WINDOW, partial(somebody.ask, "/"))
                    nobody.close()
                    party.close()

                within(LONGEST, measured())
    return figures


async def _ten_tables(url: str) -> Party:
    parties = []
    for number in range(TABLES[0]):
        parties.append(await open_table(url, "lucky_paw", 2, random.Random(number), Tally(), {"rounds": "9"}))
        for _ in range(3):
            await parties[-1].step()
        parties[-1].close()
    return parties[0]


async def by_players(server: Server) -> Figures:
    """A tournament of so many, of whom all are people."""
    figures: Figures = {"start": {}, "page": {}, "sign up": {}}
    people = [Connection(server.url, {}) for _ in range(max(PLAYERS))]
    organiser = Connection(server.url, {})
    for size in PLAYERS:
        form = Page()
        form.show((await organiser.ask("/tournaments/new?step=3")).html)
        way = form.usual("/tournaments")
        assert way, "a form for a tournament"
        wishes = {"name": "Organiser", "title": f"Cup of {size}", "players": str(size), "format": "rotating"}
        opened = await organiser.ask(way.action, tuple({**dict(way.fields), **wishes}.items()))
        path = urlsplit(urljoin(server.url, opened.location)).path
        come = iter(enumerate(people[:size], 1))

        async def sign_up(path: str = path, come: Iterator[tuple[int, Connection]] = come) -> None:
            number, connection = next(come)
            await connection.ask(f"{path}/enter", (("name", f"Player {number}"),))

        figures["sign up"][size] = await _ms(server, size, sign_up)
        page = Page()
        page.show((await organiser.ask(path)).html)
        start = page.usual("/start")
        assert start, f"a start for {size} players"
        figures["start"][size] = await _ms(server, 1, partial(organiser.ask, start.action, start.fields))
        figures["page"][size] = await _ms(server, WINDOW, partial(people[0].ask, path))
    for connection in (organiser, *people):
        connection.close()
    return figures


def rows(plot: Path) -> Iterator[Row]:
    """A line for each curve; the plot is written to the file."""
    panels: dict[str, Curves] = {}
    with side("Snug") as server:
        panels["moves made at a table"] = within(LONGEST, by_moves(server))
    yield from _lines("moves", panels["moves made at a table"])
    panels["tables in the database"] = by_tables()
    yield from _lines("tables", panels["tables in the database"])
    with side("Snug") as server:
        panels["players of a tournament"] = within(LONGEST, by_players(server))
    yield from _lines("players", panels["players of a tournament"])
    write_plot(plot, panels)
    yield Row("curves of growth", str(plot))


def _lines(what: str, curves: Curves) -> Iterator[Row]:
    for name, curve in curves.items():
        sizes = list(curve)
        between = ", ".join(f"{size:,}: {curve[size]:.1f}" for size in sizes[1:-1])
        last = f"{curve[sizes[-1]]:.1f} ms"
        ratio = f"{curve[sizes[-1]] / curve[sizes[0]]:.2f} ×"
        label = f"growth, {what} {sizes[0]} → {sizes[-1]:,}: {name}"
        yield Row(label, f"{curve[sizes[0]]:.1f} → {last}", between, ratio)
