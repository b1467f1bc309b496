"""A setting is told in its declaration and nowhere else: one that is planted there is found wherever settings are."""

import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.dear(20, "a process of its own, which imports and opens the room")
def test_a_setting_that_is_declared_is_in_every_form_sentence_and_rule() -> None:
    inside = ("-m", "pytest", "-q", "-p", "tests.planting", "tests/web/planted_setting.py")
    ran = subprocess.run([sys.executable, *inside], cwd=_ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert "2 passed" in ran.stdout
