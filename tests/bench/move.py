"""A whole move over HTTP: the mover's answer and the other seat's held poll, beside the floor and the limit. One client
plays on all three; they take turns, and what counts are the ratios of one run."""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median

from app.cli.makers.visitors.guests import Guest, Party, Tally, open_table, quantile
from tests.bench.servers import Server, side, within
from tests.bench.table import Row, times

SIDES = ("Snug", "floor", "limit")
COUNTS = (1, 16)
ROUNDS = 5
SECONDS = 1.5
LONGEST = 180.0
Figures = dict[str, list[float]]


async def parties_at(name: str, url: str, tables: int) -> list[Party]:
    """So many tables with two guests each, ready to move: of Lucky Paw, or of what the other sides have."""
    parties = []
    for number in range(1, tables + 1):
        dice = random.Random(number)
        if name == "Snug":
            parties.append(await open_table(url, "lucky_paw", 2, dice, Tally(), {"rounds": "9"}))
        else:
            guests = [Guest(url, f"/t/{number}") for _ in range(2)]
            for guest in guests:
                await guest.look()
            parties.append(Party(guests, dice, Tally()))
    return parties


async def measure(server: Server, parties: list[Party], seconds: float) -> tuple[float, Tally]:
    """The server's seconds for a move, and how the moves were."""
    tally = Tally()
    for party in parties:
        party.tally = tally
    before, end = server.cpu(), time.perf_counter() + seconds
    await asyncio.gather(*(party.play(lambda: time.perf_counter() >= end) for party in parties))
    used = server.cpu() - before
    if tally.errors or not tally.moves:
        raise RuntimeError(f"{server.url}: {tally.moves} moves, {tally.errors} errors. {tally.last_error}")
    return used / tally.moves, tally


async def _rounds(
    servers: dict[str, Server], rounds: int, seconds: float
) -> dict[int, tuple[Figures, Figures, Figures]]:
    parties = {name: await parties_at(name, server.url, max(COUNTS)) for name, server in servers.items()}
    figures: dict[int, tuple[Figures, Figures, Figures]] = {
        count: (defaultdict(list), defaultdict(list), defaultdict(list)) for count in COUNTS
    }
    for number in range(-1, rounds):  # the first is to warm up
        for count in COUNTS:
            for name, server in servers.items():
                used, tally = await measure(server, parties[name][:count], seconds)
                if number >= 0:
                    shares = used, quantile(tally.heard, 0.5), quantile(tally.heard, 0.95)
                    for kind, value in zip(figures[count], shares, strict=True):
                        kind[name].append(value)
    for opened in parties.values():
        for party in opened:
            party.close()
    return figures


def rows(rounds: int = ROUNDS, seconds: float = SECONDS) -> Iterator[Row]:
    """Two lines for each number of tables, and the ratio that the issue asks for: the worse one's."""
    with ExitStack() as stack:
        servers = {name: stack.enter_context(side(name)) for name in SIDES}
        figures = within(LONGEST, _rounds(servers, rounds, seconds))
    for count, (used, _, _) in figures.items():
        rates = {name: f"{median(values) * 1000:.2f} ms ({1 / median(values):,.0f}/s)" for name, values in used.items()}
        beside = f"floor {rates['floor']}, limit {rates['limit']}"
        yield Row(f"whole move, server CPU, {_tables(count)}", rates["Snug"], beside, _ratios(used))
    for count, (_, half, most) in figures.items():
        waits = {name: f"{median(half[name]) * 1000:.2f}, {median(most[name]) * 1000:.2f} ms" for name in half}
        beside = f"floor {waits['floor']}; limit {waits['limit']}"
        yield Row(f"move → other screen, p50, p95, {_tables(count)}", waits["Snug"], beside, _ratios(half))
    worst = max(times(used["Snug"], used["floor"]) for used, _, _ in figures.values())
    yield Row(f"whole move / floor {worst:.2f}", "")


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"


def _ratios(figures: Figures) -> str:
    return ", ".join(f"{times(figures['Snug'], figures[name]):.2f} × {name}" for name in ("floor", "limit"))
