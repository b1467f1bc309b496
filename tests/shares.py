"""Which worker runs what, in which order. xdist gives each worker a piece of the list and lets the idle take from the
end of another's: so every piece begins with its share of what is dear, the dearest file first, and ends with what is
quick. As pytest finds them, nearly all browsers would be one worker's, one after the other."""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.budget import limit_of

_DEAR = 1.0
"""Seconds of processor that a test may take (tests/budget.py) from which on it is dealt out."""


class Shares:
    """Orders the tests of a run with several workers."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
        if workers > 1:
            items[:] = in_shares(items, workers)


def in_shares(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The same tests, so that each worker's piece costs about the same; a file that is dear stays in one piece."""
    files: dict[Path, list[pytest.Item]] = defaultdict(list)
    quick: list[pytest.Item] = []
    for item in items:
        (files[item.path] if limit_of(item) > _DEAR else quick).append(item)
    shares: list[list[list[pytest.Item]]] = [[] for _ in range(workers)]
    for file in sorted(files.values(), key=_cost, reverse=True):
        min(shares, key=lambda share: sum(map(_cost, share))).append(file)
    ordered: list[pytest.Item] = []
    for number, share in enumerate(shares):
        share.sort(key=_drives_a_browser, reverse=True)  # it stays open as long as its tests follow each other
        ordered += (item for file in share for item in file)
        left = max(0, len(items) * (number + 1) // workers - len(ordered))
        ordered += quick[:left]
        del quick[:left]
    return ordered


def _cost(file: list[pytest.Item]) -> float:
    return sum(map(limit_of, file))


def _drives_a_browser(file: list[pytest.Item]) -> bool:
    return file[0].get_closest_marker("browser") is not None
