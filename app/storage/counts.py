"""What this process has counted since it began, for whoever measures the room (`app.web.metrics`): plain numbers, so
that counting costs nothing that anybody could feel."""

from bisect import bisect_left
from collections import Counter
from threading import Lock
from typing import Final

UP_TO: Final = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds, by which what takes time is told apart."""


class Times:
    """How long something took, how often: `numbers` by the steps of `UP_TO`, and the sum."""

    def __init__(self) -> None:
        self.numbers = [0] * (len(UP_TO) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Once more."""
        self.numbers[bisect_left(UP_TO, seconds)] += 1
        self.sum += seconds


class Counts:
    """`answers` are by kind and status, `late` is how long after their time bots and clocks were attended. While they
    are not `wanted` nobody's time is taken."""

    def __init__(self) -> None:
        self.wanted = False
        self.moves = self.commits = self.thrown_back = 0
        self.late = Times()
        self.took: dict[str, Times] = {}
        self.answers: Counter[tuple[str, int]] = Counter()
        self._lock = Lock()

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """A request was answered."""
        with self._lock:
            self.answers[kind, status] += 1
            times = self.took.get(kind)
            if times is None:
                times = self.took[kind] = Times()
            times.add(seconds)

    def moved(self) -> None:
        """A move is committed."""
        with self._lock:
            self.moves += 1

    def committed(self, *, fails: bool = False) -> None:
        """A transaction has ended: for good, or thrown back."""
        with self._lock:
            self.thrown_back += fails
            self.commits += not fails

    def attended(self, seconds: float) -> None:
        """Something due was attended so late."""
        with self._lock:
            self.late.add(max(0.0, seconds))


counts: Final = Counts()
