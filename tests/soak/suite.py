"""The tests that are named behind the promises: how many of each file pass."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from app.web.pages.promises import read
from tests.soak.numbers import Numbers
from tests.soak.promises import PATH, ROOT

SIZE: Final = 1000  # files at most
QUICK: Final = 1
_OWN = "tests/soak/"  # what the other parts do


def files() -> list[str]:
    """Those that are named, the short ones first."""
    named = {test for promise in read(PATH.read_bytes()).promises for test in promise.tests}
    return sorted((test for test in named if not test.startswith(_OWN)), key=lambda test: (ROOT / test).stat().st_size)


def passed(tests: Sequence[str]) -> Counter[str]:
    """Runs them, however long it takes: how many passed in each file. Raises AssertionError, if one fails."""
    with tempfile.TemporaryDirectory(prefix="snug-soak-") as folder:
        report = Path(folder, "report.xml")
        words = ["-m", "pytest", "-q", "-n", str(os.cpu_count()), "--dist", "worksteal", f"--junitxml={report}", *tests]
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        done = subprocess.run([sys.executable, *words], cwd=ROOT, env=surroundings, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-4000:]
        cases = ElementTree.parse(report).iter("testcase")
        names = [case.get("classname", "") + "." for case in cases if case.find("skipped") is None]
    modules = {test: test.removesuffix(".py").replace("/", ".") + "." for test in tests}
    return Counter(test for name in names for test, module in modules.items() if name.startswith(module))


def measure(most: int, end: float = inf) -> Numbers:
    """So many of the files, whatever the time."""
    counted = passed(files()[:most])
    return {"passed": counted.total(), **counted}
