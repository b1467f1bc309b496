"""Reviews of matches, made in the background: one at a time, while nobody waits for the thinkers."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from app.services import reviews
from app.services.context import AppContext

_EVERY: Final = 3.0  # seconds between two looks at whether anybody has asked
_log = logging.getLogger(__name__)


class Reviewer:
    """Runs in the event loop, works in a thread of its own."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._stopping = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "reviewer")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to look; goes on with what was begun before a restart."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Keeps what is thought out and ends."""
        self._stopping.set()
        if self._task:
            await self._task
        self._thread.shutdown()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            worked = False
            try:
                worked = await loop.run_in_executor(self._thread, reviews.work, self._context, self._stopping.is_set)
            except Exception:  # whatever it is, there is a next look
                _log.exception("reviews failed; the room goes on")
            if not worked:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), _EVERY)
