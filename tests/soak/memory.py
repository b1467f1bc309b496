"""A room in which tables are opened, played at and left for hours: once it is warm its memory stays."""

import asyncio
import random
import time
from contextlib import suppress
from math import inf
from statistics import linear_regression
from typing import Final

from app.cli.makers.visitors.guests import NotPlayable, Party, Tally, open_table
from tests.bench.servers import Server, folder, running
from tests.soak.limits import NO_LIMITS
from tests.soak.numbers import Numbers

SIZE: Final = 180.0  # minutes
QUICK: Final = 0.1
_TABLES = 6
_PAUSE = 0.3  # seconds between two moves of a table
_STAY = 90.0  # seconds that friends play before others come
_SAMPLE = 2.0  # seconds
_WARM = 1 / 3  # of the time: what is kept ready is made, and the first tables have gone


class Room:
    """What happened in it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tally = Tally()
        self.parties = 0
        self.samples: list[tuple[float, float]] = []

    async def play(self, number: int, end: float) -> None:
        """One table after the other, by friends who come and go."""
        dice = random.Random(f"table {number}")
        while time.monotonic() < end:
            until = min(end, time.monotonic() + dice.uniform(0.5, 1.5) * _STAY)
            with suppress(OSError, NotPlayable):
                party = await open_table(
                    self.server.url, "lucky_paw", dice.randint(2, 4), dice, self.tally, {"rounds": "2"}
                )
                self.parties += 1
                await self._stay(party, until)
                party.close()

    async def _stay(self, party: Party, until: float) -> None:
        while time.monotonic() < until:
            await party.step()
            await asyncio.sleep(_PAUSE)

    async def watch(self, began: float, end: float) -> None:
        """Takes its memory now and then: MB by hours."""
        while time.monotonic() < end:
            self.samples.append(((time.monotonic() - began) / 3600, self.server.memory() / 1e6))
            await asyncio.sleep(_SAMPLE)


async def _play(server: Server, minutes: float) -> Room:
    played, began = Room(server), time.monotonic()
    end = began + 60 * minutes
    await asyncio.gather(played.watch(began, end), *(played.play(number, end) for number in range(_TABLES)))
    return played


def slope(samples: list[tuple[float, float]]) -> float:
    """How much memory grows, MB an hour, once it is warm."""
    warm = samples[int(len(samples) * _WARM) :]
    hours, memory = zip(*warm, strict=True)
    return linear_regression(hours, memory).slope


def measure(minutes: float, end: float = inf) -> Numbers:
    """So many minutes of play before the end."""
    minutes = min(minutes, (end - time.monotonic()) / 60)
    serve = ("tests.soak.small_room", "serve", "--port", "{port}", "--data")
    with folder() as data, running(*serve, str(data), environ=NO_LIMITS) as server:
        played = asyncio.run(_play(server, minutes))
    warm = played.samples[int(len(played.samples) * _WARM) :]
    return {
        "minutes": round(minutes, 1),
        "tables": played.parties,
        "moves": played.tally.moves,
        "slope": round(slope(played.samples), 2),
        "first": round(warm[0][1], 1),
        "last": round(warm[-1][1], 1),
    }
