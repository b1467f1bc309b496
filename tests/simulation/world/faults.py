"""What goes wrong, and where: every kind has its own dice and its own count, so that one can be left out and all
others stay as they were."""

import random
from collections import Counter
from collections.abc import Collection
from typing import Final

KINDS: Final = {
    "statement": 0.0005,  # a worker is killed at a statement: before it begins, in between, before it commits
    "committed": 0.006,  # after the commit, before anybody hears of it
    "answered": 0.004,  # after all that, before the response
    "kill": 0.008,  # between two events, wherever everything is just then
    "stop": 0.003,  # a worker is stopped as it should be, and started again
    "disk": 0.0008,  # a statement fails: the disk is full, or broken
    "commit": 0.01,  # a commit fails like that
    "hiccup": 0.008,  # for seconds every statement does
    "busy": 0.002,  # somebody else holds the file
    "lost": 0.04,  # a request does not arrive
    "unanswered": 0.05,  # its answer does not
    "twice": 0.08,  # it arrives several times
    "late": 0.02,  # a copy of it arrives minutes later
    "leave": 0.04,  # the browser goes away in the middle of it
    "deaf": 0.05,  # hints between workers do not arrive for a while
    "echo": 0.1,  # a hint arrives twice
    "step": 0.01,  # the wall clock is set by up to an hour
    "sleep": 0.01,  # the machine sleeps
    "pile-up": 0.03,  # many things happen in the same moment
}
ALL: Final = frozenset(KINDS)


class Faults:
    """`happens` is asked wherever something may go wrong. Of the `kinds`, what is in `skipped` (kind and number) does
    not happen; nor does anything while it is `calm`."""

    def __init__(
        self, seed: int, kinds: Collection[str] = ALL, skipped: Collection[tuple[str, int]] = (), boost: float = 1.0
    ) -> None:
        self._dice = {kind: random.Random(f"{seed} {kind}") for kind in KINDS}
        self._kinds, self._skipped, self._boost = set(kinds), set(skipped), boost
        self._asked: Counter[str] = Counter()
        self.happened: dict[tuple[str, int], None] = {}
        self.calm = True
        self.injected = 0

    def happens(self, kind: str) -> bool:
        """Whether it goes wrong here."""
        if self.calm or kind not in self._kinds or self._dice[kind].random() >= KINDS[kind] * self._boost:
            return False
        self._asked[kind] += 1
        which = kind, self._asked[kind]
        if which in self._skipped:
            return False
        self.happened[which] = None
        return True

    def dice(self, kind: str) -> random.Random:
        """For how exactly."""
        return self._dice[kind]
