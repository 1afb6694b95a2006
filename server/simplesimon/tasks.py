"""Tasks that are nobody's to await: kept from being forgotten, their faults from being silent; and their ends."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")
U = TypeVar("U")
Part = Callable[[], Coroutine[None, None, None]]

_SAY_AGAIN_S = 0.5

log = logging.getLogger(__name__)


class Tasks:
    """A set of running tasks, and of what else is not done yet; `failed` counts those that ended by a fault of ours."""

    def __init__(self) -> None:
        self._running: set[asyncio.Future[None]] = set()
        self.failed = 0

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Begins a piece of work."""
        self.keep(asyncio.create_task(work))

    def keep(self, running: asyncio.Future[None]) -> None:
        """Something that runs already, without a task perhaps."""
        self._running.add(running)
        running.add_done_callback(self._done)

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

    def _done(self, ended: asyncio.Future[None]) -> None:
        self._running.discard(ended)
        if not ended.cancelled() and ended.exception():
            self.failed += 1
            log.error("a task failed", exc_info=ended.exception())


def settle(future: asyncio.Future[T], answer: T | Exception) -> None:
    """Gives an answer to whoever still waits for it."""
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)


async def both(first: Coroutine[None, None, T], second: Coroutine[None, None, U]) -> tuple[T, U]:
    """What both give, awaited at once, with one task where the library's `gather` makes two. When the first one fails
    nobody waits for the second one, which ends by itself: given up, it might take a connection along."""
    task = asyncio.create_task(second)
    task.add_done_callback(look_at)
    try:
        return await first, await task
    except asyncio.CancelledError:
        task.cancel()
        raise


def look_at(task: asyncio.Task[Any]) -> None:
    """Its fault is told to who waits for it; when nobody does any more it is nobody's, and no complaint is written."""
    if not task.cancelled():
        task.exception()


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Ends tasks. The library can swallow a cancellation that comes together with an answer: then it is said again."""
    while tasks:
        for task in tasks:
            task.cancel()
        _, tasks = await asyncio.wait(tasks, timeout=_SAY_AGAIN_S)


async def for_ever(part: Part) -> None:
    """Runs a part of the server; a fault of ours in it is written down, and it begins anew."""
    while True:
        try:
            await part()
        except Exception:
            log.exception("a part of the server failed and begins anew")
            await asyncio.sleep(1)
