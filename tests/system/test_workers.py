"""Several processes share the games: a player on one, spectators on another."""

import asyncio
import contextlib
import sys
from pathlib import Path

import pytest
from clients import BACK, COLUMNS, THERE, WIN, Device
from kernel import LISTENING, connections
from servers import serving, storing
from system.rounds import all_listen, until

from simplesimon import store

pytestmark = pytest.mark.system


async def test_a_game_is_played_on_one_server_and_watched_on_another(player, limited):
    g = (await player.new_game())["g"]
    playing = await player.watching(g)
    async with Device(limited.url) as friend:
        watching = await friend.watching(g)
        for v, move in enumerate(WIN, 1):
            told = await playing.ask("move", g=g, v=v, m=move)
            assert await watching.next() == told
        assert (await friend.get(f"/api/games/{g}"))["won"]
        log, same = [await device.get(f"/api/games/{g}/log") for device in (player, friend)]
        assert log == same


async def test_a_player_goes_on_with_a_second_device_on_another_server(player, limited):
    g = (await player.new_game())["g"]
    first = await player.watching(g)
    async with Device(limited.url) as phone:
        linked = await phone.post("/api/links", code=(await player.post("/api/me/links"))["code"])
        assert linked["current"] == g
        second = await phone.watching(g)
        for v in range(1, 21):
            turn, other = (first, second) if v % 2 else (second, first)
            told = await turn.ask("move", g=g, v=v, m=THERE if v % 2 else BACK)
            assert (told["v"], await other.next()) == (v + 1, told)


async def test_two_workers_behind_one_port(store_url, tmp_path):
    with serving(tmp_path / "words", "--redis-url", store_url, "--no-limits", "--workers", "2") as server:
        async with Device(server.url) as player, Device(server.url) as friend:
            g = (await player.new_game(columns=COLUMNS))["g"]
            playing = await player.watching(g)
            watching = [await friend.watching(g) for _ in range(8)]
            told = await playing.play(g, 1, *WIN)
            for socket in watching:
                assert [await socket.next() for _ in WIN] == told
            await playing.until("watching", n=8)
            assert "simplesimon_sockets 9.0" in (await player.http.get("/metrics")).text
        assert server.stop() == 0


def sockets_of(pid):
    links = []
    for opened in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            links.append(str(opened.readlink()))
    return sum(link.startswith("socket:") for link in links)


def listeners_on(port):
    return sum((one.here, one.state) == (int(port), LISTENING) for one in connections())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all accept from one socket, and who is quick takes most")
async def test_who_comes_at_once_is_spread_over_all_workers(tmp_path):
    with (
        storing(tmp_path) as own,
        serving(tmp_path / "words", "--redis-url", own.url, "--no-limits", "--workers", "2") as server,
    ):
        async with store.connect(own.url) as client, Device(server.url) as player:
            await all_listen(client, 2)
            # one for each worker, and one of all for whoever comes earlier
            await until(lambda: listeners_on(server.port) == 3)
            await player.me()
            before = [sockets_of(pid) for pid in server.workers]
            await asyncio.gather(*(player.socket() for _ in range(300)))
            shares = [sockets_of(pid) - then for pid, then in zip(server.workers, before, strict=True)]
            assert min(shares) > 30, shares  # a third is due to each, and one may have taken the third of all as well


async def test_commands_sent_at_once_to_a_worker_that_has_not_met_the_game_are_done_in_order(player, limited):
    for _ in range(5):
        g = (await player.new_game())["g"]
        async with Device(limited.url) as elsewhere:
            elsewhere.http.cookies = player.http.cookies
            socket = await elsewhere.socket()
            for v in range(1, 13):
                await socket.send("move", g=g, v=v, m=THERE if v % 2 else BACK)
            assert [(await socket.next())["v"] for _ in range(12)] == list(range(2, 14))
