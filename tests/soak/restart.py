"""A room with many seats waiting is stopped and started anew. Their pages do what the browser's script does: how soon
has each of them been answered, and how many ask at once?"""

import asyncio
import random
import re
import tempfile
import time
from collections import Counter
from math import inf
from typing import Final

from app.cli.makers.visitors.connection import Connection
from app.cli.makers.visitors.guests import Guest, Tally, open_table
from app.cli.makers.visitors.page_reader import version_in
from tests.bench.servers import ROOT
from tests.simulation.victims import Victim
from tests.soak.limits import NO_LIMITS
from tests.soak.numbers import Numbers

SIZE: Final = 500
QUICK: Final = 20
SOON: Final = 15.0  # seconds
_SEATS = 5  # at a table
STEADY = 20.0  # seconds, for which a poll is held
_SCRIPT = (ROOT / "static/snug/poll.js").read_text(encoding="utf-8")
_TICK = 0.4  # seconds between a page's looks at the clock


def _of_script(name: str) -> int:
    (value,) = re.findall(rf"const {name} = ([\d_]+);", _SCRIPT)
    return int(value.replace("_", ""))


_POLL_PATIENCE = float(*re.findall(r'const POLL_PATIENCE = "(\d+)s";', _SCRIPT))
_EAGER, _LONGEST_WAIT = _of_script("EAGER"), _of_script("LONGEST_WAIT") / 1000


class Open:
    """A table's page that somebody has open, as the script keeps it fresh."""

    def __init__(self, url: str, guest: Guest, asked: "Counter[int]", dice: random.Random) -> None:
        self._connection = Connection(url, guest.acting.cookies)
        self._path, self._version = guest.path, guest.page.version
        self._asked, self._dice = asked, dice
        self._failures = 0
        self.fresh_at = 0.0

    async def stay(self) -> None:
        """Asks and asks again."""
        await asyncio.sleep(self._dice.uniform(0, STEADY))  # people come one after the other
        while True:
            if not await self._ask():
                self._failures += 1
                wait = min(_LONGEST_WAIT, 2.0 ** max(0, self._failures - _EAGER))
                await asyncio.sleep(wait * (0.5 + self._dice.random() / 2))
            await asyncio.sleep(self._dice.uniform(0, _TICK))  # until the next tick

    async def _ask(self) -> bool:
        """Whether the room was there."""
        seen = 0 if self._failures else self._version
        began = int(time.monotonic())
        try:
            async with asyncio.timeout(_POLL_PATIENCE if self._failures else None):
                answer = await self._connection.ask(f"{self._path}/live?seen={seen}", fragment=True)
        except OSError as error:  # TimeoutError, too
            self._asked[began] += not isinstance(error, ConnectionRefusedError)
            return False
        self._asked[began] += 1
        if answer.status >= 500:
            return False
        if answer.status == 200:
            self._version = version_in(answer.html) or self._version
        self._failures = 0
        self.fresh_at = time.monotonic()
        return True

    def leave(self) -> None:
        """The page is closed."""
        self._connection.close()


async def _storm(victim: Victim, seats: int) -> Numbers:
    asked: Counter[int] = Counter()
    pages: list[Open] = []
    while len(pages) < seats:
        number = min(_SEATS, seats - len(pages))
        party = await open_table(
            victim.url, "lucky_paw", max(2, number), random.Random(len(pages)), Tally(), {"rounds": "9"}
        )
        party.close()
        pages += (Open(victim.url, guest, asked, random.Random(f"{len(pages)} {guest.path}")) for guest in party.guests)
    staying = [asyncio.create_task(page.stay()) for page in pages]
    await asyncio.sleep(STEADY)
    asked.clear()
    await asyncio.sleep(STEADY)
    steady = asked.total() / STEADY
    asked.clear()
    began = time.monotonic()
    await asyncio.to_thread(victim.stop)
    gone = time.monotonic()
    await asyncio.to_thread(victim.start)
    there = time.monotonic()
    while not all(page.fresh_at > gone for page in pages):
        assert time.monotonic() - there < 4 * SOON, "somebody is not answered"
        await asyncio.sleep(0.05)
    fresh = time.monotonic() - there
    for task in staying:
        task.cancel()
    await asyncio.gather(*staying, return_exceptions=True)
    for page in pages:
        page.leave()
    peak = max(count for second, count in asked.items() if second >= int(gone))
    return {
        "seats": len(pages),
        "away": round(there - began, 1),
        "fresh": round(fresh, 1),
        "steady": round(steady, 1),
        "peak": peak,
    }


def measure(seats: int, end: float = inf) -> Numbers:
    """So many seats, one restart, which takes as long as it takes."""
    with tempfile.TemporaryDirectory(prefix="snug-soak-") as data:
        victim = Victim("--data", data, environ=NO_LIMITS)
        victim.start()
        try:
            numbers = asyncio.run(_storm(victim, seats))
        finally:
            victim.kill()
    assert numbers["fresh"] < SOON, numbers
    return numbers
