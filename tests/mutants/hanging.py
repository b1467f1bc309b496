"""What does not end, told by the processor alone: on a busy machine tests take long, and have nothing to do with a bug.
As a plugin of pytest (`-p tests.mutants.hanging`) it ends a test that has used many times what it may use without a bug
(tests/budget.py)."""

import os
import signal
from collections import deque
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.budget import children, limit_of

_OUT: Final = os.dup(1)  # before what tests print is captured
_TIMES: Final = 10
_LEAST: Final = 30.0
"""Seconds of processor that any test may use: the first one of a run pays for what all use."""
_LOOKS: Final = 90
_AT_WORK: Final = 0.1
"""In what part of the looks something is at work that goes on."""


def allowed(item: pytest.Item) -> float:
    """How many seconds of processor a test may use before it is said to hang."""
    return max(_LEAST, _TIMES * limit_of(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    def end(*_: object) -> None:
        os.write(_OUT, f"\nFAILED {item.nodeid} - hangs\n".encode())
        os._exit(pytest.ExitCode.TESTS_FAILED)

    signal.signal(signal.SIGPROF, end)  # sent by whoever sees that it stands still, too
    signal.setitimer(signal.ITIMER_PROF, allowed(item))
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Standstill:
    """Looks at a process and what it has started, about once a second: whether they only ever sleep. Who waits for the
    processor or the disk does not sleep."""

    def __init__(self, process: int, looks: int = _LOOKS) -> None:
        self._process = str(process)
        self._seen = deque[bool](maxlen=looks)

    def look(self) -> bool:
        """Whether they have slept nearly always for as long as one looks back."""
        self._seen.append(_is_at_work(self._process))
        return len(self._seen) == self._seen.maxlen and sum(self._seen) < _AT_WORK * len(self._seen)


def _is_at_work(process: str) -> bool:
    return any(map(_is_awake, Path(f"/proc/{process}/task").glob("*/stat"))) or any(map(_is_at_work, children(process)))


def _is_awake(thread: Path) -> bool:
    try:
        return thread.read_text().rpartition(")")[2].split()[0] in "RD"
    except OSError:  # it has ended
        return True
