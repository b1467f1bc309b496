"""The server is killed again and again while friends play over HTTP: what it acknowledged is there, and once."""

import random
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from tests.simulation.victims import Friends, Victim, check_stored

KILLS = 50
_LONGEST = 120.0


def test_fifty_kills_lose_no_acknowledged_move_and_play_none_twice(tmp_path: Path) -> None:
    dice = random.Random("kills")
    victim = Victim("--data", str(tmp_path))
    victim.start()
    tables = [Friends(victim.url, name) for name in ("first table", "second table")]
    began = time.monotonic()
    for kill in range(KILLS):
        assert time.monotonic() - began < _LONGEST, f"only {kill} kills in {_LONGEST} s"
        players = [threading.Thread(target=friends.play_on) for friends in tables]
        for player in players:
            player.start()
        time.sleep(dice.uniform(0.03, 0.4))
        victim.kill()
        for player in players:
            player.join()
        victim.start()
    for friends in tables:
        friends.make_moves(10)
        friends.close()
    victim.kill()

    with closing(sqlite3.connect(tmp_path / "snug.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check_stored(f"sqlite:///{tmp_path / 'snug.db'}", tables)
    moves = sum(len(friends.acknowledged) for friends in tables)
    print(f"{KILLS} kills, {moves} moves acknowledged, {sum(f.repeated for f in tables)} found already played")
