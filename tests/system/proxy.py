"""A way to the store that can be made a bad one: it goes mute, or cuts connections in the middle of what they carry."""

import asyncio
import contextlib
import random
import threading
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class Proxy:
    """From the Unix socket `path` to that of a store. It runs in a thread of its own: starting a server blocks ours."""

    def __init__(self, path: Path, store: Path, seed: int = 0) -> None:
        self.cut_chance = 0.0
        """Of each chunk, either way, to be the last of its connection; half of it is still carried."""
        self.cuts = 0
        self.muted = 0
        self.swallows = False
        """From now on what is told to subscribers goes nowhere, and their connections stay open."""
        self.swallowed = 0
        self._path = path
        self._store = store
        self._chances = random.Random(seed)
        self._open: set[_Carrier] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    @property
    def url(self) -> str:
        return f"unix://{self._path}"

    def mute(self) -> None:
        """From now on the connections that there are stay open, and nothing comes back on them."""
        for carrier in list(self._open):
            carrier.is_mute = True

    def start(self) -> None:
        self._thread.start()
        self._server = self._in_thread(asyncio.start_unix_server(self._accept, self._path))

    def stop(self) -> None:
        async def close() -> None:
            self._server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0.01)  # transports close with the turn of the loop that comes next

        self._in_thread(close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def is_cut_now(self) -> bool:
        is_cut = self._chances.random() < self.cut_chance
        self.cuts += is_cut
        return is_cut

    def _in_thread(self, work: Awaitable[T]) -> T:
        async def do() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(do(), self._loop).result()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError), contextlib.closing(writer):
            back, on = await asyncio.open_unix_connection(str(self._store))
            carrier = _Carrier(self)
            self._open.add(carrier)
            ways = [carrier.carry(reader, on), carrier.carry(back, writer, is_answer=True)]
            with contextlib.closing(on):
                await asyncio.wait(map(asyncio.create_task, ways), return_when=asyncio.FIRST_COMPLETED)
            self._open.discard(carrier)


class _Carrier:
    """One connection through the proxy."""

    def __init__(self, proxy: Proxy) -> None:
        self.is_mute = False
        self._is_of_subscriber = False
        self._proxy = proxy

    async def carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool = False
    ) -> None:
        with contextlib.suppress(OSError):
            while content := await reader.read(65536):
                if is_answer and self.is_mute:
                    self._proxy.muted += 1
                    continue
                if is_answer and self._is_of_subscriber and self._proxy.swallows:
                    self._proxy.swallowed += 1
                    continue
                self._is_of_subscriber |= not is_answer and b"SUBSCRIBE" in content
                is_cut = self._proxy.is_cut_now()
                writer.write(content[: len(content) // 2] if is_cut else content)
                await writer.drain()
                if is_cut:
                    return


@contextlib.contextmanager
def proxying(path: Path, store: Path, seed: int = 0) -> Iterator[Proxy]:
    proxy = Proxy(path, store, seed)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()
