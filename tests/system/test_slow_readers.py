"""Fifty spectators of one game, of whom one never reads, and one takes 100 bytes a second: both are cut off, what is
kept for them is bounded, and the others are told every version.

Diffs are small: ten a second would need minutes to fill what the system itself keeps for a socket. So that is made
small at the slow ones, and filled with restarts, each told as a whole state; then the diffs go on, ten a second.
However long that takes here: they may be cut off before all is filled, and what is kept is looked at all the time.
"""

import asyncio
import contextlib
import json
import sys
import time

import pytest
from bytewise import Raw, masked
from clients import BACK, GUARD_S, THERE, Device
from kernel import between
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
FILLING = 200
"""Restarts after the last one of which the system kept more: the server itself takes no more for them then."""
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
        """How late they were told since this was asked for last; None when nothing was to be told."""
        late, self._late_s = sorted(self._late_s), []
        return round(late[len(late) * 99 // 100] * 1000, 1) if late else None


class Slow:
    """A slow one; the most that the system kept for it on the server's side, and when."""

    def __init__(self, server, raw):
        self._ports = int(server.port), raw.port
        self.most, self.grew_at, self.ended_at = 0, time.monotonic(), 0.0

    def look(self):
        """Whether more is kept than ever."""
        side, now = between(*self._ports), time.monotonic()
        if side is None:
            self.ended_at = self.ended_at or now
            return False
        if side.unsent <= self.most:
            return False
        self.most, self.grew_at = side.unsent, now
        return True

    def is_over(self):
        """Whether it was cut off, or too much is kept."""
        return self.ended_at or self.most >= MOST_WAITING

    def cut_off_s(self):
        """How long after it had been full."""
        return round(self.ended_at - self.grew_at, 1)


async def sip(raw):
    """Takes 100 bytes a second."""
    while True:
        await raw.take(10)
        await asyncio.sleep(0.1)  # the fault itself


async def watch(raw, g):
    await raw.ask()
    await raw.granted()
    await raw.send(masked(Opcode.TEXT, json.dumps({"t": "watch", "g": g}).encode()))


async def fill(game, slow):
    """Restarts until no more can be kept for either."""
    since = 0
    while since < FILLING and not all(each.is_over() for each in slow):
        await game.restart()
        grown = [each.look() for each in slow]
        since = 0 if any(grown) else since + 1
    await game.all_told()


async def cut_off(game, slow):
    """Diffs go on until both are."""
    while not all(each.is_over() for each in slow):
        await game.diff()
        for each in slow:
            each.look()


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
        yield Slow(server, never), Slow(server, sips)
        sipping.cancel()


async def test_slow_readers_are_cut_off_and_nobody_waits_for_them(tmp_path):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with watched(server) as game:
            for _ in range(DIFFS):
                await game.diff()
            others, memory_before = {"before": game.p99_ms()}, server.memory
            async with slowly(server, game.g) as slow, asyncio.timeout(2 * GUARD_S):
                await fill(game, slow)
                others["filling"] = game.p99_ms()
                await cut_off(game, slow)
            await game.all_told()
            others["meanwhile"] = game.p99_ms()
            most = [each.most for each in slow]
            held = server.memory - memory_before + sum(most)
    assert min(most) > BUFFER, "one was cut off before anything waited for it"
    assert max(most) < MOST_WAITING
    assert held < MOST_HELD
    cut_off_s = [each.cut_off_s() for each in slow]
    note("two slow readers", cut_off_s=cut_off_s, held_KiB=held // 1024, by_system=most, others_p99_ms=others)
