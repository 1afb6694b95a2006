"""A worker that is told to stop finishes what is in hand first; and one whose parent died stops too.

uvicorn closes sockets before the application hears of the end, so the signal is taken here first and handed on when all
is done.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGINT)

Handler = Callable[[int, FrameType | None], object]


class Drain:
    """Between a signal to stop and the server's own handling of it: `work`."""

    def __init__(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work = work
        self._handlers: dict[signal.Signals, Handler] = {}
        self._draining: asyncio.Task[None] | None = None

    def install(self) -> None:
        """Takes the signals over, in a process where a server has handlers for them."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                asyncio.get_running_loop().add_signal_handler(number, self._on_signal, number)

    def _on_signal(self, number: signal.Signals) -> None:
        if self._draining:
            self._hand_on(number)  # told twice: at once
        else:
            self._draining = asyncio.create_task(self._drain(number))

    async def _drain(self, number: signal.Signals) -> None:
        try:
            await self._work()
        finally:
            self._hand_on(number)

    def _hand_on(self, number: signal.Signals) -> None:
        for taken in self._handlers:
            asyncio.get_running_loop().remove_signal_handler(taken)
            signal.signal(taken, self._handlers[taken])
        self._handlers[number](number, None)


async def end_with_parent() -> None:
    """Stops this worker as soon as the process that started it is gone, so that the next start finds the port free."""
    parent = multiprocessing.parent_process()
    if parent:
        gone, loop = asyncio.Event(), asyncio.get_running_loop()
        loop.add_reader(parent.sentinel, gone.set)
        await gone.wait()
        loop.remove_reader(parent.sentinel)
        os.kill(os.getpid(), signal.SIGTERM)


def is_orphan() -> bool:
    """Whether the process that started this worker is gone."""
    parent = multiprocessing.parent_process()
    return parent is not None and not parent.is_alive()


@contextlib.contextmanager
def silent_if_orphaned() -> Iterator[None]:
    """A worker that cannot start because its parent was killed, and the store with it, has nobody to tell."""
    try:
        yield
    except Exception:
        if is_orphan():
            os._exit(0)
        raise
