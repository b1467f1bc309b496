"""`snug loadtest`: plays at tables of a room over HTTP, by reading its pages and pressing what they offer."""

import argparse
import asyncio
import random
import time
from typing import Final
from urllib.parse import urlsplit

from app.cli.arguments import complain, print_table, whole
from app.cli.makers.visitors.guests import NotPlayable, Tally, open_table, quantile
from snug.games import GAMES

DETAILS: Final = (
    "Opens private tables there, plays at random at all of them at once, and prints how long moves took until all had "
    "them. The tables and guests stay in that room: try it on one of your own."
)
_MOST_GUESTS: Final = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which room, how many tables, for how long."""
    parser.add_argument("url", metavar="URL", help="the room, as in http://127.0.0.1:8000")
    parser.add_argument("--game", choices=GAMES, metavar="GAME", help=f"{', '.join(GAMES)} (default: the first)")
    parser.add_argument("--tables", type=whole(1, 200), default=4, metavar="N", help="how many at once (default: 4)")
    parser.add_argument("--seats", type=whole(2, 14), default=2, metavar="N", help="guests at each (default: 2)")
    parser.add_argument("--seconds", type=whole(1, 600), default=30, metavar="N", help="at most (default: 30)")
    parser.add_argument("--moves", type=whole(1, 1_000_000), metavar="N", help="stop after so many moves")


def run(arguments: argparse.Namespace) -> int:
    """Plays, and prints what came of it. Status 1 if anything went wrong meanwhile or nobody could move."""
    game = GAMES[arguments.game or next(iter(GAMES))]
    if not _is_address(arguments.url):
        return complain(f"Name the room by its address, as in http://127.0.0.1:8000, not {arguments.url!r}.")
    if not game.seats[0] <= arguments.seats <= game.seats[1]:
        return complain(f"{game.name} is for {game.seats[0]} to {game.seats[1]} players, not {arguments.seats}.")
    if arguments.tables * arguments.seats > _MOST_GUESTS:
        return complain(f"{arguments.tables * arguments.seats:,} guests are too many: at most {_MOST_GUESTS:,}.")
    tally = Tally()
    try:
        asyncio.run(_play(arguments, game.key, tally))
    except (OSError, NotPlayable) as error:
        return complain(str(error) or f"{arguments.url} does not answer.", 1)
    _print(f"{game.name}, {arguments.tables} tables of {arguments.seats}", tally)
    return 0 if tally.moves and not tally.errors else 1


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


async def _play(arguments: argparse.Namespace, game: str, tally: Tally) -> None:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        opening = bar.add_task("Sitting down", total=arguments.tables)
        parties = []
        for number in range(arguments.tables):
            parties.append(await open_table(arguments.url, game, arguments.seats, random.Random(number), tally))
            bar.advance(opening)
        wanted = arguments.moves or float("inf")
        playing = bar.add_task("Playing", total=arguments.moves or arguments.seconds)
        began = time.perf_counter()

        def is_over() -> bool:
            tally.seconds = time.perf_counter() - began
            bar.update(playing, completed=tally.moves if arguments.moves else tally.seconds)
            return tally.seconds >= arguments.seconds or tally.moves >= wanted

        await asyncio.gather(*(party.play(is_over) for party in parties))
        for party in parties:
            party.close()


def _print(title: str, tally: Tally) -> None:
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    speed = f"{tally.moves:,} moves in {tally.seconds:.1f} s, {tally.moves / tally.seconds:,.1f} a second"
    faults = f"{tally.refused:,} refused, {tally.errors:,} errors{': ' if tally.errors else ''}{tally.last_error}"
    headings = ("from a move to", *(f"{share}, ms" for share in shares))
    rows = (
        (what, *(f"{quantile(values, share) * 1000:.1f}" for share in shares.values()))
        for what, values in (("answer to the mover", tally.answered), ("news on the last other page", tally.heard))
    )
    print_table(title, headings, rows, left=("from a move to",), caption=f"{speed}; {faults}")
