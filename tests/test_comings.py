"""Clients come and go: what they needed goes with them."""

import asyncio
import contextlib
import random
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from clients import BACK, GUARD_S, THERE, Device
from servers import serving, storing
from system.rounds import SOAK_S, note, rounds, seed
from websockets.exceptions import ConnectionClosed

from simplesimon import store

pytestmark = pytest.mark.system

SOCKETS, GAMES = (500, 200) if SOAK_S else (40, 10)
COMINGS_A_SECOND = 5
WARM_S = min(SOAK_S, 120)
"""Until what may be kept of games is full."""
PLAYED = 4
GROWS_BY = 2**20
"""Bytes, at most, once it is warm."""


class Kept(NamedTuple):
    """What a server holds: descriptors that are no connections to its store, tasks, sockets."""

    descriptors: int
    tasks: int
    sockets: int


class House:
    """One server with a store of its own, and who looks at it."""

    def __init__(self, server, client, look):
        self.server, self._client, self._look = server, client, look

    async def kept(self):
        connections = len(await self._client.client_list())
        tasks, sockets = await self._told("tasks"), await self._told("sockets")
        while not tasks:  # it looks once a second, and has not yet
            tasks = await self._told("tasks")
        return Kept(self._descriptors() - connections, tasks, sockets)

    async def _told(self, name):
        lines = (await self._look.http.get("/metrics")).text.splitlines()
        [number] = (line.split()[1] for line in lines if line.startswith(f"simplesimon_{name} "))
        return int(float(number))

    async def comes_to(self, before):
        """Returns when no more is kept than before."""
        now = await self.kept()
        try:
            async with asyncio.timeout(GUARD_S):
                while any(left > was for left, was in zip(now, before, strict=True)):
                    now = await self.kept()
        except TimeoutError:
            raise AssertionError(f"{now} stays, it was {before}") from None

    def _descriptors(self):
        return len(list(Path(f"/proc/{self.server.process.pid}/fd").iterdir()))


async def come_and_go(device, games, chances):
    """Follows and plays a little; then says goodbye, or not."""
    socket = await device.connect()
    mine = chances.sample(games, 3)
    for g in mine:
        await socket.send("watch", g=g)
    await socket.send("lobby", on=True)
    if chances.random() < 0.5:
        await socket.until("synced", g=mine[-1])
        for ahead in range(3):
            await socket.send("move", g=mine[0], v=1 + ahead, m=BACK if ahead % 2 else THERE)
    if chances.random() < 0.5:
        await socket.connection.close()
    else:
        socket.connection.transport.abort()


async def a_round(house, chances):
    """All come, and go."""
    async with Device(house.server.url) as device:
        games = [(await device.new_game())["g"] for _ in range(GAMES)]
        await asyncio.gather(*(come_and_go(device, games, chances) for _ in range(SOCKETS)))


async def test_who_came_and_went_left_nothing_behind(tmp_path):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with store.connect(own.url) as client, Device(server.url) as look:
            house, chances = House(server, client, look), random.Random(seed())
            await a_round(house, chances)  # what is made once is there now
            await house.comes_to(Kept(10**6, 10**6, 0))
            before = await house.kept()
            memory = []
            for _ in rounds(2):
                await a_round(house, chances)
                await house.comes_to(before)
                memory.append(server.memory)
        print({"rounds": len(memory), "sockets": SOCKETS, "MiB": [round(each / 2**20, 1) for each in memory]})


class Guest:
    """Follows some games, plays one of the few that are played, and stays until it is told to go."""

    def __init__(self, device, socket):
        self._device, self._socket = device, socket
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def come(cls, device, games, chances):
        socket = await device.connect()
        for g in (followed := [chances.choice(games[:PLAYED]), *chances.sample(games[PLAYED:], 2)]):
            await socket.send("watch", g=g)
        if chances.random() < 0.2:
            await socket.send("lobby", on=True)
        heard = await socket.until("synced", g=followed[0])
        v = heard[-1]["v"]
        for ahead in range(3):
            await socket.send("move", g=followed[0], v=v + ahead, m=THERE if (v + ahead) % 2 else BACK)
        return cls(device, socket)

    async def go(self, chances):
        """With a word or without."""
        if chances.random() < 0.5:
            await self._socket.connection.close()
        else:
            self._socket.connection.transport.abort()
        await self._listening
        self._device.forget(self._socket)

    async def _listen(self):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self._socket.connection.recv()


async def comings():
    """Seconds since the first one, for each client that comes: as many as asked, five a second; or a few, at once."""
    began = time.monotonic()
    for number in range(int((WARM_S + SOAK_S) * COMINGS_A_SECOND) or SOCKETS):
        since = time.monotonic() - began
        if SOAK_S:
            await asyncio.sleep(max(0, number / COMINGS_A_SECOND - since))
        yield since


async def test_who_comes_and_goes_leaves_nothing_behind_while_others_stay(tmp_path):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with store.connect(own.url) as client, Device(server.url) as look, Device(server.url) as device:
            house, chances = House(server, client, look), random.Random(seed())
            games = [(await device.new_game())["g"] for _ in range(GAMES)]
            await (await Guest.come(device, games, chances)).go(chances)  # what is made once is there now
            await house.comes_to(Kept(10**6, 10**6, 0))
            before = await house.kept()
            there = [await Guest.come(device, games, chances) for _ in range(SOCKETS)]
            came, memory = 0, []
            async for since in comings():
                who = chances.randrange(SOCKETS)
                await there[who].go(chances)
                there[who] = await Guest.come(device, games, chances)
                came += 1
                if since >= WARM_S:
                    memory.append(server.memory)
            for guest in there:
                await guest.go(chances)
            await house.comes_to(before)
        tenth = len(memory) // 10 + 1
        grew = statistics.median(memory[-tenth:]) - statistics.median(memory[:tenth])
        note("clients come and go", came=came, sockets=SOCKETS, MiB=memory[-1] / 2**20, grew_KiB=grew / 2**10)
        assert not SOAK_S or grew <= GROWS_BY
