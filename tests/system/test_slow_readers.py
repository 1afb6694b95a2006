"""Fifty spectators of one game, of whom one never reads, and one takes 100 bytes a second: both are cut off, what is
kept for them is bounded, and the others are told every version in time.

Diffs are small: ten a second would need minutes to fill what the system itself keeps for a socket. So that is made
small at the slow ones, and filled with restarts, each told as a whole state; then the diffs go on, ten a second.
"""

import asyncio
import contextlib
import json
import os
import sys
import time
from pathlib import Path

import pytest
from bytewise import Raw, masked
from clients import BACK, GUARD_S, THERE, Device
from servers import serving, storing
from system.rounds import SOAK_S, note
from websockets.frames import Opcode

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="only there one can see what the system keeps for a socket"),
]

HEALTHY = 48
DIFFS = 300 if SOAK_S else 10
"""Told before the slow ones come, ten a second."""
DIFF_EVERY_S = 0.1
FILLING = 800
BUFFER = 4096
MOST_WAITING, MOST_HELD = 256 * 2**10, 2 * 2 * 2**20


class Game:
    """A game, who plays it, and when each version was asked for and told."""

    def __init__(self, g, playing, spectators):
        self.g, self._playing, self._spectators = g, playing, spectators
        self.v, self._asked_at, self._late_s = 1, {}, []
        self._told = dict.fromkeys(spectators, 1)
        self._news = asyncio.Event()

    async def diff(self):
        """One more, at the pace of ten a second."""
        await asyncio.sleep(DIFF_EVERY_S)  # the load itself
        await self._ask("move", m=THERE if self.v % 2 else BACK)

    async def restart(self):
        await self._ask("restart")

    async def _ask(self, t, **fields):
        self._asked_at[self.v + 1] = time.monotonic()
        await self._playing.send(t, g=self.g, v=self.v, **fields)
        self.v = (await self._playing.next())["v"]

    @contextlib.asynccontextmanager
    async def followed(self):
        """By all spectators: each is told every version, in order, once, and keeps its socket."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._follow(socket)) for socket in self._spectators]
            yield
            await self.all_told()
            for task in tasks:
                task.cancel()

    async def all_told(self):
        """Returns when everybody has the last version."""
        while set(self._told.values()) != {self.v}:
            self._news.clear()
            await self._news.wait()

    async def _follow(self, socket):
        while True:
            assert (await socket.next())["v"] == self._told[socket] + 1
            self._told[socket] += 1
            self._late_s.append(time.monotonic() - self._asked_at[self._told[socket]])
            self._news.set()

    def p99_ms(self):
        """How late they were told since this was asked for last."""
        late, self._late_s = sorted(self._late_s), []
        return round(late[len(late) * 99 // 100] * 1000, 1)


def waits(server, raw):
    """Bytes that the system keeps on the server's side of an open connection, or None (proc_pid_net(5))."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, here, there, state, queues, *_ = line.split()
        ports = [int(end.rpartition(":")[2], 16) for end in (here, there)]
        if ports == [int(server.port), raw.port] and state == "01":
            return int(queues.partition(":")[0], 16)
    return None


def memory(server):
    """Bytes."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def sip(raw):
    """Takes 100 bytes a second."""
    while True:
        await raw.take(10)
        await asyncio.sleep(0.1)  # the fault itself


async def watch(raw, g):
    await raw.ask()
    await raw.granted()
    await raw.send(masked(Opcode.TEXT, json.dumps({"t": "watch", "g": g}).encode()))


async def gone(server, game, slow):
    """For each slow one: seconds from now until it was cut off, and the most that the system kept for it."""
    began, most, ended = time.monotonic(), [0, 0], [0.0, 0.0]
    while not all(ended):
        for number, raw in enumerate(slow):
            kept = waits(server, raw)
            most[number] = max(most[number], kept or 0)
            if kept is None and not ended[number]:
                ended[number] = round(time.monotonic() - began, 1)
        await game.diff()
    return ended, most


@contextlib.asynccontextmanager
async def watched(server):
    """A game with spectators who keep up."""
    async with Device(server.url) as player, Device(server.url) as friend:
        await player.me()
        g = (await player.new_game())["g"]
        game = Game(g, await player.watching(g), [await friend.watching(g) for _ in range(HEALTHY)])
        async with game.followed():
            yield game


@contextlib.asynccontextmanager
async def slowly(server, g):
    """The one that never reads, and the one that sips."""
    async with Raw.connected(server.url, BUFFER) as never, Raw.connected(server.url, BUFFER) as sips:
        for raw in (never, sips):
            await watch(raw, g)
        sipping = asyncio.create_task(sip(sips))
        yield never, sips
        sipping.cancel()


async def test_slow_readers_are_cut_off_and_nobody_waits_for_them(tmp_path):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with watched(server) as game:
            for _ in range(DIFFS):
                await game.diff()
            before, memory_before = game.p99_ms(), memory(server)
            async with slowly(server, game.g) as slow, asyncio.timeout(GUARD_S):
                for _ in range(FILLING):
                    await game.restart()
                await game.all_told()
                assert max(waits(server, raw) or 0 for raw in slow) < MOST_WAITING
                game.p99_ms()
                ended, most = await gone(server, game, slow)
            meanwhile, held = game.p99_ms(), memory(server) - memory_before + sum(most)
    assert min(most) > BUFFER, "or they were not slow"
    assert held < MOST_HELD
    others = {"before": before, "meanwhile": meanwhile}
    note("two slow readers", cut_off_s=ended, held_KiB=held // 1024, by_system=most, others_p99_ms=others)
