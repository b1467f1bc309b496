"""The served room is killed again and again while friends play over HTTP; some rooms move their log into the file after
every commit, of some a copy is being made. After each start what was acknowledged is there, once, the file is sound and
every move is accepted again."""

import multiprocessing
import os
import random
import signal
import sqlite3
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from itertools import repeat
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

from app.storage.db import copy_sqlite
from tests.simulation.victims import Friends, Victim, check_stored
from tests.soak.limits import NO_LIMITS
from tests.soak.numbers import Numbers

SIZE: Final = 1000
QUICK: Final = 6
WAYS: Final = ("under load", "while the log is moved", "while a copy is made")
_LANES = 4
_IN_A_ROOM = 20  # kills, before there is a new one: tables grow, and every move of them is checked after each
_MOVES = 6  # at most, before a kill
_SLACK = 0.05  # seconds
_PATIENCE = 10.0


class Killed(NamedTuple):
    """How often, how many moves were acknowledged, and how many of them were found done after a kill."""

    kills: int
    moves: int
    found: int


class Copier:
    """A process that copies a database over and over, until it is killed."""

    def __init__(self, source: Path) -> None:
        self.target = source.with_name("copy.db")
        kind = multiprocessing.get_context("forkserver")
        self._process = kind.Process(target=_copy_on, args=(source, self.target), daemon=True)
        self._process.start()

    def kill(self) -> None:
        """SIGKILL; what it finished last must be a whole database."""
        if self._process.pid:
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        if self.target.exists():
            check_file(self.target)


def _copy_on(source: Path, target: Path) -> None:
    while True:
        with suppress(sqlite3.OperationalError):  # it is busy
            copy_sqlite(source, target)


def check_file(path: Path) -> None:
    """It is a whole database."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def room(data: Path, name: str, way: str, kills: int, end: float = inf) -> Killed:
    """One room, killed so often before the end."""
    dice = random.Random(name)
    path = data / "snug.db"
    victim = Victim("--data", str(data), environ=NO_LIMITS, pragmas=("wal_autocheckpoint=1",) if way == WAYS[1] else ())
    victim.start()
    try:
        tables = [Friends(victim.url, f"{name}, {table} table") for table in ("first", "second")]
        killed = 0
        while killed < kills and time.monotonic() < end:
            copier = Copier(path) if way == WAYS[2] else None
            _play_and_kill(victim, tables, dice)
            if copier:
                copier.kill()
            victim.start()
            check_file(path)
            check_stored(f"sqlite:///{path}", tables)
            killed += 1
        for friends in tables:
            friends.make_moves(3)
            friends.close()
        check_stored(f"sqlite:///{path}", tables)
    finally:
        victim.kill()
    moves = sum(len(friends.acknowledged) for friends in tables)
    return Killed(killed, moves, sum(friends.repeated for friends in tables))


def _play_and_kill(victim: Victim, tables: Sequence[Friends], dice: random.Random) -> None:
    """Kills it when some moves have been made, in the middle of whatever is going on."""
    players = [threading.Thread(target=friends.play_on) for friends in tables]
    wanted = sum(len(friends.acknowledged) for friends in tables) + dice.randint(0, _MOVES)
    give_up = time.monotonic() + _PATIENCE
    for player in players:
        player.start()
    while sum(len(friends.acknowledged) for friends in tables) < wanted and time.monotonic() < give_up:
        time.sleep(0.001)
    time.sleep(dice.uniform(0, _SLACK))
    victim.kill()
    for player in players:
        player.join()


def _one(number: int, kills: int, end: float) -> Killed:
    if time.monotonic() > end:
        return Killed(0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="snug-soak-") as folder:
        return room(Path(folder), f"room {number}", WAYS[number % len(WAYS)], kills, end)


def measure(kills: int, end: float = inf) -> Numbers:
    """So many kills before the end, in rooms side by side."""
    most = min(_IN_A_ROOM, -(-kills // len(WAYS)))
    shares = [min(most, kills - begun) for begun in range(0, kills, most)]
    pool = ProcessPoolExecutor(min(_LANES, len(shares)), multiprocessing.get_context("spawn"))
    try:
        done = list(pool.map(_one, range(len(shares)), shares, repeat(end)))
    finally:
        pool.shutdown(cancel_futures=True)  # where one room has lost something, the others need not be tried
    return {
        "kills": sum(one.kills for one in done),
        "moves": sum(one.moves for one in done),
        "found": sum(one.found for one in done),
    }
