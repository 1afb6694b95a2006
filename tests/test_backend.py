"""A worker's living parts: they end when they are told to, and one that fails begins anew."""

import asyncio

import pytest
from clients import GUARD_S
from logs import new_id, write
from servers import storing
from stories import SORTED

from simplesimon import store, tasks
from simplesimon.backend import Backend
from simplesimon.config import Config
from simplesimon.errors import Unavailable
from simplesimon.eventlog import EventLog
from simplesimon.tasks import end


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


@pytest.mark.parametrize("turns", range(0, 24, 3))
async def test_a_worker_leaves_no_connection_behind(tmp_path, turns):
    with storing(tmp_path) as own:
        async with store.connect(own.url) as client:
            await write(EventLog(client), game := new_id(), [SORTED])
            async with Backend(Config(redis_url=own.url)).running() as backend:
                asking = asyncio.create_task(backend.service.state(game, None))
                for _ in range(turns):  # so far it comes
                    await asyncio.sleep(0)
            await asyncio.wait([asking])
            own_lines = 3  # the library's, and of `trips` one for requests and one for appends
            async with asyncio.timeout(GUARD_S):
                while len(await client.client_list()) > own_lines:
                    pass


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
