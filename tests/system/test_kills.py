"""kill -9 of a worker, of the parent, of the store: what was acknowledged is there, and the next start works."""

import contextlib
import os
import signal

import pytest
import redis
from clients import BACK, THERE, Device
from servers import Server, freeze, serving
from system.rounds import gone
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.system


def store_of(data_dir):
    """The process id of a server's own store."""
    with redis.Redis.from_url(f"unix://{data_dir}/store.sock") as store:
        return store.info("server")["process_id"]


async def play_on(player, g, socket=None):
    """One more move, from whatever version the game is at."""
    v = (await player.get(f"/api/games/{g}"))["v"]
    socket = socket or await player.watching(g)
    answer = await socket.ask("move", g=g, v=v, m=THERE if v % 2 else BACK)
    assert (answer["t"], answer["v"]) == ("move", v + 1)
    return answer["v"]


async def lost(socket):
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.hear()


async def test_a_worker_that_is_killed_is_replaced_and_nothing_is_lost(store_url, tmp_path):
    with serving(tmp_path / "words", "--redis-url", store_url, "--no-limits", "--workers", "2") as server:
        async with Device(server.url) as player:
            g = (await player.new_game())["g"]
            socket = await player.watching(g)
            await play_on(player, g, socket)
            for pid in (victims := server.workers):
                os.kill(pid, signal.SIGKILL)
            await lost(socket)
            await gone(victims)
            await player.http.aclose()
        async with Device(server.url) as again:
            again.http.cookies.set("sid", player.http.cookies["sid"])
            assert (await again.get(f"/api/games/{g}"))["v"] == 2
            assert await play_on(again, g) == 3
        assert server.stop() == 0


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_after_the_parent_was_killed_the_next_start_works_on_the_same_games_and_port(tmp_path, workers):
    arguments = ["--data-dir", str(tmp_path / "games"), "--no-limits", "--workers", workers]
    port, sid, g = "0", "", ""
    for life in range(2):
        with Server(["--port", port, *arguments], tmp_path / "words") as server:
            async with Device(server.url) as player:
                player.http.cookies.set("sid", sid) if sid else await player.me()
                sid = player.http.cookies["sid"]
                g = g or (await player.new_game())["g"]
                assert await play_on(player, g) == life + 2
                port = server.port
                server.kill()
    with serving(tmp_path / "words", *arguments) as last:
        async with Device(last.url) as player:
            assert (await player.get(f"/api/games/{g}"))["v"] == 3


async def test_after_parent_and_store_were_killed_at_once_the_next_start_works(tmp_path):
    arguments = ["--data-dir", str(tmp_path / "games"), "--no-limits"]
    with Server(["--port", "0", *arguments], tmp_path / "words") as server:
        async with Device(server.url) as player:
            g = (await player.new_game())["g"]
            await play_on(player, g)
            pid = store_of(tmp_path / "games")
            server.process.kill()
            os.kill(pid, signal.SIGKILL)
            server.wait()
    with serving(tmp_path / "words", *arguments) as again:
        async with Device(again.url) as player:
            assert (await player.get(f"/api/games/{g}"))["v"] == 2


async def test_the_next_start_waits_for_workers_with_a_command_in_hand_that_their_own_store_cannot_finish(tmp_path):
    arguments = ["--data-dir", str(tmp_path / "games"), "--no-limits", "--workers", "2"]
    with Server(["--port", "0", *arguments], tmp_path / "words") as server:
        async with Device(server.url) as player:
            g = (await player.new_game())["g"]
            socket = await player.watching(g)
            pid = store_of(tmp_path / "games")
            freeze(pid)
            await socket.send("move", g=g, v=1, m=THERE)
            assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}
            freeze(server.process.pid)  # or it starts another store, or wakes this one by its own end
            os.kill(pid, signal.SIGKILL)
            server.process.kill()
            server.wait()
    with Server(["--port", server.port, *arguments], tmp_path / "words") as again:
        async with Device(again.url) as player:
            assert (await player.get(f"/api/games/{g}"))["v"] in (1, 2), "the next store may still finish it, once"
        assert again.stop() == 0


async def test_a_store_that_is_killed_while_serving_loses_nothing_that_was_acknowledged(tmp_path):
    with serving(tmp_path / "words", "--data-dir", str(tmp_path / "games"), "--no-limits") as server:
        async with Device(server.url) as player, Device(server.url) as friend:
            g = (await player.new_game())["g"]
            playing, watching = await player.watching(g), await friend.watching(g)
            version = 1
            for _ in range(3):
                os.kill(store_of(tmp_path / "games"), signal.SIGKILL)
                told = await playing.ask("move", g=g, v=version, m=THERE if version % 2 else BACK)
                assert (told["t"], told["v"]) == ("move", version + 1), "it waits until the store is back"
                version += 1
                assert await watching.next() == told
            log = await player.get(f"/api/games/{g}/log")
            assert [event["v"] for event in log["events"]] == [1, 2, 3, 4]
        assert server.words.count("is started again") == 3
