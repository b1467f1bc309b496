"""Copies of the tree, in which bugs are planted and tests run."""

import multiprocessing
import multiprocessing.connection
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.mutants.hanging import Standstill
from tests.mutants.mutant import TREE, Mutant
from tests.mutants.near import Step, near, wide

_STEP: Final = 900  # seconds of processor that no process of a step may use
_SCRIPTS: Final = 60  # and none that tests scripts, which takes two
_TOOLS: Final = ("tests/js/node_modules", "tests/browsers/firefox/node_modules")
_RED: Final = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
_ENVIRON: Final = {
    "SNUG_SLICE": "0",
    "HYPOTHESIS_PROFILE": "brisk",
    "COV_CORE_SOURCE": "1",  # costs are measured, but nothing is too dear
    "COLUMNS": "400",
}


_WARM: Final = multiprocessing.get_context("forkserver")
"""Every run forks from a process that has what is not ours imported already: that is half of what it would take."""
_WARM.set_forkserver_preload(
    [
        "pytest",
        "hypothesis",
        "xdist",
        "fastapi",
        "starlette.testclient",
        "sqlalchemy.orm",
        "alembic.command",
        "psycopg",
        "jinja2",
        "babel.dates",
        "msgspec",
        "uvicorn",
        "cryptography.hazmat.bindings._rust",
    ]
)


class Verdict(NamedTuple):
    """By what test a mutant was found; by none, where it survived."""

    mutant: Mutant
    by: str
    seconds: float


class Copy:
    """A copy of the tree as it is, without what git ignores."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=TREE, capture_output=True, text=True, check=True).stdout
        for name in names.split("\0"):
            if name and (TREE / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(TREE / name, folder / name)
        for tool in _TOOLS:
            if (TREE / tool).is_dir():
                (folder / tool).symlink_to(TREE / tool)
        # Compiled files that are believed by the hash of their source, not by its time: bugs come and go in a second.
        compiled = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "snug", "app"]
        subprocess.run(compiled, cwd=folder, check=True)

    def judge(self, mutant: Mutant, only_near: bool) -> Verdict:
        """Plants the bug, runs what is near and then what is not until something is red, and takes the bug away."""
        started = time.monotonic()
        path = self.folder / mutant.path
        source = path.read_text()
        path.write_text(mutant.plant(source))
        try:
            steps = near(mutant.path) if only_near else [*near(mutant.path), *wide(mutant.path)]
            by = next(filter(None, map(self.red, steps)), "")
        finally:
            path.write_text(source)
        return Verdict(mutant, by, time.monotonic() - started)

    def red(self, step: Step) -> str:
        """What is red first; nothing if all is green."""
        with tempfile.TemporaryFile("w+") as told:
            target = _node if step.program == "node" else _pytest
            ran = _WARM.Process(target=target, args=(self.folder, step.arguments, DupFd(told.fileno())))
            ran.start()
            _wait(ran)
            _end(ran.pid or 0)
            ran.join()
            told.seek(0)
            return _first_red(step, ran.exitcode, told.read())


def _wait(ran: BaseProcess) -> None:
    """Until it has ended, or stands still: then it is told to say where."""
    standstill = Standstill(ran.pid or 0)
    while not multiprocessing.connection.wait([ran.sentinel], 1):
        if standstill.look():
            os.kill(ran.pid or 0, signal.SIGPROF)
            ran.join(5)
            return


def _pytest(folder: Path, arguments: tuple[str, ...], told: Any) -> None:
    _step_into(folder, told, _STEP)
    plain = ["-q", "-x", "-n0", "-rfE", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    sys.path[:] = [str(folder), *(path for path in sys.path if path not in ("", str(TREE)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "snug", "app")]:
        del sys.modules[name]
    sys.exit(pytest.main([*plain, "-p", "tests.mutants.hanging", *arguments]))


def _node(folder: Path, arguments: tuple[str, ...], told: Any) -> None:
    _step_into(folder / "tests/js", told, _SCRIPTS)
    os.execvp("node", ["node", "--test", *arguments])


def _step_into(folder: Path, told: Any, seconds: int) -> None:
    """Makes this process one that runs in the folder, at the head of a group of its own, with so much processor."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    os.chdir(folder)
    os.dup2(told.detach(), 1)
    os.dup2(1, 2)
    os.environ.update(_ENVIRON, PYTHONPATH=str(folder))


def _first_red(step: Step, code: int | None, told: str) -> str:
    if code in (0, 5):  # 5: there was nothing to run
        return ""
    if "file or directory not found" in told:
        raise FileNotFoundError(told)
    if step.program == "node":
        names = re.findall(r"^\s*not ok \d+ - (.+)$", told, re.MULTILINE) or ["?"]
        return f"{' '.join(step.arguments)}: {names[0]}"
    found = _RED.search(told)
    return found[1] if found else f"ended with {code}: {' '.join(told.split()[-30:])}"


def _end(group: int) -> None:
    """What a step has started ends with it."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


@contextmanager
def copies(number: int) -> Iterator[list[Copy]]:
    """So many copies of the tree, for as long as they are needed."""
    with tempfile.TemporaryDirectory(prefix="snug-mutants-", ignore_cleanup_errors=True) as name:
        yield [Copy(Path(name, str(at))) for at in range(number)]
