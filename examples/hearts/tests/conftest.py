"""Hearts as it is installed beside a room: the wheel is built and unpacked, and its entry point is found."""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import snug.games
import snug.testing.profiles
from snug.bots import levels as bots

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
SOURCE = Path(__file__).parents[1]
sys.path.append(str(SOURCE))


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as the wheel brings it, and with what the wheel says of itself."""
    tree, built, folder = (tmp_path_factory.mktemp(name) for name in ("tree", "built", "site"))
    shutil.copytree(SOURCE, tree, ignore=shutil.ignore_patterns("__pycache__", "tests"), dirs_exist_ok=True)
    subprocess.run([sys.executable, "-c", BUILD, built], cwd=tree, capture_output=True, check=True)
    (wheel,) = built.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module", autouse=True)
def room_knows_hearts(installed: Path) -> Iterator[None]:
    """In these tests, and in no others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(installed)
        _forget()
        yield
    _forget()


def _forget() -> None:
    for found in (snug.games._packages, snug.games._load, bots.steady, bots.thinking_of):
        found.cache_clear()
