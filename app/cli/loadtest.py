"""`snug loadtest`: plays at tables of a room over HTTP, by reading its pages and pressing what they offer."""

import argparse
import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from app.cli.arguments import complain, print_json, whole
from app.cli.connection import Answer, Connection
from app.cli.page_reader import Page, Way
from app.games import GAMES

DETAILS: Final = (
    "Opens private tables there, plays at random at all of them at once, and prints how long moves took until all had "
    "them. The tables and guests stay in that room: try it on one of your own."
)
_MOST_GUESTS: Final = 1000
_MOST_TRIES: Final = 50  # of moves at one page, before something must be wrong
_MOST_ERRORS: Final = 5  # in a row, before a table gives up
_HELD: Final = 0.002  # seconds in which a poll gets to the room and is held there


class NotPlayable(Exception):
    """The room's pages do not offer what is needed to play there; the message says what."""


@dataclass
class Tally:
    """What came of it. `answered` and `heard` are the seconds from each move to its answer, and to the last of the
    other pages that waited for it; `refused` counts moves that a page offered and the rules did not allow."""

    moves: int = 0
    refused: int = 0
    errors: int = 0
    answered: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    last_error: str = ""

    def err(self, error: Exception) -> None:
        """Something went wrong that a player would have noticed."""
        self.errors += 1
        self.last_error = str(error) or type(error).__name__


class Guest:
    """Somebody at a table: the page in the browser, a connection to act with and one that waits for news."""

    def __init__(self, url: str, path: str = "") -> None:
        cookies: dict[str, str] = {}
        self.acting, self.waiting = Connection(url, cookies), Connection(url, cookies)
        self.url, self.path = url, path
        self.page = Page()
        self.update = Answer(0, "", "")
        """The last answer to its poll."""
        self.heard = 0.0
        """When that came."""

    async def look(self) -> None:
        """Loads the table's page."""
        self.page.show(_sound(await self.acting.ask(self.path)).html)

    async def press(self, way: Way, *, fragment: bool = True) -> Answer:
        """Sends a form and shows the answer."""
        answer = _sound(await self.acting.ask(way.action, way.fields, fragment=fragment), refusable=True)
        self.page.show(answer.html)
        return answer

    async def listen(self) -> None:
        """Waits until there is news of the table."""
        self.page.read()
        while True:
            answer = _sound(await self.waiting.ask(self.page.poll, fragment=True))
            if answer.status != 204:
                self.heard = time.perf_counter()
                self.update = answer
                self.page.show(answer.html)
                return

    def close(self) -> None:
        """Goes away."""
        self.acting.close()
        self.waiting.close()


def _sound(answer: Answer, *, refusable: bool = False) -> Answer:
    if answer.status >= (500 if refusable else 400) or 300 <= answer.status < 400:
        raise NotPlayable(f"The room answered with status {answer.status}.")
    return answer


class Party:
    """The guests of one table, who play on, deal after deal and match after match."""

    def __init__(self, guests: list[Guest], dice: random.Random, tally: Tally) -> None:
        self.guests, self._dice, self.tally = guests, dice, tally
        self.moved_at = 0.0

    async def step(self) -> bool:
        """Whoever is to act makes a move, the others hear of it: whether there was one. Else everybody is made ready
        for what comes next."""
        able = [guest for guest in self.guests if guest.page.ways("/moves")]
        mover = next((guest for guest in able if guest.page.my_turn), able[0] if able else None)
        if mover is None:
            await self._go_on()
            return False
        others = [guest for guest in self.guests if guest is not mover]
        polls = [asyncio.create_task(guest.listen()) for guest in others]
        try:
            await asyncio.sleep(_HELD)
            began = self.moved_at = await self._move(mover)
            self.tally.answered.append(time.perf_counter() - began)
            await asyncio.gather(*polls)
            for guest in others:  # one may have heard of something else before
                while guest.page.version < mover.page.version:
                    await guest.listen()
            self.tally.heard.append(max(guest.heard for guest in others) - began)
        finally:
            for poll in polls:
                poll.cancel()
        self.tally.moves += 1
        return True

    async def _move(self, mover: Guest) -> float:
        """Tries what the page offers until something is allowed; when that was sent."""
        for _ in range(_MOST_TRIES):
            ways = mover.page.ways("/moves")
            if not ways:
                break
            way = self._dice.choice(ways)
            began = time.perf_counter()
            if (await mover.press(way)).status == 200:
                return began
            self.tally.refused += 1
        await mover.look()
        raise NotPlayable("The room refused every move that its page offered.")

    async def _go_on(self) -> None:
        for guest in self.guests:
            await guest.look()
            for ending in ("/ready", "/rematch"):
                if way := guest.page.usual(ending):
                    await guest.press(way)
                    break
        for guest in self.guests:
            await guest.look()
        await asyncio.sleep(_HELD)

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Moves until it is over, or until nothing works any more."""
        errors = 0
        while not is_over() and errors < _MOST_ERRORS:
            try:
                await self.step()
                errors = 0
            except (OSError, NotPlayable) as error:
                errors += 1
                self.tally.err(error)
                await asyncio.sleep(errors / 10)
                await self._again()

    async def _again(self) -> None:
        with suppress(OSError, NotPlayable):  # the next move will tell
            for guest in self.guests:
                guest.close()
                await guest.look()

    def close(self) -> None:
        """Everybody goes away."""
        for guest in self.guests:
            guest.close()


async def open_table(
    url: str, game: str, seats: int, dice: random.Random, tally: Tally, wishes: Mapping[str, str] | None = None
) -> Party:
    """A new table at which guests have sat down and been dealt to. `wishes` are fields of its form that are to be
    different from what it suggests. Raises OSError and NotPlayable."""
    guests = [Guest(url) for _ in range(seats)]
    host = guests[0]
    wanted = {"name": "Guest 1", "seats": str(seats), "clock": "off", **(wishes or {})}
    form = Page()
    form.show((await host.acting.ask(f"/new/{game}")).html)
    way = _offered(form.usual("/tables"), "open a table of this game")
    fields = {**dict(way.fields), **wanted}
    opened = await host.acting.ask(way.action, tuple(fields.items()))
    if opened.status != 303:
        raise NotPlayable(f"The room opened no table: it answered with status {opened.status}.")
    for number, guest in enumerate(guests, 1):
        guest.path = urlsplit(urljoin(url, opened.location)).path
        await guest.look()
        if guest is not host:
            sit = next(iter(guest.page.ways("/sit")), None)
            way = _offered(sit, "sit down")
            name = ("name", f"Guest {number}")
            await guest.acting.ask(way.action, (*(pair for pair in way.fields if pair[0] != "name"), name))
    await host.look()
    await host.press(_offered(host.page.usual("/start"), "start the game"))
    for guest in guests:
        await guest.look()
    return Party(guests, dice, tally)


def _offered(way: Way | None, what: str) -> Way:
    if way is None:
        raise NotPlayable(f"The room’s page offers no way to {what}.")
    return way


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of them lies; 0 of none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which room, how many tables, for how long."""
    parser.add_argument("url", metavar="URL", help="the room, as in http://127.0.0.1:8000")
    parser.add_argument("--game", choices=GAMES, metavar="GAME", help=f"{', '.join(GAMES)} (default: the first)")
    parser.add_argument("--tables", type=whole(1, 200), default=4, metavar="N", help="how many at once (default: 4)")
    parser.add_argument("--seats", type=whole(2, 14), default=2, metavar="N", help="guests at each (default: 2)")
    parser.add_argument("--seconds", type=whole(1, 600), default=30, metavar="N", help="at most (default: 30)")
    parser.add_argument("--moves", type=whole(1, 1_000_000), metavar="N", help="stop after so many moves")
    parser.add_argument("--seed", default="0", metavar="TEXT", help="what the guests’ choices come from (default: 0)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(arguments: argparse.Namespace) -> int:
    """Plays, and prints what came of it. Status 1 if anything went wrong meanwhile or nobody could move."""
    game = GAMES[arguments.game or next(iter(GAMES))]
    parts = _address(arguments.url)
    if parts is None:
        return complain(f"Name the room by its address, as in http://127.0.0.1:8000, not {arguments.url!r}.")
    if not game.seats[0] <= arguments.seats <= game.seats[1]:
        return complain(f"{game.name} is for {game.seats[0]} to {game.seats[1]} players, not {arguments.seats}.")
    if arguments.tables * arguments.seats > _MOST_GUESTS:
        return complain(f"{arguments.tables * arguments.seats:,} guests are too many: at most {_MOST_GUESTS:,}.")
    tally = Tally()
    began = time.perf_counter()
    try:
        took = asyncio.run(_play(arguments, f"{parts.scheme}://{parts.netloc}", game.key, tally))
    except (OSError, NotPlayable) as error:
        complain(str(error) or f"{arguments.url} does not answer.")
        return 1
    except KeyboardInterrupt:
        took = time.perf_counter() - began
    _print(arguments.json, game.name, arguments.tables, tally, took)
    return 0 if tally.moves and not tally.errors else 1


def _address(url: str) -> SplitResult | None:
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return parts
    return None


async def _play(arguments: argparse.Namespace, url: str, game: str, tally: Tally) -> float:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        opening = bar.add_task("Sitting down", total=arguments.tables)
        parties = []
        for number in range(arguments.tables):
            dice = random.Random(f"{arguments.seed}/{number}")
            parties.append(await open_table(url, game, arguments.seats, dice, tally))
            bar.advance(opening)
        playing = bar.add_task("Playing", total=arguments.moves or arguments.seconds)
        began = time.perf_counter()

        def is_over() -> bool:
            past = time.perf_counter() - began
            bar.update(
                playing, completed=tally.moves if arguments.moves else past, description=f"{tally.moves:,} moves"
            )
            return past >= arguments.seconds or (arguments.moves is not None and tally.moves >= arguments.moves)

        games: list[Awaitable[None]] = [party.play(is_over) for party in parties]
        await asyncio.gather(*games)
        for party in parties:
            party.close()
        return time.perf_counter() - began


def _print(as_json: bool, name: str, tables: int, tally: Tally, took: float) -> None:
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    rows = {"answer to the mover": tally.answered, "news on the last other page": tally.heard}
    if as_json:
        times = {
            key: {share: round(quantile(values, at) * 1000, 2) for share, at in shares.items()}
            for key, values in zip(("answered_ms", "heard_ms"), rows.values(), strict=True)
        }
        counts = {"tables": tables, "moves": tally.moves, "refused": tally.refused, "errors": tally.errors}
        print_json({**counts, "seconds": round(took, 2), **times, "last_error": tally.last_error})
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    speed = f"{tally.moves:,} moves in {took:.1f} s, {tally.moves / took:,.1f} a second"
    faults = f"{tally.refused:,} moves refused, {tally.errors:,} errors"
    caption = f"{speed}; {faults}{f': {tally.last_error}' if tally.last_error else ''}"
    table = Table(title=Text(f"{name}, {tables} tables"), caption=Text(caption), title_justify="left")
    table.caption_justify = "left"
    table.add_column("from a move to", justify="left")
    for share in shares:
        table.add_column(f"{share}, ms", justify="right")
    for row, values in rows.items():
        table.add_row(row, *(f"{quantile(values, at) * 1000:.1f}" for at in shares.values()))
    Console().print(table)
