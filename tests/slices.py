"""How deep a run goes. What is marked `thorough` is depth: each run takes a tenth of it, which follows from the hash of
the commit, so that ten commits see all of it. `SNUG_SLICE=7` takes that tenth, `SNUG_SLICE=3,4` two of them, and
`SNUG_SLICE=all` everything.

`python -m tests.slices` says which tenth it is."""

import os
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

SLICES = 10
NAME = "SNUG_SLICE"
_Key = TypeVar("_Key")


def chosen() -> frozenset[int]:
    """The tenths that this run takes, each 0 to 9.

    Raises:
        ValueError: for a SNUG_SLICE that names none.
    """
    said = os.environ.get(NAME) or str(_of_commit())
    if said == "all":
        return frozenset(range(SLICES))
    tenths = frozenset(int(part) for part in said.split(","))
    if not tenths <= frozenset(range(SLICES)):
        raise ValueError(f"{NAME} is a number from 0 to {SLICES - 1}, several with commas, or all: {said}")
    return tenths


def one_always(always: _Key, keys: Iterable[_Key]) -> list[_Key | ParameterSet]:
    """Parameters: one in every run, the others as depth."""
    return [key if key == always else pytest.param(key, marks=pytest.mark.thorough) for key in keys]


def _of_commit() -> int:
    """Which tenth the commit's hash names; the first where there is no commit."""
    command = ["git", "rev-parse", "HEAD"]
    told = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return int(told.stdout, 16) % SLICES if told.returncode == 0 else 0


class Slices:
    """Leaves out the depth that other runs see."""

    def __init__(self) -> None:
        self._tenths = chosen()
        self._taken = self._deep = 0
        os.environ[NAME] = ",".join(map(str, sorted(self._tenths)))  # for the workers

    def pytest_report_header(self) -> str:
        return f"depth: {NAME}={os.environ[NAME]} of 0 to {SLICES - 1}"

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Each test function's tests of depth are dealt out to the tenths, beginning with another one."""
        dealt: Counter[str] = Counter()
        taken: list[pytest.Item] = []
        left: list[pytest.Item] = []
        for item in items:
            if item.get_closest_marker("thorough") is None:
                taken.append(item)
                continue
            name = item.nodeid.partition("[")[0]
            tenth = (zlib.crc32(name.encode()) + dealt[name]) % SLICES
            dealt[name] += 1
            (taken if tenth in self._tenths else left).append(item)
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = taken


if __name__ == "__main__":
    print(*sorted(chosen()), sep=",")
