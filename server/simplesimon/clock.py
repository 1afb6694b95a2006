"""The time of the store, which all processes share: workers' own clocks may be an hour apart."""

import time

from simplesimon.store import READ_WITHIN_S, Redis, patiently


class StoreClock:
    """Milliseconds since 1970 by the store's clock, carried on by this machine's monotonic one between readings."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._ahead_ms = 0.0

    async def read(self) -> None:
        """Reads the store's clock. Raises Unavailable."""
        before = time.monotonic()
        seconds, micros = await patiently(lambda _: self._client.time(), READ_WITHIN_S)
        halfway = (before + time.monotonic()) / 2
        self._ahead_ms = seconds * 1000 + micros / 1000 - halfway * 1000

    def now(self) -> int:
        """Milliseconds since 1970."""
        return round(time.monotonic() * 1000 + self._ahead_ms)
