"""Guests of a room who play at its tables over HTTP, by reading the pages and pressing what they offer."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin, urlsplit

from app.cli.makers.visitors.connection import Answer, Connection
from app.cli.makers.visitors.page_reader import Page, Way

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
    seconds: float = 0.0
    answered: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    last_error: str = ""


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of them lies; 0 of none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


class Guest:
    """Somebody at a table: the page in the browser, a connection to act with and one that waits for news."""

    def __init__(self, url: str, path: str = "") -> None:
        cookies: dict[str, str] = {}
        self.acting, self.waiting = Connection(url, cookies), Connection(url, cookies)
        self.path = path
        self.page = Page()
        self.update = Answer(0, "", "")
        """The last answer to its poll."""
        self.heard = 0.0
        """When that came."""

    async def look(self) -> None:
        """Loads the table's page."""
        self.page.show(_sound(await self.acting.ask(self.path)).html)

    async def press(self, way: Way) -> Answer:
        """Sends a form and shows the answer."""
        answer = _sound(await self.acting.ask(way.action, way.fields, fragment=True), 500)
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


def _sound(answer: Answer, worst: int = 400) -> Answer:
    if answer.status >= worst or 300 <= answer.status < 400:
        raise NotPlayable(f"The room answered with status {answer.status}.")
    return answer


class Party:
    """The guests of one table, who play on, deal after deal and match after match."""

    def __init__(self, guests: list[Guest], dice: random.Random, tally: Tally) -> None:
        self.guests, self._dice, self.tally = guests, dice, tally
        self.moved_at = 0.0

    async def step(self) -> bool:
        """Whoever is to act moves and the others hear of it: whether so. Else all are made ready for what comes."""
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
            await asyncio.gather(*polls, return_exceptions=True)
        self.tally.moves += 1
        return True

    async def _move(self, mover: Guest) -> float:
        """Tries what the page offers until something is allowed; when that was sent."""
        for tried in range(_MOST_TRIES):
            ways = mover.page.ways("/moves")
            if not ways:
                break
            way = self._dice.choice(ways)
            if tried:
                way = self._with_more(way, ways)
            began = time.perf_counter()
            if (await mover.press(way)).status == 200:
                return began
            self.tally.refused += 1
        await mover.look()
        raise NotPlayable("The room refused every move that its page offered.")

    def _with_more(self, way: Way, ways: list[Way]) -> Way:
        """The same with some more of its boxes ticked, as where several cards are given away at once."""
        names = dict(way.fields)
        same = (other.fields for other in ways if other.fields[:1] == way.fields[:1])
        boxes = dict.fromkeys(one for fields in same for one in fields if one[0] in names and one not in way.fields)
        more = self._dice.sample(list(boxes), min(len(boxes), self._dice.randrange(4)))
        return Way(way.action, (*way.fields, *more))

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
                self.tally.errors += 1
                self.tally.last_error = str(error) or type(error).__name__
                await asyncio.sleep(errors / 10)
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
    """A new table, dealt to guests; `wishes` change fields of its form. Raises OSError and NotPlayable."""
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
            way = _offered(next(iter(guest.page.ways("/sit")), None), "sit down")
            fields = {**dict(way.fields), "name": f"Guest {number}"}
            await guest.acting.ask(way.action, tuple(fields.items()))
    await host.look()
    await host.press(_offered(host.page.usual("/start"), "start the game"))
    for guest in guests:
        await guest.look()
    return Party(guests, dice, tally)


def _offered(way: Way | None, what: str) -> Way:
    if way is None:
        raise NotPlayable(f"The room’s page offers no way to {what}.")
    return way
