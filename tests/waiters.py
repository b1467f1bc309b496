"""How tests wait: for a fact, with patience, or for a table as the polls do."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from app.storage.pubsub import PubSub, Waiter

PATIENCE = 30.0  # seconds


def until(condition: Callable[[], Any]) -> None:
    """Waits until this is so; fails where it never comes to pass."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up, "it never came to pass"
        time.sleep(0.002)


class _Told(Waiter):
    def __init__(self) -> None:
        self.changed: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def woken(self, changed: bool) -> None:
        self.changed.set_result(changed)


async def wait(pubsub: PubSub, slug: str, seen: int, seconds: float) -> bool:
    """Whether the table left version `seen` within so many seconds, or had left it."""
    waiter = _Told()
    if not pubsub.wait(slug, seen, seconds, waiter):
        return True
    try:
        return await waiter.changed
    finally:
        pubsub.leave(waiter)
