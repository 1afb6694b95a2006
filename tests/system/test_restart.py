"""A server that stops and starts again loses nothing: games, undo, sessions, settings. It stops as promised."""

import asyncio

import pytest
from clients import BACK, COLUMNS, THERE, WIN, Device
from servers import Server, serving

from simplesimon import store
from simplesimon.embedded import running

pytestmark = pytest.mark.system


async def test_a_restart_loses_nothing(tmp_path):
    arguments = ("--data-dir", str(tmp_path / "games"), "--no-limits")
    with serving(tmp_path / "words", *arguments) as server:
        async with Device(server.url) as player:
            await player.patch("/api/me", name="Άννα", settings={"theme": "dark"})
            g = (await player.new_game(columns=COLUMNS, visibility="private"))["g"]
            socket = await player.watching(g)
            await socket.play(g, 1, *WIN[:2])
            await socket.ask("undo", g=g, v=3)
            before = [await player.get(path) for path in ("/api/me", f"/api/games/{g}", f"/api/games/{g}/log")]
            sid = player.http.cookies["sid"]
        assert server.stop() == 0
    with serving(tmp_path / "words", *arguments) as server:
        async with Device(server.url) as player:
            player.http.cookies.set("sid", sid)
            assert [await player.get(path) for path in ("/api/me", f"/api/games/{g}", f"/api/games/{g}/log")] == before
            socket = await player.socket()
            assert await socket.watch(g, since=4, c=before[1]["c"]) == [{"t": "synced", "g": g, "v": 4}]
            assert (await socket.ask("redo", g=g, v=4))["m"] == WIN[1]
            assert (await socket.ask("undo", g=g, v=5))["m"] == WIN[1]
            assert (await socket.ask("undo", g=g, v=6))["m"] == WIN[0]
            assert (await player.get(f"/api/games/{g}"))["columns"] == COLUMNS


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_server_that_stops_says_so_on_every_socket(store_url, tmp_path, workers):
    with serving(tmp_path / "words", "--redis-url", store_url, "--workers", workers) as server:
        async with Device(server.url) as device:
            sockets = [await device.socket() for _ in range(4)]
            server.process.terminate()
            assert [await socket.closed() for socket in sockets] == [1012] * 4
        assert server.wait() == 0


async def test_commands_in_hand_are_finished_before_a_server_stops(store_url, client, tmp_path):
    with serving(tmp_path / "words", "--redis-url", store_url) as server:
        async with Device(server.url) as player:
            g = (await player.new_game())["g"]
            socket = await player.watching(g)
            await client.client_pause(60_000, all=False)  # no write is done until the store is told to go on
            try:
                for v, move in enumerate([THERE, BACK, THERE], 1):
                    await socket.send("move", g=g, v=v, m=move)
                assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}
                server.process.terminate()
                async with asyncio.timeout(30):
                    while (await player.http.get("/health/ready")).status_code == 200:
                        pass
                late = await player.http.get("/health/ready")
                assert (late.status_code, late.json()["code"]) == (503, "unavailable")
                assert (await player.http.get("/health/live")).status_code == 200
            finally:
                await client.client_unpause()
            assert [(await socket.next())["v"] for _ in range(3)] == [2, 3, 4]
            assert await socket.closed() == 1012
        assert server.wait() == 0
    assert int(await client.hget(f"{{game:{g}}}", "v")) == 4


async def test_a_restart_while_others_watch_is_caught_up_with_since(store_url, tmp_path, player):
    g = (await player.new_game())["g"]
    playing = await player.watching(g)
    with serving(tmp_path / "words", "--redis-url", store_url) as first:
        async with Device(first.url) as friend:
            watching = await friend.watching(g)
            [told] = await playing.play(g, 1, THERE)
            assert await watching.next() == told
        port = first.port
        assert first.stop() == 0
    missed = await playing.play(g, 2, BACK, THERE)
    with Server(["--port", port, "--redis-url", store_url], tmp_path / "words") as again:
        async with Device(again.url) as friend:
            socket = await friend.socket()
            assert await socket.watch(g, since=2, c=told["c"]) == [*missed, {"t": "synced", "g": g, "v": 4}]
        assert again.stop() == 0


async def test_the_store_of_a_server_is_whole_after_it_stopped(tmp_path):
    with serving(tmp_path / "words", "--data-dir", str(tmp_path / "games")) as server:
        async with Device(server.url) as player:
            g = (await player.new_game())["g"]
    with running(tmp_path / "games") as url:
        async with store.connect(url) as client:
            assert await client.xlen(f"{{game:{g}}}:log") == 1
