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

WORLDS = 5  # at a time
TREE = Path(__file__).parents[2]
QUICKLY_FOUND = ("02-", "37-")


def worlds(*arguments: str, hash_seed: int = 0) -> subprocess.CompletedProcess[str]:
    """What the command says; a process of its own, whose time and chance belong to the worlds."""
    environ = {**os.environ, "PYTHONPATH": str(TREE), "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-m", "tests.simulation.world", *arguments]
    return subprocess.run(command, cwd=TREE, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, 21))])
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


@pytest.mark.parametrize(
    "patch",
    [
        patch if patch.stem.startswith(QUICKLY_FOUND) else pytest.param(patch, marks=pytest.mark.thorough)
        for patch in PATCHES
    ],
    ids=lambda patch: patch.stem,
)
def test_a_planted_bug_is_found(patch: Path) -> None:
    found = hunt(patch)
    assert found.seeds, found.broken
    print(found)
