"""Workers, the parent, and all at once with the store are killed or told to stop, while games are played."""

import asyncio
import os
import signal
import time

import pytest
from servers import Server, serving, storing
from system.load import playing
from system.rounds import GAMES, SPECTATORS, all_back, all_listen, report, rounds, seed

from simplesimon import store

pytestmark = pytest.mark.system


async def test_a_worker_is_killed(tmp_path):
    with (
        storing(tmp_path) as own,
        serving(tmp_path / "words", "--redis-url", own.url, "--no-limits", "--workers", "2") as server,
    ):
        async with store.connect(own.url) as client, playing([server.url], seed(), GAMES, SPECTATORS) as run:
            struck = 0
            for _ in rounds(4):
                await all_listen(client, 2)
                await run.some_moves()
                victim = run.chances.choice(server.workers)
                os.kill(victim, signal.SIGKILL)
                struck += 1
                await all_back(run, server.url, [victim])
            await run.some_moves()
        assert run.closes, "nobody met it"
        report("kill -9 of a worker", struck, run)


@pytest.mark.parametrize("who", ["the parent", "all at once"])
async def test_the_server_is_killed_with_or_without_its_store_and_starts_again(tmp_path, who):
    arguments = ["--data-dir", str(tmp_path / "games"), "--no-limits", "--workers", "2"]
    server = Server(["--port", "0", *arguments], tmp_path / "words")
    try:
        async with playing([server.url], seed(), GAMES, SPECTATORS) as run:
            struck = 0
            for _ in rounds(2):
                await run.some_moves()
                old = [server.process.pid, *server.children]
                for pid in old if who == "all at once" else old[:1]:
                    os.kill(pid, signal.SIGKILL)
                server.wait()
                struck += 1
                server = await asyncio.to_thread(Server, ["--port", server.port, *arguments], tmp_path / "words")
                await all_back(run, server.url, old)
            await run.some_moves()
        assert run.closes, "nobody met it"
        report(f"kill -9 of {who}", struck, run)
    finally:
        if server.process.poll() is None:
            server.stop()


async def test_two_servers_are_told_to_stop_one_after_the_other_under_load(store_url, tmp_path):
    arguments = ["--redis-url", store_url, "--no-limits"]
    servers = [Server(["--port", "0", *arguments], tmp_path / "words") for _ in range(2)]
    try:
        async with playing([server.url for server in servers], seed(), GAMES, SPECTATORS) as run:
            exits_s = []
            for number in rounds(2, 5):
                await run.some_moves()
                old = servers[number % 2]
                run.urls.remove(old.url)
                told_at = time.monotonic()
                assert await asyncio.to_thread(old.stop) == 0
                exits_s.append(round(time.monotonic() - told_at, 2))
                again = await asyncio.to_thread(Server, ["--port", old.port, *arguments], tmp_path / "words")
                servers[number % 2] = again
                run.urls.append(again.url)
                await run.nobody_lost()
                run.forget_delays()
            await run.some_moves()
        assert set(run.closes) == {1012}, "every socket is told, and no player sees an error"
        assert not set(run.refusals) - {"refused"}, run.refusals
        report("SIGTERM of two servers in turn", len(exits_s), run, exit_s_most=max(exits_s))
    finally:
        for server in servers:
            if server.process.poll() is None:
                server.stop()
