"""PostgreSQL with a synchronous standby: the primary is killed while friends play, the standby becomes the primary, and
the room, whose connection string names both, plays on. Nothing that was acknowledged is lost."""

import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import psycopg
from sqlalchemy import URL

from app.cli.makers.visitors.guests import quantile
from app.cli.upgrade import migrate
from tests.postgres import _USUAL, _as_owner, _await_connection, _plain, _programs, initialised
from tests.simulation.victims import Friends, Victim, check_stored
from tests.soak.limits import NO_LIMITS
from tests.soak.numbers import Numbers

SIZE: Final = 50
QUICK: Final = 1
_TABLES = 3
_PATIENCE = 60.0
_UNNOTICED = 1.0  # seconds at most, in which there is no primary
_PORT = 5432  # of a socket in a folder of its own
_IN_STEP = "SELECT bool_and(sync_state = 'sync' AND flush_lsn >= pg_current_wal_lsn()) FROM pg_stat_replication"


class Server:
    """A PostgreSQL that answers in `folder`."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.folder = folder
        serve = [programs / "postgres", "-D", folder / "data", "-k", folder, "-h", "", "-p", _PORT]
        settings = (*_USUAL, "wal_keep_size=64MB", "hot_standby=on")
        words = [*serve, *(part for setting in settings for part in ("-c", setting))]
        with (folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                _as_owner(words), cwd=folder, stdout=log, stderr=log, start_new_session=True
            )
        self.url = URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)})
        _await_connection(self.url, self._process)

    def ask(self, sql: str) -> Any:
        """The first value of the answer."""
        with psycopg.connect(_plain(self.url), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchone()[0] if cursor.description else None  # type: ignore[index]  # there is one

    def kill(self) -> None:
        """SIGKILL for all of its processes."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Pair:
    """A primary and its standby, which changes places with it and is made anew."""

    def __init__(self, programs: Path, home: Path) -> None:
        self._programs = programs
        self._folders = [home / "one", home / "two"]
        for folder in self._folders:
            folder.mkdir()
            if os.geteuid() == 0:
                shutil.chown(folder, "postgres", "postgres")
        initialised(programs, self._folders[0])
        self.primary = Server(programs, self._folders[0])
        self.standby = self._copied()

    @property
    def url(self) -> str:
        """Names both; whichever takes writes is meant."""
        hosts = ",".join(map(str, self._folders))
        wanted = {
            "host": hosts,
            "port": f"{_PORT},{_PORT}",
            "target_session_attrs": "read-write",
            "connect_timeout": "2",
        }
        return URL.create("postgresql+psycopg", "postgres", database="postgres", query=wanted).render_as_string()

    def _copied(self) -> Server:
        """A new standby, without which nothing is acknowledged from now on."""
        (folder,) = (one for one in self._folders if one != self.primary.folder)
        shutil.rmtree(folder / "data", ignore_errors=True)
        copy = [self._programs / "pg_basebackup", "-D", folder / "data", "-h", self.primary.folder, "-p", _PORT]
        copy += ["-U", "postgres", "--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync"]
        subprocess.run(_as_owner(copy), cwd=folder, check=True, capture_output=True)
        with (folder / "data" / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
            settings.write("synchronous_standby_names = ''\n")  # or it would wait for a standby once it is the primary
        standby = Server(self._programs, folder)
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.ask("SELECT pg_reload_conf()")
        _until(lambda: self.primary.ask(_IN_STEP))
        return standby

    def promote(self) -> None:
        """The standby takes over."""
        self.standby.ask("SELECT pg_promote()")
        self.primary = self.standby

    def renew(self) -> None:
        """Where the former primary was, there is a standby of the new one."""
        self.standby = self._copied()

    def close(self) -> None:
        """Ends both."""
        for server in {self.primary, self.standby}:
            server.kill()


def _until(is_so: Any) -> None:
    give_up = time.monotonic() + _PATIENCE
    while not is_so():
        assert time.monotonic() < give_up, "it does not come to pass"
        time.sleep(0.02)


@contextmanager
def pair() -> Iterator[Pair]:
    """Two servers, gone afterwards. Raises NoPostgres."""
    programs = _programs()
    home = Path(tempfile.mkdtemp(prefix="snug-standby-"))
    home.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        servers = Pair(programs, home)
        stack.callback(servers.close)
        yield servers


class Lost(NamedTuple):
    """What failovers came to: the seconds from each promotion until the next move was accepted."""

    gaps: list[float]
    moves: int
    found: int


def fail_over(servers: Pair, times: int, end: float = inf) -> Lost:
    """Friends play, and so often before the end the primary is killed."""
    dice = random.Random("standby")
    migrate(servers.url)
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="snug-soak-")))
        room = Victim("--data", str(data), "--database", servers.url, environ=NO_LIMITS)
        stack.callback(room.kill)
        room.start()
        tables = [Friends(room.url, f"table {number}") for number in range(_TABLES)]
        over = threading.Event()
        players = [threading.Thread(target=_play, args=(friends, over)) for friends in tables]
        stack.callback(over.set)
        for player in players:
            player.start()
        gaps: list[float] = []
        while len(gaps) < times and (not gaps or time.monotonic() < end):
            if gaps:
                servers.renew()
            _until_moved(tables, dice.randint(3, 12))
            servers.primary.kill()
            time.sleep(dice.uniform(0, _UNNOTICED))
            began = time.monotonic()
            servers.promote()
            _until_moved(tables, 1)
            gaps.append(time.monotonic() - began)
        over.set()
        for player in players:
            player.join()
        for friends in tables:
            friends.make_moves(2)
            friends.close()
        check_stored(servers.url, tables)
    return Lost(gaps, sum(len(friends.acknowledged) for friends in tables), sum(friends.repeated for friends in tables))


def _play(friends: Friends, end: threading.Event) -> None:
    while not end.is_set():
        friends.play_on(end)
        end.wait(0.05)


def _until_moved(tables: list[Friends], moves: int) -> None:
    """So many more moves have been acknowledged."""
    wanted = sum(len(friends.acknowledged) for friends in tables) + moves
    give_up = time.monotonic() + _PATIENCE
    while sum(len(friends.acknowledged) for friends in tables) < wanted:
        assert time.monotonic() < give_up, "nobody can move"
        time.sleep(0.002)


def measure(times: int, end: float = inf) -> Numbers:
    """So many failovers before the end, one after the other."""
    with pair() as servers:
        lost = fail_over(servers, times, end)
    return {
        "failovers": len(lost.gaps),
        "moves": lost.moves,
        "found": lost.found,
        "median": round(median(lost.gaps), 2),
        "longest": round(quantile(lost.gaps, 1.0), 2),
    }
