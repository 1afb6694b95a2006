"""The time of the store, which all processes share: workers' own clocks may be an hour apart."""

import asyncio
import contextlib
import time

from simplesimon.errors import Unavailable
from simplesimon.store import READ_WITHIN_S, Redis, patiently

READ_EVERY_S = 10.0
"""For so long a machine that slept may be behind: its monotonic clock stood still."""


class StoreClock:
    """Milliseconds since 1970 by the store's clock, carried on by this machine's monotonic one between readings."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._ahead_ms = 0.0
        self._read_now = asyncio.Event()

    async def read(self) -> None:
        """Reads the store's clock. Raises Unavailable."""
        least, most = await patiently(lambda _: self._bounds(), READ_WITHIN_S)
        self._ahead_ms = min(max(self._ahead_ms, least), most)  # so a slow answer makes nothing worse that is known

    def doubt(self) -> None:
        """The store may be another one, or time may have passed unseen: `run` reads its clock soon."""
        self._read_now.set()

    async def run(self) -> None:
        """Reads the store's clock again and again, until cancelled."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(READ_EVERY_S):
                    await self._read_now.wait()
            self._read_now.clear()
            with contextlib.suppress(Unavailable):
                await self.read()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return round(time.monotonic() * 1000 + self._ahead_ms)

    async def _bounds(self) -> tuple[float, float]:
        """Between what the store's clock is ahead of this machine's, in ms: it was read at some moment of the trip."""
        before = time.monotonic()
        seconds, micros = await self._client.time()
        read_ms = seconds * 1000 + micros / 1000
        return read_ms - time.monotonic() * 1000, read_ms - before * 1000
