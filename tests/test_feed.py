"""What the store tells as it happens comes again after the connection died, with a word or without one."""

import asyncio

import pytest
from clients import GUARD_S
from system.proxy import proxying

from simplesimon import feed as feeds
from simplesimon import store
from simplesimon.feed import Feed
from simplesimon.telling import channel, publish

G = "AAAAAAAAAAAA"


class Ears:
    """What a feed told, and how often it was connected anew."""

    def __init__(self, client):
        self.heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self.connected: asyncio.Queue[int] = asyncio.Queue()
        self.feed = Feed(client, lambda *message: self.heard.put_nowait(message), lambda: self.connected.put_nowait(1))
        self.tasks = [asyncio.create_task(part()) for part in (self.feed.run, self.feed.probe)]

    async def next(self, queue):
        return await asyncio.wait_for(queue.get(), GUARD_S)

    async def end(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture
def proxy(store_url, tmp_path):
    with proxying(tmp_path / "way.sock", store_url.removeprefix("unix://")) as proxy:
        yield proxy


@pytest.fixture
async def ears(proxy, monkeypatch):
    monkeypatch.setattr(feeds, "BACK_WITHIN_S", 2 * GUARD_S)  # on a slow machine, too, no connection is given up
    monkeypatch.setattr(feeds, "PROBE_EVERY_S", 0.1)
    async with store.connect(proxy.url) as client:
        ears = Ears(client)
        await ears.next(ears.connected)
        await ears.feed.join(G)
        yield ears
        await ears.end()


async def test_a_connection_that_went_mute_is_replaced(proxy, ears, client, monkeypatch):
    await publish(client, [(G, b"before")])
    assert await ears.next(ears.heard) == (channel(G), b"before")
    proxy.mute()
    await publish(client, [(G, b"to nobody")])
    with monkeypatch.context() as impatient:
        impatient.setattr(feeds, "BACK_WITHIN_S", 1.0)
        await ears.next(ears.connected)  # here all positions are checked
    await asyncio.wait_for(ears.feed._joined[channel(G)].wait(), GUARD_S)
    await publish(client, [(G, b"after")])
    assert await ears.next(ears.heard) == (channel(G), b"after")
    assert proxy.muted, "or nothing was tried"


async def test_a_subscription_that_is_gone_comes_again_without_the_connection_being_lost(ears, client, monkeypatch):
    await ears.feed._pubsub.sunsubscribe()
    with monkeypatch.context() as impatient:
        impatient.setattr(feeds, "BACK_WITHIN_S", 1.0)
        await ears.next(ears.connected)
    await ears.feed.join(G)
    await publish(client, [(G, b"after")])
    assert await ears.next(ears.heard) == (channel(G), b"after")


async def test_a_connection_that_the_library_replaces_is_told(ears, monkeypatch):
    subscription = ears.feed._pubsub
    get_message = subscription.get_message

    async def get_then_lose(**timeout):
        message = await get_message(**timeout)
        monkeypatch.setattr(subscription, "get_message", get_message)
        await subscription.connection.disconnect()  # between two readings, so that neither notices
        return message

    monkeypatch.setattr(subscription, "get_message", get_then_lose)
    await ears.next(ears.connected)
    assert ears.feed._pubsub is subscription, "or our own connecting told it"


async def test_a_probe_is_heard_and_is_nobody_s_to_hear(ears, monkeypatch):
    probed: asyncio.Queue[float] = asyncio.Queue()
    hear = ears.feed._hear

    def count(message):
        hear(message)
        probed.put_nowait(ears.feed._probed_at)

    monkeypatch.setattr(ears.feed, "_hear", count)
    times = [await ears.next(probed) for _ in range(3)]
    assert times == sorted(set(times))
    assert ears.heard.empty()
