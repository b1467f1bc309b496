"""What an update weighs in the middle of a deal, game by game: the answer to the poll of who did not move."""

import gzip
import random
import time
from collections.abc import Iterator
from statistics import median

from app.cli.makers.visitors.guests import Party, Tally, open_table
from snug.games import GAMES
from tests.bench.servers import side, within
from tests.bench.table import Row

SEATS = 4
LONGEST = 60.0  # seconds for a game
BEFORE, COUNTED = 12, 30  # moves that are let pass, and that are weighed


async def _updates(party: Party) -> list[bytes]:
    updates: list[bytes] = []
    for number in range(BEFORE + COUNTED):
        since = time.perf_counter()
        moved = await party.step()
        if moved and number >= BEFORE and any(guest.page.ways("/moves") for guest in party.guests):
            updates += [guest.update.html.encode() for guest in party.guests if guest.heard > since]
    party.close()
    return updates


def rows() -> Iterator[Row]:
    """A line for each game: the median and the heaviest."""
    with side("Snug") as server:
        for key, game in GAMES.items():

            async def played(key: str = key) -> list[bytes]:
                return await _updates(await open_table(server.url, key, SEATS, random.Random(key), Tally()))

            updates = within(LONGEST, played())
            plain = [len(update) / 1000 for update in updates]
            zipped = [len(gzip.compress(update, 6)) / 1000 for update in updates]
            yield Row(
                f"update, {game.name}, {SEATS} seats, kB, zipped",
                f"{median(plain):.1f}, {median(zipped):.1f}",
                f"the heaviest {max(plain):.1f}, {max(zipped):.1f}",
            )
