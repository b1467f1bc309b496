"""What browsers' scripts do by the clock and by their own wits: each runs under Node, on a page without a browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

_HERE = Path(__file__).parent / "js"


@pytest.mark.dear(6, "some hundred tests")
@pytest.mark.always
def test_the_scripts_keep_their_pace_and_their_promises() -> None:
    if not shutil.which("node") or not (_HERE / "node_modules/jsdom").is_dir():
        pytest.skip("The scripts' own tests were skipped: apt install nodejs npm, npm ci --prefix tests/js")
    ran = subprocess.run(
        ["node", "--test-reporter=tap", "every.js"], cwd=_HERE, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "\n# pass 0" not in ran.stdout
