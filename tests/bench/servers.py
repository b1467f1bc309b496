"""Servers as processes of their own: on the first core while somebody measures on the second. Needs Linux."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from app.cli.makers.visitors.connection import Connection
from tests.servers import free_port

Result = TypeVar("Result")
ROOT = Path(__file__).parents[2]
_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
_PATIENCE = 90.0
_servers_core: set[int] = set()


class Server:
    """A server that is up at `url`."""

    def __init__(self, url: str, pid: int) -> None:
        self.url, self.pid = url, pid

    def cpu(self) -> float:
        """The seconds of processor time that the process has used so far, to the nanosecond: Linux keeps a clock for
        each process, whose number is made of the pid (clock_getcpuclockid)."""
        return time.clock_gettime(~self.pid << 3 | 2)

    def memory(self) -> int:
        """The bytes of memory that are its own."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def files(self) -> int:
        """How many files and connections it has open."""
        return sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())


def keep_to_second_core() -> None:
    """Leaves the first core to the servers, from now on."""
    if len(_CORES) > 1:
        os.sched_setaffinity(0, {_CORES[1]})
        _servers_core.add(_CORES[0])


@contextmanager
def on_servers_core() -> Iterator[None]:
    """Whatever is started here runs where servers do."""
    if _servers_core:
        os.sched_setaffinity(0, _servers_core)
    try:
        yield
    finally:
        if _servers_core:
            keep_to_second_core()


def within(seconds: float, work: Coroutine[Any, Any, Result]) -> Result:
    """What comes of the work. Raises TimeoutError when it takes longer."""
    return asyncio.run(asyncio.wait_for(work, seconds))


@contextmanager
def running(*command: str, environ: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Runs a program of this project as a server; `{port}` in its arguments becomes a free one."""
    port = free_port()
    words = [word.replace("{port}", str(port)) for word in command]
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("SNUG_")}
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        env={**surroundings, **(environ or {}), "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    try:
        if _servers_core:
            os.sched_setaffinity(process.pid, _servers_core)
        server = Server(f"http://127.0.0.1:{port}", process.pid)
        asyncio.run(_is_up(server.url, process))
        yield server
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def _is_up(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        connection = Connection(url, {})
        try:
            await connection.ask("/")
            return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{process.args!r} does not answer") from error
            await asyncio.sleep(0.1)
        finally:
            connection.close()


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for a database, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="snug-bench-") as name:
        yield Path(name)


def room(data: Path, environ: Mapping[str, str] | None = None) -> AbstractContextManager[Server]:
    """The room itself."""
    return running("app.cli", "serve", "--port", "{port}", "--data", str(data), environ=environ)


@contextmanager
def side(name: str) -> Iterator[Server]:
    """Snug, the floor or the limit, each with an empty database of its own."""
    with ExitStack() as stack:
        data = stack.enter_context(folder())
        if name == "Snug":
            yield stack.enter_context(room(data))
        else:
            yield stack.enter_context(running(f"tests.bench.{name}", "{port}", str(data)))
