"""Every kind of store that a URL can name: a cluster, one with a password, one behind TLS."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients import THERE, Device, triple
from servers import serving
from stories import CODE, CODED_WIN
from system.clusters import cluster, free_port, patient, valkey
from system.tls import fronted, secure


@contextlib.asynccontextmanager
async def with_password(folder: Path) -> AsyncIterator[str]:
    port = free_port()
    with (
        valkey(folder / "store", "--port", str(port), "--requirepass", "secret"),
        patient(port, password="secret") as it,
    ):
        it.ping()
        yield f"redis://:secret@127.0.0.1:{port}/0"


@contextlib.asynccontextmanager
async def behind_tls(folder: Path) -> AsyncIterator[str]:
    """A store that is reached through TLS: not every build of one speaks it, so something in front of it does."""
    port, certificate = free_port(), folder / "authority.pem"
    with valkey(folder / "store", "--port", str(port)):
        async with fronted(port, secure("localhost", certificate)) as front:
            yield f"rediss://localhost:{front}/0?ssl_ca_certs={certificate}"


@pytest.fixture(params=[cluster, with_password, behind_tls], ids=lambda kind: kind.__name__)
async def url(request, tmp_path):
    async with request.param(tmp_path) as url:
        yield url


@contextlib.asynccontextmanager
async def two_servers(folder: Path, url: str) -> AsyncIterator[tuple[str, str]]:
    """The addresses of two servers; started and stopped in a thread, so that meanwhile something can be in front of
    the store.
    """
    servers = [serving(folder / name, "--redis-url", url) for name in ("one", "two")]
    started = [await asyncio.to_thread(server.__enter__) for server in servers]
    try:
        yield started[0].url, started[1].url
    finally:
        for server in servers:
            await asyncio.to_thread(server.__exit__, None, None, None)


async def test_play_watch_resume(url, tmp_path):
    async with two_servers(tmp_path, url) as (one, two), Device(one) as player, Device(two) as other:
        games = [(await player.new_game())["g"] for _ in range(4)]
        for game in games:
            spectator = await other.watching(game)
            own = await player.watching(game)
            await own.send("move", g=game, v=1, m=THERE)
            assert [(m["t"], m["v"]) for m in (await own.next(), await spectator.next())] == [("move", 2)] * 2
            await spectator.until("watching", n=1)
        again = await other.socket()
        await again.send("watch", g=games[0], since=1)
        assert [m["t"] for m in await again.until("synced")] == ["move", "synced"]
        assert {row["g"] for row in (await player.get("/api/games"))["games"]} == set(games)
        assert (await player.get("/health/ready"))["durability"] == "fsync"
        code = (await player.post("/api/me/links"))["code"]
        assert (await other.post("/api/links", code=code))["current"] == games[-1]
        own = await other.watching(games[0])
        await own.send("undo", g=games[0], v=2)
        assert (await own.next())["v"] == 3
        assert [event["t"] for event in (await player.get(f"/api/games/{games[0]}/log"))["events"]] == [
            "deal",
            "move",
            "undo",
        ]
        # source and copy lie in different slots of a cluster, as often as not
        copies = [await other.new_game(**{"from": {"g": g, "v": 2}}) for g in games]
        assert [(copy["v"], copy["from"]["g"]) for copy in copies] == [(2, g) for g in games]
        won = (await player.new_game(code=CODE))["g"]
        assert (await other.http.get(f"/api/deals/{CODE}")).status_code == 403, "the other is the same player"
        await (await player.watching(won)).play(won, 1, *map(triple, CODED_WIN))
        assert [row["g"] for row in (await other.get(f"/api/deals/{CODE}"))["games"]] == [won]


async def test_the_lobby_and_a_removed_device(url, tmp_path):
    async with two_servers(tmp_path, url) as (one, two), Device(one) as player, Device(two) as other:
        lobby, follower = await other.socket(), await other.socket()
        assert (await lobby.ask("lobby", on=True))["t"] == "listed"
        by = (await player.me())["player"]["id"]
        assert await follower.ask("lobby", on=True, by=by) == {"t": "listed", "games": []}
        game = (await player.new_game())["g"]
        await lobby.until("game", g=game)
        await follower.until("game", g=game)
        await player.patch(f"/api/games/{game}", visibility="private")
        await lobby.until("unlisted", g=game)
        code = (await player.post("/api/me/links"))["code"]
        await other.post("/api/links", code=code)
        theirs = await other.socket()
        sessions = (await player.get("/api/me/sessions"))["sessions"]
        [removed] = [session["id"] for session in sessions if not session["current"]]
        assert (await player.http.delete(f"/api/me/sessions/{removed}")).status_code == 204
        await theirs.connection.wait_closed()
        assert theirs.connection.close_code == 4501
