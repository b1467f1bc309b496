"""Tests that wait for a table as the polls do."""

import asyncio

from app.storage.pubsub import PubSub, Waiter


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
        pubsub.leave(slug, waiter)
