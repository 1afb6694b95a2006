"""Tasks that are nobody's to await: kept from being forgotten, and their faults from being silent."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")

log = logging.getLogger(__name__)


class Tasks:
    """A set of running tasks; `failed` counts those that ended by a fault of ours."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self.failed = 0

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Begins a piece of work."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)

    def cancel(self) -> None:
        """Asks all of them to end."""
        for task in self._running:
            task.cancel()

    async def wait(self, within_s: float) -> None:
        """Returns when none is left, those that others began included, or the time is up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while self._running:
                    await asyncio.wait(self._running)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception():
            self.failed += 1
            log.error("a task failed", exc_info=task.exception())


def settle(future: asyncio.Future[T], answer: T | Exception) -> None:
    """Gives an answer to whoever still waits for it."""
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
