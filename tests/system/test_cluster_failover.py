"""A cluster while games are played: a primary is killed and its replica takes over, a slot moves to another primary."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from clients import GUARD_S, THERE, Device
from servers import serving
from system.clusters import Cluster, started
from system.load import playing
from system.rounds import SOAK_S, report, rounds, seed, until

from simplesimon.eventlog import channel

pytestmark = pytest.mark.system

GAMES, SPECTATORS = 12, 3


async def killed(them, key):
    old = them.primary_of(key)
    them.processes[old].kill()
    them.processes[old].wait()
    await until(lambda: them.primary_of(key) != old)
    them.start(old)  # as a replica of the one that took over


async def moved(them, key, *, at_once):
    to = next(port for port in them.primaries() if port != them.primary_of(key))
    them.move_slot(key, to, at_once=at_once)
    await until(lambda: them.primary_of(key) == to)


FAULTS: dict[str, Callable[[Cluster, str], Awaitable[None]]] = {
    "primary killed": killed,
    "slot moved key by key": partial(moved, at_once=False),
    "slot moved at once": partial(moved, at_once=True),
}


@contextlib.asynccontextmanager
async def played_on_a_cluster(folder, replicas):
    """The cluster, and a run of games on two servers that wait for so many replicas."""
    with contextlib.ExitStack() as open_:
        them = started(Cluster(folder, open_, 1000), has_replicas=True)
        arguments = ["--redis-url", them.url, "--no-limits", "--replicas", str(replicas)]
        urls = [open_.enter_context(serving(folder / name, *arguments)).url for name in ("one", "two")]
        async with playing(urls, seed(), GAMES, SPECTATORS, is_safe=bool(replicas)) as run:
            yield them, run
        assert not run.closes, "the sockets stay"


async def test_nothing_is_lost_and_every_subscription_lives_when_replicas_are_waited_for(tmp_path):
    async with played_on_a_cluster(tmp_path, 1) as (them, run):
        await run.some_moves()
        games = [channel(g) for g in sorted(run.moved)]
        subscribed = them.subscriptions(games)
        assert subscribed >= len(games)
        struck, gaps = 0, dict.fromkeys(FAULTS, 0.0)
        for number in rounds(len(FAULTS)):
            name = list(FAULTS)[number % len(FAULTS)]
            began = time.monotonic()
            await FAULTS[name](them, run.chances.choice(games))
            await run.everybody_moves()
            gaps[name] = max(gaps[name], round(time.monotonic() - began, 1))
            struck += 1
            await until(lambda: them.subscriptions(games) == subscribed)
            await run.some_moves()
    report(f"cluster, a replica waited for; seconds until all games had moved on: {gaps}", struck, run)


@pytest.mark.skipif(not SOAK_S, reason="the same is tried under sentinels")
async def test_nobody_stays_on_what_a_killed_primary_took_with_it(tmp_path):
    async with played_on_a_cluster(tmp_path, 0) as (them, run):
        await run.some_moves()
        await killed(them, channel(run.chances.choice(sorted(run.moved))))
        await run.everybody_moves()
    # replication waits for nobody: what was acknowledged in its last moment may be gone, and is told as such
    assert {kind for kind, _ in run.found} <= {"lost", "fork", "reordered"}, run.found
    report(f"primary of a cluster killed, no replica waited for ({len(run.found)} found)", 1, run)


async def test_a_cluster_that_is_away_as_a_whole_is_told_and_all_goes_on_when_it_is_back(tmp_path):
    with contextlib.ExitStack() as open_:
        them = started(Cluster(tmp_path, open_, 1000))
        server = open_.enter_context(serving(tmp_path / "words", "--redis-url", them.url, "--no-limits"))
        async with Device(server.url) as player:
            g = (await player.new_game())["g"]
            socket = await player.watching(g)
            for process in them.processes.values():
                process.kill()
                process.wait()
            await socket.send("move", g=g, v=1, m=THERE)
            for path in ("/health/ready", f"/api/games/{g}"):
                refused = await player.http.get(path)
                assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
            for port in list(them.processes):
                them.start(port)
            assert (await socket.next())["v"] == 2, "the move waited"
            async with asyncio.timeout(GUARD_S):
                while (await player.http.get("/health/ready")).status_code != 200:
                    pass
