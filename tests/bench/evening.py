"""An evening of four people on phones far away, on lines that stall: a round or so of every game, each move by one tap.
What the room has kept afterwards is what was tapped, once each and in that order."""

import asyncio
import json
import os
import random
import shutil
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from app.cli.upgrade import migrate
from app.services.integrity.tables import faults_of_table
from app.services.seats import create, seats
from app.settings import Settings
from snug.bots import levels as bots
from snug.bots.reasons import words_of
from snug.engine.game import plain
from snug.games import GAMES
from tests.bench.feel import ARGUMENTS, BROWSERS, SIZE, Distance, distant
from tests.bench.servers import folder
from tests.bench.table import Row, show
from tests.factories import INSTANT, NAMES, Party, Turn, welcome
from tests.servers import Served, serving

TRIP: Final = 0.15
"""Seconds there and back."""
STALLED: Final = 0.01
STALL: Final = 5.0
"""The share of what is sent to the room that stalls its line, and for how many seconds."""
MOST: Final = 100
"""Moves of one game."""
_PEOPLE: Final = 4
_PATIENCE: Final = 120.0  # seconds
_GLANCE: Final = 0.1  # seconds
_KEY: Final = b"an evening on lines that stall --"

_SHOWS = """(version) => Number(document.getElementById("live").dataset.version) >= version
  && !document.documentElement.matches("[data-moving]")"""
_AT_REST = """(version) => Number(document.getElementById("live").dataset.version) === version
  && !document.querySelector(".dragged, .away, [data-moving], :is(#unsent, #offline):not([hidden])")
  && !sessionStorage.getItem("outbox")"""
# One tap on each of these, the last of which is a button; what was chosen before is chosen no more.
_TAP = """(ids) => {
  const ways = ids.map((id) => document.getElementById(id));
  if (!ways.every((one) => one?.checkVisibility()) || !ways.at(-1).matches("button")) return false;
  for (const one of document.querySelectorAll("#mine :checked[type=checkbox]")) if (!ways.includes(one)) one.click();
  const button = ways.pop();
  for (const one of ways) if (!one.checked) one.click();
  if (button.disabled) return false;
  button.click();
  return true;
}"""


class Stalls:
    """Lines stall by chance; `seen` counts how often, `of_moves` how often with a move on them."""

    def __init__(self, dice: random.Random, share: float, seconds: float) -> None:
        self._dice, self._share, self._seconds = dice, share, seconds
        self.seen = self.of_moves = 0

    def __call__(self, data: bytes) -> float:
        if not data or self._dice.random() >= self._share:
            return 0.0
        self.seen += 1
        self.of_moves += b"/moves" in data.split(b"\r\n", 1)[0]
        return self._seconds


@dataclass
class Played:
    """What came of one game: moves, how often a line stalled, and with a move on it, how many moves pages sent again by
    themselves, and for how many seconds in all somebody's page was behind with what can be tapped."""

    moves: int
    stalls: int
    of_moves: int
    resent: int
    late: float
    seconds: float


class Phones:
    """Everybody's page."""

    def __init__(self, party: Party) -> None:
        self.party = party
        self.pages: list[Any] = []
        self.posts = 0
        self.late = 0  # glances at a page that says that it is one's turn, and has nothing to tap yet

    async def open(self, browser: Any, distance: Distance, key: str) -> None:
        """Everybody looks at the table."""
        for guest in self.party.guests:
            context = await browser.new_context(base_url=distance.url, viewport=SIZE, is_mobile=True, has_touch=True)
            await context.add_cookies([{"name": "snug", "value": guest.token, "url": distance.url}])
            page = await context.new_page()
            page.on("request", self._count)
            await page.add_init_script(f"localStorage.setItem('coached-{key}', 'yes')")
            await page.goto(f"/t/{self.party.slug}", timeout=1_000 * _PATIENCE)
            await page.wait_for_selector("#flights", state="attached", timeout=1_000 * _PATIENCE)
            self.pages.append(page)

    def _count(self, request: Any) -> None:
        self.posts += request.method == "POST" and "/moves" in request.url

    async def move(self, turn: Turn, dice: random.Random) -> tuple[int, Any]:
        """Whose turn it is taps a move, once, and sees it made."""
        page, key = self.pages[turn.seat - 1], turn.match.game.key
        await page.wait_for_function(_SHOWS, arg=turn.version, timeout=1_000 * _PATIENCE, polling=50)
        view = self.party.look(self.party.guests[turn.seat - 1]).board.view
        assert view
        legal = dice.sample(view.legal, len(view.legal))
        wishes = (bots.choose(key, "steady", view, dice), *(view.complete(one, dice.randrange) for one in legal))
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:  # some of a page may come after the rest
            for move in wishes:
                ids = words_of(key).taps(view, move)
                if ids and await page.evaluate(_TAP, list(ids)):
                    await page.wait_for_function(_SHOWS, arg=turn.version + 1, timeout=1_000 * _PATIENCE, polling=50)
                    return turn.seat, json.loads(json.dumps(plain(move)))
            self.late += 1
            await asyncio.sleep(_GLANCE)
        raise AssertionError("nothing can be tapped")

    async def close(self) -> None:
        """All pages have come to rest at the table as it is; then everybody goes."""
        for page in self.pages:
            await page.wait_for_function(_AT_REST, arg=self.party.version, timeout=1_000 * _PATIENCE, polling=50)
            await page.context.close()


def _in_order(value: Any) -> Any:
    """The cards of a move in any order are the same move, and so are none that are not named."""
    if isinstance(value, dict):
        return {name: _in_order(one) for name, one in value.items() if one != []}
    return sorted(map(_in_order, value), key=repr) if isinstance(value, list) else value


def _are_kept(party: Party, tapped: Sequence[tuple[int, Any]]) -> None:
    """Every move as it was tapped, once, and the records of the table are whole."""
    kept = [(row.seat, _in_order(row.move)) for row in party.moves() if row.seen is not None]
    sent = [(seat, _in_order(move)) for seat, move in tapped]
    assert kept == sent, next(pair for pair in zip_longest(kept, sent) if pair[0] != pair[1])
    with party.context.database.reading() as connection:
        assert faults_of_table(connection, party.row.id) == []


def _table(room: Served, key: str) -> Party:
    guests = tuple(welcome(room.context, name) for name in NAMES[:_PEOPLE])
    slug = room.context.write(create.create_table, guests[0].id, key, _PEOPLE, {}, INSTANT)
    party = Party(room.context, slug, guests)
    for seat, guest in enumerate(guests[1:], 2):
        party.write(seats.take_seat, guest, seat, guest.name)
    party.write(seats.start, 1)
    return party


async def played(browser: Any, room: Served, key: str, most: int, stalls: Stalls, trip: float) -> Played:
    """So many moves of a game, or a round. Raises AssertionError where a move was lost, or made twice."""
    party, dice, began = _table(room, key), random.Random(key), time.monotonic()
    phones, tapped = Phones(party), list[tuple[int, Any]]()
    seen, of_moves = stalls.seen, stalls.of_moves
    async with distant(room.url, trip, stalls) as distance:
        await phones.open(browser, distance, key)
        while len(tapped) < most and (turn := party.turn()):
            tapped.append(await phones.move(turn, dice))
        await phones.close()
    _are_kept(party, tapped)
    stalled = stalls.seen - seen, stalls.of_moves - of_moves
    resent, late = phones.posts - len(tapped), phones.late * _GLANCE
    return Played(len(tapped), *stalled, resent, late, time.monotonic() - began)


@asynccontextmanager
async def _chromium(path: str) -> AsyncIterator[Any]:
    from playwright.async_api import async_playwright

    async with AsyncExitStack() as stack:
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        stack.push_async_callback(browser.close)
        yield browser


async def _evening(
    path: str, room: Served, games: Sequence[str], most: int, stalls: Stalls, trip: float
) -> list[Played]:
    async with _chromium(path) as browser:
        return [await played(browser, room, key, most, stalls, trip) for key in games]


def rows(
    games: Sequence[str] = tuple(GAMES),
    most: int = MOST,
    share: float = STALLED,
    stall: float = STALL,
    trip: float = TRIP,
) -> Iterator[Row]:
    """A line for each game."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        yield Row("evening", "not measured", "no Chromium on this machine: apt install chromium")
        return
    os.environ.setdefault("PYTEST_CURRENT_TEST", "an evening by hand")  # which the server deals by
    stalls = Stalls(random.Random(7), share, stall)
    with ExitStack() as stack:
        data = stack.enter_context(folder())
        url = f"sqlite:///{data / 'snug.db'}"
        migrate(url)
        room = stack.enter_context(serving(Settings(data=data, database_url=url, key=_KEY)))
        for key, one in zip(games, asyncio.run(_evening(path, room, games, most, stalls, trip)), strict=True):
            told = f"{one.stalls} stalls, {one.of_moves} of moves; {one.resent} sent again"
            told += f"; {one.late:.1f} of {one.seconds:.0f} s late"
            yield Row(f"evening, {GAMES[key].name}", f"{one.moves} moves", told)


def main() -> None:
    """Prints a line for each game."""
    for row in rows():
        show(row)
