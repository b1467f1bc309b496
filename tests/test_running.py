"""How the suite itself is run: which depth a run takes, what a test may cost, which worker runs what."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import budget, shares, slices

_ROOT = Path(__file__).parents[1]
_CONFTEST = """
from tests import budget, slices

budget.loop = lambda: 0.05  # however slow this machine is now

def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: depth")
    config.addinivalue_line("markers", "slow: takes long")
    config.addinivalue_line("markers", "always: in every run")
    config.pluginmanager.register(slices.Turns(config))
    config.addinivalue_line("markers", "dear(seconds, why): may cost more")
    config.pluginmanager.register(slices.Slices())
    config.pluginmanager.register(budget.Budget(config))
"""
_TESTS = """
import time
import pytest

RUNS = []

def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1000))

def test_cheap():
    pass

def test_too_dear():
    work(1.5)

def test_dear_at_first():
    RUNS or work(1.5)
    RUNS.append(1)

@pytest.mark.dear(60, "it works for seconds")
def test_honestly_dear():
    work(0.8)

@pytest.mark.thorough
@pytest.mark.parametrize("number", range(20))
def test_deep(number):
    pass

@pytest.mark.thorough(one_in=4)
@pytest.mark.parametrize("number", range(8))
def test_alike(number):
    pass

@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_slow(number):
    pass

@pytest.mark.slow
@pytest.mark.always
def test_slow_always():
    pass
"""

_SLOW = """
import pytest

@pytest.mark.slow
@pytest.mark.parametrize("good", {goods})
def test_it(good):
    assert good
"""


def run(folder: Path, slice_: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(_CONFTEST)
    (folder / "test_some.py").write_text(_TESTS)
    command = [sys.executable, "-m", "pytest", "-v"]
    environ = {**os.environ, "PYTHONPATH": str(_ROOT), slices.NAME: slice_}
    return subprocess.run([*command, *arguments], cwd=folder, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.dear(20, "it runs pytest")
@pytest.mark.parametrize(
    "workers",
    [pytest.param((), id="alone", marks=pytest.mark.thorough), pytest.param(("-n", "2"), id="side by side")],
)
def test_what_is_too_dear_twice_fails_the_run(workers: tuple[str, ...], tmp_path: Path) -> None:
    ran = run(tmp_path, "0", "-k", "dear or cheap", *workers)
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout
    assert "4 passed" in ran.stdout
    (line,) = (line for line in ran.stdout.splitlines() if line.startswith("Too dear"))
    assert "test_too_dear" in line
    again = run(tmp_path, "0", "--last-failed", "--last-failed-no-failures=none", *workers)
    assert again.returncode == pytest.ExitCode.TESTS_FAILED, again.stdout
    assert "1 passed" in again.stdout


@pytest.mark.dear(20, "it runs pytest")
def test_ten_runs_see_all_depth_each_a_tenth_and_three_all_that_is_slow(tmp_path: Path) -> None:
    def seen(kind: str, tenths: str, *named: str) -> set[str]:
        ran = run(tmp_path, tenths, "--collect-only", "-q", *named)
        return set(re.findall(rf"test_{kind}\[\d+\]", ran.stdout))

    deep = [seen("deep", tenths) for tenths in ("3", "0,1,2,4", "5,6,7,8,9")]
    assert [len(one) for one in deep] == [2, 8, 10]
    assert len(set.union(*deep)) == 20
    assert seen("alike", "6") == {"test_alike[2]", "test_alike[6]"}
    assert seen("slow", "7") == {"test_slow[0]", "test_slow[3]"}
    assert len(seen("slow", "7,8,9")) == len(seen("slow", "7", "test_some.py")) == 6


@pytest.mark.dear(20, "it runs pytest")
def test_what_is_asked_for_alone_is_run_and_what_is_always_due_as_well(tmp_path: Path) -> None:
    ran = run(tmp_path, "3", "-k", "alike and 6 or always", "-n", "2", "-p", "no:cacheprovider")
    assert "2 passed" in ran.stdout, ran.stdout


@pytest.mark.dear(20, "it runs pytest")
def test_all_that_was_red_is_run_again(tmp_path: Path) -> None:
    for name, goods in (("first", [1]), ("second", [0, 1, 1, 0])):
        (tmp_path / f"test_{name}.py").write_text(_SLOW.format(goods=goods))
    arguments = ("--ignore", "test_some.py", "-k", "test_it")
    assert "2 failed" in run(tmp_path, "1", *arguments).stdout
    again = run(tmp_path, "1", *arguments, "--last-failed", "--last-failed-no-failures=none")
    assert "2 failed" in again.stdout, again.stdout


def test_what_the_server_does_is_of_its_test(request: pytest.FixtureRequest) -> None:
    without = budget.limit_of(request.node)
    request.node.add_marker("postgres")
    assert budget.limit_of(request.node) == 2 * without


def test_a_slice_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(slices.NAME, "10")
    with pytest.raises(ValueError, match="from 0 to 9"):
        slices.chosen()
    monkeypatch.setenv(slices.NAME, "all")
    assert slices.chosen() == frozenset(range(10))


def test_a_commit_names_its_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(slices.NAME)
    assert len(slices.chosen()) == 1
    assert slices.chosen() == slices.chosen()


def _item(file: str, seconds: float = 0.0) -> Any:
    def mark(name: str) -> object:
        return SimpleNamespace(args=(seconds, "why")) if name == "dear" and seconds else None

    return SimpleNamespace(path=Path(file), nodeid=f"{file}::test", get_closest_marker=mark)


def test_each_worker_begins_with_its_share_of_what_is_dear() -> None:
    items = [_item("a.py", 9.0), _item("a.py", 9.0), _item("b.py", 5.0), *(_item("c.py") for _ in range(6))]
    items += [_item("d.py", 8.0)]
    ordered = shares.in_shares(items, 2)
    assert sorted(map(id, ordered)) == sorted(map(id, items))
    assert [item.path.name for item in ordered] == ["a.py", "a.py", *["c.py"] * 3, "d.py", "b.py", *["c.py"] * 3]


def test_what_is_all_dear_is_dealt_out_too() -> None:
    items = [_item("a.py", 9.0) for _ in range(5)] + [_item("b.py", 9.0)]
    assert shares.in_shares(items, 2) == items


@pytest.mark.parametrize(("first", "again", "passes"), [(0, 1, True), (1, 0, True), (1, 1, False)])
def test_what_is_red_twice_fails_ci(first: int, again: int, passes: bool) -> None:
    script = (_ROOT / ".ci/run").read_text()
    ours = re.search(r"^tests\(\) {\n.*?^}\n", script, re.DOTALL | re.MULTILINE)
    assert ours
    assert "step tests || red=$?" in script
    make = f'make() {{ if [[ "$*" == *--last-failed* ]]; then return {again}; fi; return {first}; }}'
    whole = f"set -euo pipefail\n{make}\n{ours[0]}red=0\ntests || red=$?\nexit $red"
    told = subprocess.run(["bash", "-c", whole], capture_output=True, text=True, check=False)
    assert (told.returncode == 0) == passes
    assert ("RED BY CHANCE" in told.stdout) == (bool(first) and passes)
