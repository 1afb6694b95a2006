"""The time of the store: read again and again, since this machine may sleep; a slow answer makes it no worse."""

import asyncio

import pytest
from clients import GUARD_S

from simplesimon import clock as clocks
from simplesimon import embedded, store
from simplesimon.backend import Backend
from simplesimon.clock import StoreClock
from simplesimon.config import Config

NIGHT_MS = 8 * 3_600_000
SLOW_MS = 300


async def slept_and_woke(clock, client):
    """A machine sleeps, and its monotonic clock stands still; returns when the time is right again."""
    before = clock.now()
    clock._ahead_ms -= NIGHT_MS
    async with asyncio.timeout(GUARD_S) as guard:
        while clock.now() < before:
            assert not guard.expired(), "the library can swallow a cancellation"
            await client.ping()


async def test_a_machine_that_slept_is_set_right(client, monkeypatch):
    monkeypatch.setattr(clocks, "READ_EVERY_S", 0.01)
    clock = StoreClock(client)
    await clock.read()
    running = asyncio.create_task(clock.run())
    for _ in range(2):
        await slept_and_woke(clock, client)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_with_each_connection_to_the_store_its_clock_is_read(store_url, client, monkeypatch):
    monkeypatch.setattr(clocks, "READ_EVERY_S", 100 * GUARD_S)
    async with Backend(Config(redis_url=store_url)).running() as backend:
        await slept_and_woke(backend.clock, client)  # before anything is connected


async def test_a_slow_answer_makes_the_time_no_worse(tmp_path):
    with embedded.running(tmp_path) as url:
        async with store.connect(url) as client:
            clock = StoreClock(client)
            await clock.read()
            await client.client_pause(SLOW_MS)
            await clock.read()
            now = clock.now()
            seconds, micros = await client.time()
            assert now <= seconds * 1000 + micros / 1000 + 1
