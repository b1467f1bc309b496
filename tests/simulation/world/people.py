"""People at a table: patient and impatient ones, some who leave and some who mean no good. They press what is on their
pages; only griefers send what is not, or no longer."""

import asyncio
import re
from random import Random
from typing import TYPE_CHECKING

from app.cli.makers.visitors.page_reader import Way
from tests.simulation.world.browsers import Answer, Browser

if TYPE_CHECKING:
    from tests.simulation.world.world import World

# How often which form is sent that is on the page, beside moves.
_TASTE = {
    "ready": 40.0,
    "resume": 12.0,
    "undo-answer": 12.0,
    "back": 6.0,
    "rematch": 6.0,
    "undo": 4.0,
    "orders": 4.0,
    "talk": 3.0,
    "pause": 1.5,
    "more-time": 1.0,
    "skip": 1.0,
    "hand": 0.5,
    "why": 0.5,
    "away": 0.5,
    "seat-link": 0.3,
    "cohost": 0.2,
    "mute": 0.2,
    "host": 0.1,
}
_SCHEMES = {**_TASTE, "away": 12.0, "undo": 20.0, "back": 1.0, "resume": 3.0}
_URGENT = 6.0
_WORDS = ("Good evening", "Well played", "Tea?", "Hm", "\u202eolleH", "<b>x</b>")


def _ending(way: Way) -> str:
    return way.action.partition("?")[0].rsplit("/", 1)[-1]


class Person:
    """Somebody with a browser, who has `patience`."""

    def __init__(self, world: "World", number: int) -> None:
        self.world = world
        self.browser = Browser(world, f"person {number}")
        self.dice = Random(f"{world.seed} person {number}")
        self.number = number
        self.patience = self.dice.choice((0.3, 1.0, 3.0, 60.0))
        self.is_griefer = self.dice.random() < 0.4
        self.taste = _SCHEMES if number == 0 and self.dice.random() < 0.3 else _TASTE
        self.has_moved_house = self.dice.random() < 0.75
        self.has_reissued = number != 0 or self.dice.random() < 0.5
        self.failed = 0

    async def live(self) -> None:
        """Sits at the table until the world says that it is enough."""
        world = self.world
        while not world.is_over:
            browser = self.browser
            if (not browser.page.poll or self.dice.random() < 0.03) and not await browser.look():
                await asyncio.sleep(0.5 + self.dice.random())
                continue
            if self.is_griefer and self.dice.random() < 0.3:
                await self._grieve()
            if not self.has_moved_house and self.dice.random() < 0.1:
                await self._move_house()
            if not self.has_reissued and self.dice.random() < 0.1:
                await self._take_a_seat()
            way = self._choice()
            if way is None:
                if world.faults.happens("pile-up") or self.dice.random() < 0.02:
                    await self._wait_for_the_clock()
                elif not await browser.listen():
                    await asyncio.sleep(0.3)
                    await browser.look()
                continue
            await asyncio.sleep(self.dice.random() * self.patience)
            await self._insist(way)

    def _choice(self) -> Way | None:
        ways = self.browser.page.ways("")
        self.world.remember(ways)
        by_name: dict[str, list[Way]] = {}
        for way in ways:
            by_name.setdefault(_ending(way), []).append(way)
        moves = by_name.get("moves")
        names = [name for name in by_name if name in self.taste]
        if self.world.faults.calm:
            names = [name for name in names if self.taste[name] >= _URGENT]
        is_urgent = not moves and any(self.taste[name] >= _URGENT for name in names)
        if names and self.dice.random() < (0.8 if is_urgent else 0.3 if moves else 0.15):
            (name,) = self.dice.choices(names, [self.taste[name] for name in names])
            return self._filled(self.dice.choice(by_name[name]))
        return self.dice.choice(moves) if moves else None

    def _filled(self, way: Way) -> Way:
        said = self.dice.choice(_WORDS)
        return Way(way.action, tuple((name, said if name == "text" else value) for name, value in way.fields))

    async def _insist(self, way: Way) -> None:
        """Presses; and again, when no answer came."""
        world = self.world
        asked = self.browser.make("POST", way.action, way.fields, fragment=True)
        for attempt in range(4):
            if attempt:
                asked = self.browser.make("POST", way.action, way.fields, fragment=True)
                asked_again = world.sometimes
                asked_again["pressed again"] += 1
            answer = await self.browser.send(asked)
            if answer is not None:
                self._show(answer, way)
                return
            await asyncio.sleep(self.dice.random())
        await self.browser.look()

    def _show(self, answer: Answer, way: Way) -> None:
        if answer.status < 300 and answer.html:
            self.browser.page.show(answer.html)
            if _ending(way) == "moves":
                self.failed = 0
        elif answer.status in (403, 404, 409, 410, 422) and answer.html:
            self.failed += 1
            self.browser.page.show(answer.html)
        if self.failed > 20 and _ending(way) == "moves" and self.world.faults.calm:
            self.world.oracle.fail("I6", f"{self.browser.name} is refused everything that the page offers: {way}")
        if answer.status >= 300 or not answer.html:
            self.browser.page.poll = ""

    async def _grieve(self) -> None:
        """Sends a form that was on some page, of somebody's, at some time."""
        way = self.world.some_form(self.dice)
        if way is None:
            return
        fields = tuple(
            (name, str(max(0, int(value) + self.dice.choice((-1, 0, 0, 1)))) if name == "seen" else value)
            for name, value in way.fields
        )
        asked = self.browser.make("POST", way.action, fields, fragment=True)
        asked.is_griefing = True
        await self.browser.send(asked)

    async def _move_house(self) -> None:
        """Goes on in another browser, by the recovery link, and signs the first one out."""
        world, first = self.world, self.browser
        self.has_moved_house = True
        answer = await first.ask("POST", "/me/recovery", (("sure", "yes"),))
        link = re.search(r"/r/[\w-]{20,}", answer.html) if answer else None
        if not link:
            return
        second = Browser(world, first.name + " again")
        second.path = first.path
        await second.ask("POST", link[0])
        if not second.token or not await second.look():
            return
        await first.look()
        answer = await second.ask("POST", "/me/sign-out-elsewhere", (("sure", "yes"),))
        self.browser = second
        if answer is not None and answer.status == 303:
            world.sometimes["signed out elsewhere while the old page asks"] += 1
            world.oracle.dead_tokens[first.token] = world.loop.now
            for _ in range(3):
                await first.look()
                for way in first.page.ways("/moves")[:1]:
                    await first.press(way)
                await asyncio.sleep(1.0)

    async def _take_a_seat(self) -> None:
        """The host has a link made to somebody else's seat and opens it in a browser of his own."""
        world = self.world
        ways = self.browser.page.ways("/reissue")
        if not ways:
            return
        self.has_reissued = True
        answer = await self.browser.ask("POST", self.dice.choice(ways).action, self.dice.choice(ways).fields)
        link = re.search(r"/h/[\w-]{20,}", answer.html) if answer else None
        if not link:
            return
        thief = Browser(world, self.browser.name + " as another")
        thief.path = self.browser.path
        answer = await thief.ask("POST", link[0], (("name", "Thief"),))
        if answer is not None and answer.status == 303:
            world.sometimes["a seat was taken over on the host's word"] += 1
            await thief.look()

    async def _wait_for_the_clock(self) -> None:
        """Acts in the very moment in which the room would."""
        left = self.world.next_due()
        if left is not None and left < 130:
            self.world.sometimes["something in the moment when time is up"] += 1
            await asyncio.sleep(left)
        else:
            await asyncio.sleep(1.0)
        await self.browser.look()
