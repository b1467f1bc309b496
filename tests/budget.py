"""What a test may cost, in seconds of processor, its browser and servers included. Never in wall time; and the seconds
are those of a machine on which a fixed loop of work takes as long as it should: it is timed in the same run.

What costs more bears `@pytest.mark.dear(seconds, "why")`; what was dearer when the budget came, and has not been gone
through, stands in `over_budget.txt`, which only gets shorter. A test that seems too dear is run again before it is
called so, since the first one of a kind in a worker pays for what all use; what was is among the last failed."""

import os
import resource
import time
from collections import defaultdict
from collections.abc import Generator
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

LIMITS: Final = {"browser": 4.0, "web": 1.0, "postgres": 0.6, "plain": 0.3}
_LOOP_SECONDS: Final = 0.05
"""What `loop` takes on the machine that the limits are of."""
_AGAIN_SECONDS: Final = 60.0  # how long a timing of the loop is believed
_TICK: Final = os.sysconf("SC_CLK_TCK")
_DEAREST: Final = 10
_QUICK: Final = 1.5
"""What may cost more, and does not say that it is `quick`, takes too long for `make quick`."""
_BUSY: Final = 2.0
"""What is left to a machine on which others work: their use of its caches costs seconds that the loop does not see."""
_LINES: Final = Path(__file__).with_name("over_budget.txt").read_text().splitlines()
_OVER: Final = {name: float(seconds) for seconds, name in (line.split() for line in _LINES)}


def loop() -> float:
    """A fixed piece of work. Returns the seconds of processor that it took."""
    started = time.process_time()
    found: dict[int, str] = {}
    for number in range(560_000):
        found[number * 7919 % 4096] = str(number)
    return time.process_time() - started


def limit_of(item: pytest.Item) -> float:
    """How many seconds of processor this test may take."""
    allowed = _OVER.get(item.nodeid.partition("[")[0], 0.0)
    if dear := item.get_closest_marker("dear"):
        seconds, why = dear.args
        assert why
        return max(allowed, float(seconds))
    if item.get_closest_marker("browser"):
        return max(allowed, LIMITS["browser"])
    if "tests/web/" in item.nodeid:
        return max(allowed, LIMITS["web"])
    return max(allowed, LIMITS["postgres" if item.get_closest_marker("postgres") else "plain"])


def _spent() -> float:
    """Seconds of processor of this process and of whatever it has started."""
    reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + reaped.ru_utime + reaped.ru_stime + sum(map(_spent_by, children("self")))


def children(process: str) -> list[str]:
    """What a process has started, and what has not ended."""
    try:
        threads = Path(f"/proc/{process}/task").iterdir()
        return [child for thread in threads for child in (thread / "children").read_text().split()]
    except OSError:  # it has ended, or this machine tells no such thing
        return []


def _spent_by(process: str) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICK + sum(map(_spent_by, children(process)))


class Budget:
    """Measures every test, tells what was dear, and fails the run for what was too dear."""

    def __init__(self, config: pytest.Config) -> None:
        self._is_kept = not config.getoption("usepdb") and not os.environ.get("COV_CORE_SOURCE")
        self._shared = 0.0  # of a test's seconds, what was for fixtures that others use, too
        self._loop, self._at = loop(), time.monotonic()
        self.costs: dict[str, float] = {}
        self.too_dear: list[str] = []

    def scale(self) -> float:
        """How much dearer than it should be everything may be on this machine now."""
        if time.monotonic() - self._at > _AGAIN_SECONDS:
            self._loop, self._at = loop(), time.monotonic()
        return _BUSY * max(1.0, self._loop / _LOOP_SECONDS)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if limit_of(item) >= _QUICK and not item.get_closest_marker("quick"):
                item.add_marker("slow")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        started = _spent()
        try:
            return (yield)
        finally:
            self._shared += _spent() - started

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        self._shared, started = 0.0, _spent()
        result = yield
        cost = max(0.0, _spent() - started - self._shared)  # a browser that was closed takes its seconds with it
        if self._is_kept and cost > (limit := limit_of(item) * self.scale()):
            self._shared, started = 0.0, _spent()
            item._initrequest()  # type: ignore[attr-defined]
            runtestprotocol(item, log=False, nextitem=nextitem)
            cost = min(cost, _spent() - started - self._shared)
            if cost > limit:
                self.too_dear.append(f"{item.nodeid}: {cost:.1f} s of {limit:.1f}")
        self.costs[item.nodeid] = cost
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        told = getattr(session.config, "workeroutput", None)
        if told is not None:
            told["budget"] = (dict(self.costs), self.too_dear, self._loop)
            return
        if failed := session.config.pluginmanager.get_plugin("lfplugin"):
            failed.lastfailed.update((line.partition(": ")[0], True) for line in self.too_dear)
        if self.too_dear and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        costs, too_dear, took = getattr(node, "workeroutput", {}).get("budget", ({}, [], 0.0))
        self.costs.update(costs)
        self.too_dear.extend(too_dear)
        self._loop = max(self._loop, took)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.costs:
            return
        write, folders = terminalreporter.write_line, defaultdict[str, float](float)
        for name, cost in self.costs.items():
            folders["/".join(name.partition("::")[0].split("/")[:2])] += cost
        terminalreporter.section(
            f"{sum(self.costs.values()):.0f} s of processor in tests; the fixed loop {self._loop / _LOOP_SECONDS:.2f}"
        )
        dearest = itemgetter(1)
        by_cost = sorted(folders.items(), key=dearest, reverse=True)
        write(", ".join(f"{folder} {cost:.0f}" for folder, cost in by_cost if cost >= 1))
        for name, cost in sorted(self.costs.items(), key=dearest, reverse=True)[:_DEAREST]:
            write(f"{cost:6.1f} s  {name}")
        for line in self.too_dear:
            write(f"Too dear: {line}", red=True)
