"""Sharp players who think less than they should."""

from concurrent.futures import Future
from typing import Any

from app.services.search_pool import NoThought, SearchPool, TooMuch
from snug.bots.search import Thought
from snug.engine.game import View

POSITIONS = 60


class Quick(SearchPool):
    """They look no farther than a test has time for. `asked` is what they thought about."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, View, int]] = []

    def submit(
        self,
        game_key: str,
        view: View,
        seed: int,
        positions: int | None = None,
        **how: Any,
    ) -> "Future[Thought]":
        """As always, but soon."""
        self.asked.append((game_key, view, seed))
        return super().submit(game_key, view, seed, min(positions or POSITIONS, POSITIONS), **how)


class Busy(SearchPool):
    """They have no time, or something else comes of it all."""

    def __init__(self, came: NoThought | None = None) -> None:
        super().__init__()
        self._came = came or TooMuch()

    def submit(self, *_asked: Any, **_more: Any) -> "Future[Thought]":
        """Nothing comes of it."""
        answer: Future[Thought] = Future()
        answer.set_exception(self._came)
        return answer
