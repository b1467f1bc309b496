"""`make pictures`, in its smallest size: what nothing runs rots."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser


@pytest.mark.dear(8, "a room, a browser and a process of their own")
def test_pictures_are_taken_of_what_is_asked_for(tmp_path: Path, chromium: Browser) -> None:
    wanted = ["lucky_paw-my-turn", "gathering-alone"]
    options = ["--sizes", "390x844", "--themes", "dark", "--port", "0", "--to", str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "tests.pictures", *wanted, *options], check=True, timeout=300)
    assert done.returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "index.html",
        "gathering-alone-390x844-dark.png",
        "lucky_paw-my-turn-390x844-dark.png",
    }
