"""Worlds from a number: the same number is the same world on every machine, and nothing breaks in any of them.

More of them than here: `python -m tests.simulation.world --seeds 10000`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.bugs.planting import PATCHES, copy_tree, hunt, plant

pytestmark = [pytest.mark.slow, pytest.mark.dear(60, "whole rooms with people in them, over days")]

WORLDS = 3  # at a time
TREE = Path(__file__).parents[2]
QUICKLY_FOUND = ("02", "37")
WHERE = {
    "01": 1,
    "02": 0,
    "03": 0,
    "04": 2,
    "05": 0,
    "06": 5,
    "07": 37,
    "08": 12,
    "09": 10,
    "10": 8,
    "11": 5,
    "12": 4,
    "13": 0,
    "14": 4,
    "15": 4,
    "16": 198,
    "17": 8,
    "18": 1,
    "19": 21,
    "21": 37,
    "30": 0,
    "31": 0,
    "37": 3,
}
"""A world in which each bug is found. As the room changes, it is another one: the first from a number on says
`python -m tests.simulation.bugs 09 --seed 0`, for the bugs that are not here, too."""


def worlds(*arguments: str, hash_seed: int = 0) -> subprocess.CompletedProcess[str]:
    """What the command says; a process of its own, whose time and chance belong to the worlds."""
    environ = {**os.environ, "PYTHONPATH": str(TREE), "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-m", "tests.simulation.world", *arguments]
    return subprocess.run(command, cwd=TREE, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(20))
def test_nothing_breaks_in_any_world(part: int) -> None:
    ran = worlds("--seed", str(part * WORLDS), "--seeds", str(WORLDS))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    print(ran.stdout)


def test_a_number_is_one_world_whatever_the_process() -> None:
    one, other = (worlds("--seed", "3", "--trace", hash_seed=seed) for seed in (1, 2))
    told, told_again = (ran.stdout.rpartition("worlds in")[0] for ran in (one, other))
    assert len(told) > 10_000, one.stderr
    assert told == told_again


def test_every_planted_bug_still_fits_the_code(tmp_path: Path) -> None:
    assert len(PATCHES) >= 30
    copy_tree(tmp_path)
    for patch in PATCHES:
        plant(patch, tmp_path, "--dry-run")


@pytest.mark.dear(90, "worlds one after the other, until one shows the bug")
@pytest.mark.parametrize(
    "bug", [bug if bug in QUICKLY_FOUND else pytest.param(bug, marks=pytest.mark.thorough) for bug in WHERE]
)
def test_a_planted_bug_is_found(bug: str) -> None:
    (patch,) = (patch for patch in PATCHES if patch.stem.startswith(bug))
    found = hunt(patch, WHERE[bug])
    assert found.seeds, found.broken
    print(found)
