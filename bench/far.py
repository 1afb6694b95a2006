"""A way to a server that takes its time: every byte is on its way for as long as it would be on a long line.

The browser's own throttle leaves an open WebSocket alone, so it cannot say how a far server feels.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def far_away(port: int, there_and_back_ms: float) -> Iterator[str]:
    """The address of a server on this machine, as if it were that far away."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    carry = _Way(port, there_and_back_ms / 2000).carry
    listening = asyncio.run_coroutine_threadsafe(asyncio.start_server(carry, "127.0.0.1", 0), loop).result()
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(_end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _end() -> None:
    carrying = asyncio.all_tasks() - {asyncio.current_task()}
    for task in carrying:
        task.cancel()
    await asyncio.gather(*carrying, return_exceptions=True)


class _Way:
    def __init__(self, port: int, delay_s: float) -> None:
        self._port = port
        self._delay_s = delay_s

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
        # a cancelled handler would be written about by the streams; this one only ends
        with suppress(asyncio.CancelledError):
            await asyncio.gather(self._pump(reader, server_writer), self._pump(server_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        later = asyncio.get_running_loop().call_later
        with suppress(ConnectionError):
            while chunk := await reader.read(65536):
                later(self._delay_s, writer.write, chunk)
        later(self._delay_s, writer.close)
