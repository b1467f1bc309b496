"""A bug in a copy of the tree, and worlds that run there."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

_TREE: Final = Path(__file__).parents[3]
PATCHES: Final = sorted(Path(__file__).parent.glob("*.patch"))
MOST: Final = 500  # seeds in which a bug must be found
_COPIED: Final = ("snug", "app", "migrations", "static", "templates", "tests/simulation", "tests/servers.py")


class Found(NamedTuple):
    """How many seeds it took, 0 where it was not found, and what was broken."""

    name: str
    seeds: int
    broken: str


def copy_tree(folder: Path) -> None:
    """Copies what worlds need to the folder."""
    for name in _COPIED:
        source, target = _TREE / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            # What was compiled comes, too, and is believed where its source is as old; not what is being compiled.
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.pyc.*"))
        else:
            shutil.copyfile(source, target)


def plant(patch: Path, folder: Path, *options: str) -> None:
    """Puts the bug into a copy. Raises CalledProcessError where it does not fit."""
    command = ["patch", "--silent", "--force", "--fuzz=0", "-p1", *options, "--input", str(patch)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def hunt(patch: Path, first: int = 0, most: int = MOST) -> Found:
    """Runs worlds with the bug until one breaks."""
    with tempfile.TemporaryDirectory(prefix="snug-bug-") as name:
        folder = Path(name)
        copy_tree(folder)
        plant(patch, folder)
        command = [sys.executable, "-m", "tests.simulation.world", "--seed", str(first), "--seeds", str(most)]
        environ = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        ran = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
        broken = re.search(r"^ *(\d+) \w{16} .* moves (.+)$", ran.stdout, re.MULTILINE)
        if ran.returncode == 0:
            return Found(patch.stem, 0, "")
        if broken:
            return Found(patch.stem, int(broken[1]) - first + 1, broken[2])
        return Found(patch.stem, 0, (ran.stderr.strip().splitlines() or ["?"])[-1])
