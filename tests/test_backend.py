"""A worker's living parts: they end when they are told to, and one that fails begins anew."""

import asyncio

import pytest
from clients import GUARD_S

from simplesimon import tasks
from simplesimon.backend import Backend
from simplesimon.config import Config
from simplesimon.errors import Unavailable
from simplesimon.tasks import end
from simplesimon.trips import run


async def test_a_part_that_did_not_hear_its_end_is_told_again(monkeypatch):
    monkeypatch.setattr(tasks, "_SAY_AGAIN_S", 0.01)
    ended = []

    async def deaf():
        for hearing in (False, True):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:  # as wait_for does with one that comes together with the answer
                if hearing:
                    ended.append("heard")

    task = asyncio.create_task(deaf())
    await asyncio.sleep(0)
    async with asyncio.timeout(GUARD_S):
        await end([task])
    assert (task.done(), ended) == (True, ["heard"])
    await end([])


async def test_a_worker_leaves_no_task_behind(store_url):
    before = asyncio.all_tasks()
    async with Backend(Config(redis_url=store_url)).running():
        assert asyncio.all_tasks() > before
    assert asyncio.all_tasks() == before


async def test_a_worker_that_has_ended_connects_to_its_store_no_more(store_url):
    """Whoever still asks, as a reading does that many wait for: nobody would close that connection."""
    async with Backend(Config(redis_url=store_url)).running() as backend:
        pass
    with pytest.raises(Unavailable):
        await run(backend.client, ("PING",))


class Socket:
    """One that notes how it was closed."""

    def __init__(self):
        self.session = None
        self.code = 0

    def close(self, code, reason):
        self.code = code


async def test_a_worker_that_drains_closes_every_socket_itself(store_url):
    """Before the server does: no command may begin in between."""
    async with Backend(Config(redis_url=store_url)).running() as backend:
        socket = Socket()
        backend.join(socket)
        await backend.drain(1012, 0)
        assert socket.code == 1012
        backend.part(socket)


async def test_a_worker_does_not_start_without_its_store(tmp_path, monkeypatch):
    monkeypatch.setattr("simplesimon.clock.READ_WITHIN_S", 0.05)
    with pytest.raises(Unavailable):
        async with Backend(Config(redis_url=f"unix://{tmp_path}/none.sock")).running():
            pass
