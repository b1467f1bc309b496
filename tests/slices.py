"""How deep a run goes; what it takes follows from the hash of its commit, so that other commits see the rest.

All that is quick is in every run, and of what is slow, or drives a browser, every third test of a folder (tenths 0, 1
and 2 have all of them); who names files gets the whole of them. What is marked `thorough` is depth, of which a run
takes a tenth; of cases with `thorough(one_in=5)` it takes every fifth, and so with `thorough(of="evenings",
one_in=5)` of tests that are alike, wherever they stand. `always` is slow, and taken nevertheless. `SNUG_SLICE=7`
takes what belongs to that tenth, `SNUG_SLICE=3,4` to two of them, and `SNUG_SLICE=all` everything.

`python -m tests.slices` says which tenth it is."""

import os
import subprocess
import zlib
from collections import defaultdict
from pathlib import Path

import pytest

SLICES = 10
NAME = "SNUG_SLICE"
_NAMED = "SNUG_NAMED"  # tells the workers that files were named


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


def _of_commit() -> int:
    """Which tenth the commit's hash names; the first where there is no commit."""
    command = ["git", "rev-parse", "HEAD"]
    told = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return int(told.stdout, 16) % SLICES if told.returncode == 0 else 0


class Turns:
    """Makes depth of what is slow, unless its files were named."""

    def __init__(self, config: pytest.Config) -> None:
        if not hasattr(config, "workerinput"):
            os.environ[_NAMED] = "yes" if config.args_source is pytest.Config.ArgsSource.ARGS else ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if os.environ[_NAMED]:
            return
        for item in items:
            marks = {mark.name for mark in item.iter_markers()}
            if marks & {"slow", "browser"} and not marks & {"always", "thorough"}:
                folder = "/".join(item.nodeid.split("/")[:-1][:2])
                item.add_marker(pytest.mark.thorough(of=folder, one_in=3))


class Slices:
    """Leaves out the depth that other runs see."""

    def __init__(self) -> None:
        self._tenths = chosen()
        os.environ[NAME] = ",".join(map(str, sorted(self._tenths)))  # for the workers

    def pytest_report_header(self) -> str:
        return f"depth: {NAME}={os.environ[NAME]} of 0 to {SLICES - 1}"

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if config.getoption("lf", False):  # only those are collected, and all of them are wanted
            return
        groups: dict[tuple[str, int | None], list[pytest.Item]] = defaultdict(list)
        for item in items:
            if mark := item.get_closest_marker("thorough"):
                of: str = mark.kwargs.get("of", item.nodeid.partition("[")[0])
                groups[of, mark.kwargs.get("one_in")].append(item)
        left = {item for (of, one_in), alike in groups.items() for item in self._left(of, one_in, alike)}
        if left:
            config.hook.pytest_deselected(items=list(left))
            items[:] = [item for item in items if item not in left]

    def _left(self, of: str, one_in: int | None, alike: list[pytest.Item]) -> list[pytest.Item]:
        """Of tests that are alike, those that other runs see. Of what is asked for alone every run has one."""
        first, one_in = (0, min(one_in, len(alike))) if one_in else (zlib.crc32(of.encode()), SLICES)
        taken = {tenth % one_in for tenth in self._tenths}
        return [item for number, item in enumerate(alike, first) if number % one_in not in taken]


if __name__ == "__main__":
    print(*sorted(chosen()), sep=",")
