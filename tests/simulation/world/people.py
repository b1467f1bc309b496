"""People at a table: patient and impatient ones, some who leave and some who mean no good. They press what is on their
pages; only griefers send what is not, or no longer."""

import asyncio
from random import Random
from typing import TYPE_CHECKING

from app.cli.page_reader import Way
from tests.simulation.world.browsers import Answer, Browser

if TYPE_CHECKING:
    from tests.simulation.world.world import World

# How often a form is sent that is on the page, beside moves.
_TASTE = {
    "ready": 30.0,
    "rematch": 3.0,
    "talk": 0.6,
    "undo": 1.2,
    "undo-answer": 8.0,
    "pause": 0.25,
    "resume": 4.0,
    "away": 0.1,
    "back": 4.0,
    "more-time": 0.5,
    "orders": 0.5,
    "hand": 0.3,
    "skip": 0.2,
    "seat-link": 0.1,
    "start": 20.0,
    "leave": 0.02,
    "why": 0.3,
    "mute": 0.1,
    "cohost": 0.1,
    "host": 0.05,
}
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
        self.patience = self.dice.choice((0.3, 1.0, 3.0))
        self.is_griefer = self.dice.random() < 0.2
        self.moves = 0
        self.failed = 0

    async def live(self) -> None:
        """Sits at the table until the world says that it is enough."""
        world, browser = self.world, self.browser
        while not world.is_over:
            if not browser.page.poll or self.dice.random() < 0.03:
                if not await browser.look():
                    await asyncio.sleep(0.5 + self.dice.random())
                    continue
            if self.is_griefer and self.dice.random() < 0.15:
                await self._grieve()
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
        moves = [way for way in ways if _ending(way) == "moves"]
        if moves and self.dice.random() < 0.9:
            return self.dice.choice(moves)
        liked = [(way, _TASTE[_ending(way)]) for way in ways if _ending(way) in _TASTE]
        chance = 0.08 if moves or not any(taste >= 3 for _, taste in liked) else 0.7
        if liked and self.dice.random() < chance:
            (way,) = self.dice.choices([way for way, _ in liked], [taste for _, taste in liked])
            return self._filled(way)
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
                self.moves += 1
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

    async def _wait_for_the_clock(self) -> None:
        """Acts in the very moment in which the room would."""
        left = self.world.next_due()
        if left is not None and left < 130:
            self.world.sometimes["something in the moment when time is up"] += 1
            await asyncio.sleep(left)
        else:
            await asyncio.sleep(1.0)
        await self.browser.look()
