"""Plays 1,000 deals of every game at random, and 1,000 between good bots: `python -m tests.simulation.deals
[--deals 1000] [--first 0]`.

Tables of every size and with every preset take turns. Whole matches are played to their ends, so there are some deals
more; nothing else is counted. Whatever goes wrong stops the command and names the table and its seed.
"""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from typing import NamedTuple

from app.cli.makers.simulate import Played, simulate
from snug.engine.game import read_options
from snug.games import GAMES

DEALS = 1000
SIDES = {"at random": "random", "good bots": "steady"}


class Count(NamedTuple):
    """What was played."""

    matches: int
    deals: int
    moves: int


def table(key: str, level: str, number: int) -> Played:
    """Match `number` of a game, from 0, with every seat at this level."""
    game = GAMES[key]
    low, high = game.seats
    turn, size = divmod(number, high - low + 1)
    preset = game.presets[turn % len(game.presets)]
    try:
        options = read_options(game, low + size, preset.options)
        (played,) = simulate(game, options, [level] * (low + size), f"deals {number}", 1)
        return played
    except Exception as error:
        error.add_note(f"{game.name} for {low + size}, all {level}, {preset.name!r}, --seed 'deals {number}' --games 1")
        raise


def play(key: str, level: str, first: int, parts: int, deals: int) -> Count:
    """This match and, of those that follow, one in so many parts, until there were this many deals."""
    total = Count(0, 0, 0)
    for number in count(first, parts):
        if total.deals >= deals:
            break
        played = table(key, level, number)
        total = Count(total.matches + 1, total.deals + len(played.rounds), total.moves + played.moves)
    return total


def played_by(parts: int, deals: int, first: int) -> Iterator[tuple[str, str, Count]]:
    """Game, side and count, as soon as each is known, from this match on; the work is shared by so many processes."""
    share = -(-deals // parts)
    with ProcessPoolExecutor(parts, get_context("spawn")) as pool:
        shares = {
            (key, side): [pool.submit(play, key, level, first + part, parts, share) for part in range(parts)]
            for key in GAMES
            for side, level in SIDES.items()
        }
        for (key, side), futures in shares.items():
            counts = [future.result() for future in futures]
            yield GAMES[key].name, side, Count(*map(sum, zip(*counts, strict=True)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints a line for every game and side, and what it all came to."""
    parser = argparse.ArgumentParser(prog="make deals", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS, help="of every game and side")
    parser.add_argument("--first", type=int, default=0, help="which match is the first: its number is its seed")
    given = parser.parse_args(arguments)
    began, total = time.perf_counter(), 0
    for name, side, counted in played_by(os.cpu_count() or 1, given.deals, given.first):
        assert counted.deals >= given.deals
        total += counted.deals
        print(
            f"{name:18}{side:10}{counted.matches:7,} matches{counted.deals:8,} deals{counted.moves:11,} moves",
            flush=True,
        )
    print(f"{total:,} deals were played to their ends in {time.perf_counter() - began:.0f} s.")


if __name__ == "__main__":
    main()
