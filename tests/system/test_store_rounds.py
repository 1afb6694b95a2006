"""The store is killed, loses its power, is frozen, cut off, full or locked, while games are played and watched."""

import asyncio
import shutil
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from clients import GUARD_S, Device
from servers import frozen, serving, storing
from system.lateness import LOOKING, lateness, latest
from system.load import playing
from system.power import powering
from system.proxy import proxying
from system.rounds import GAMES, SOAK_S, SPECTATORS, all_listen, report, rounds, seed

from simplesimon import store

pytestmark = pytest.mark.system

FROZEN_S = 30 if SOAK_S else 7
"""Longer than one try of an append waits for its answer."""
MANY, WATCHED = (100, 5) if SOAK_S else (SPECTATORS, GAMES)
"""Spectators, and what each of them watches."""
SWALLOWED_S = 10


async def test_the_store_is_killed_and_comes_back(tmp_path):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with playing([server.url], seed(), GAMES, SPECTATORS) as run:
            first_s = []
            for _ in rounds(3, 10):
                await run.some_moves()
                own.kill()
                await not_ready(server.url)
                back_at = time.monotonic()
                own.start()
                await run.one_more()
                first_s.append(round(time.monotonic() - back_at, 2))
            await run.some_moves()
        assert not run.closes, "the sockets stay"
        report("kill -9 of the store", len(first_s), run, first_acknowledged_s_most=max(first_s))


async def not_ready(url):
    """Returns when a server says so: all that was acknowledged before has been told by then."""
    async with asyncio.timeout(GUARD_S), Device(url) as device:
        while (await device.http.get("/health/ready")).status_code == 200:
            pass


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="the shim that notes what is on disk has to be compiled"
)
@pytest.mark.parametrize("fsync", ["always", "everysec"])
async def test_the_machine_of_the_store_loses_its_power(tmp_path, fsync):
    with powering(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        is_safe = fsync == "always"
        async with (
            store.connect(own.url) as client,
            playing([server.url], seed(), GAMES, SPECTATORS, is_safe=is_safe) as run,
        ):
            struck = lost = 0
            for _ in rounds(4) if is_safe else range(3):
                if lost and not is_safe:
                    break  # once is enough to show that power was cut
                await store.ask(
                    partial(client.config_set, "appendfsync", fsync)
                )  # now that the games themselves are on disk
                await run.some_moves()
                lost += own.cut()
                own.start()
                struck += 1
                await run.some_moves()
        if not is_safe:  # the control run: here something must be lost, or nothing was tried above
            assert lost
            assert {kind for kind, _ in run.found} & {"lost", "fork"}
        report(f"power cut, fsync {fsync}", struck, run)


async def test_the_store_is_frozen(tmp_path):
    with (
        storing(tmp_path) as own,
        serving(tmp_path / "words", "--redis-url", own.url, "--no-limits", how=LOOKING) as server,
    ):
        async with playing([server.url], seed(), GAMES, SPECTATORS) as run:
            struck, looks = 0, await lateness(server.url)
            for _ in rounds(1):
                await run.some_moves()
                with frozen(own.process.pid):
                    await asyncio.sleep(FROZEN_S)  # the fault itself
                struck += 1
                await run.some_moves()
            late_s = latest(looks, await lateness(server.url))
        assert not run.closes, "no healthy socket is closed"
        report(f"store frozen for {FROZEN_S} s", struck, run, loop_late_at_most_s=late_s)


async def test_the_line_to_the_store_cuts_what_it_carries(tmp_path, store_url):
    used = seed()
    with (
        proxying(tmp_path / "way.sock", Path(store_url.removeprefix("unix://")), used) as proxy,
        serving(tmp_path / "words", "--redis-url", proxy.url, "--no-limits") as server,
    ):
        async with playing([server.url], used, GAMES, SPECTATORS) as run:
            proxy.cut_chance = 0.015
            for _ in rounds(10):
                await run.some_moves()
            while proxy.cuts < 10:  # or nothing was tried
                await run.some_moves()
            proxy.cut_chance = 0
        report("line to the store cut, 1.5 % of chunks", proxy.cuts, run)


async def test_the_subscriptions_of_both_servers_are_killed(tmp_path):
    with (
        storing(tmp_path) as own,
        serving(tmp_path / "one", "--redis-url", own.url, "--no-limits") as one,
        serving(tmp_path / "two", "--redis-url", own.url, "--no-limits") as two,
    ):
        async with (
            store.connect(own.url) as client,
            playing([one.url, two.url], seed(), GAMES, MANY, watched=WATCHED) as run,
        ):
            struck = 0
            for times, _ in enumerate(rounds(3, 25), 1):
                await run.some_moves()
                while struck < 2 * times:  # one may be about to give up the connection that it just made
                    await all_listen(client, 2)
                    struck += await client.client_kill_filter(_type="pubsub")
            await run.some_moves()
        assert struck >= 6
        assert not run.closes
        report("subscriptions killed", struck, run, spectators=MANY)


@pytest.mark.skipif(not SOAK_S, reason="it is for its figures: test_store_faults.py and test_feed.py show it in small")
async def test_all_that_is_published_is_swallowed(tmp_path, store_url):
    """Everybody comes to the end all the same, while nothing is heard yet."""
    with (
        proxying(tmp_path / "way.sock", Path(store_url.removeprefix("unix://"))) as proxy,
        serving(tmp_path / "one", "--redis-url", proxy.url, "--no-limits") as one,
        serving(tmp_path / "two", "--redis-url", proxy.url, "--no-limits") as two,
    ):
        async with playing([one.url, two.url], seed(), GAMES, MANY, watched=WATCHED) as run:
            await run.some_moves()
            proxy.swallows = True
            await asyncio.sleep(SWALLOWED_S)  # the fault itself
            await run.some_moves()
        assert proxy.swallowed
        assert not run.closes
        report(f"all that is published swallowed for {SWALLOWED_S} s and more", 1, run, spectators=MANY)


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only there a limit can be put on another process")


@on_linux
async def test_the_disk_of_the_store_is_full(tmp_path):
    """With fsync on every write the store then ends by itself: what was not written was not acknowledged."""
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with playing([server.url], seed(), GAMES, SPECTATORS) as run:
            struck = 0
            for _ in rounds(2):
                await run.some_moves()
                own.fill_disk()
                assert await asyncio.to_thread(own.process.wait, GUARD_S) == 1
                own.start()
                struck += 1
                await run.everybody_moves()
        assert not run.closes
        assert (tmp_path / "own.log").read_text().count("Can't recover from AOF write error") == struck
        report("disk of the store full, fsync always", struck, run)


async def full_disk(own, client):
    """With fsync every second the store lives on, and takes nothing until there is room."""
    await client.config_set("appendfsync", "everysec")
    own.fill_disk()
    await refused(client, "MISCONF")
    own.free_disk()
    async with asyncio.timeout(GUARD_S):
        while (await client.info("persistence"))["aof_last_write_status"] != "ok":
            pass


async def full(own, client):
    await client.config_set("maxmemory", 1)
    await refused(client, "OOM")
    await client.config_set("maxmemory", 0)


async def without_replicas(own, client):
    await client.config_set("min-replicas-to-write", 1)
    await refused(client, "NOREPLICAS")
    await client.config_set("min-replicas-to-write", 0)


async def locked(own, client):
    """A password that the server does not have, and none of its connections lives on."""
    await client.config_set("requirepass", "changed")
    for kind in ("normal", "pubsub"):
        await client.client_kill_filter(_type=kind, skipme=True)
    await refused(client, "NOAUTH")
    await client.config_set("requirepass", "")


async def forgetful(own, client):
    await client.script_flush()


async def refused(client, error):
    """Returns when the store has said so once more."""
    name = f"errorstat_{error}"
    before = (await client.info("errorstats")).get(name)
    async with asyncio.timeout(GUARD_S):
        while (await client.info("errorstats")).get(name) == before:
            pass


FAULTS = [full, pytest.param(full_disk, marks=on_linux), without_replicas, locked, forgetful]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_the_store_takes_nothing_for_a_while(tmp_path, fault):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with store.connect(own.url) as client, playing([server.url], seed(), GAMES, SPECTATORS) as run:
            struck = 0
            for _ in rounds(2):
                await run.some_moves()
                await fault(own, client)
                struck += 1
            await run.some_moves()
        assert not run.closes
        report(f"store {fault.__name__.replace('_', ' ')}", struck, run)
