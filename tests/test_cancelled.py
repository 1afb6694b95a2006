"""Sockets are cut, requests are aborted at random moments: nobody gets another's answer, and nothing stays in use."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from clients import BACK, GUARD_S, THERE, Device
from inside import serving
from system.rounds import SOAK_S, seed

from simplesimon.transport import TakeOverProtocol

CUT = 3000 if SOAK_S else 300
AT_ONCE = 10
MOMENT_S = 0.01
"""The longest that one who will be cut is let talk: about what an answer takes."""


@pytest.fixture(params=[TakeOverProtocol, "websockets-sansio"], ids=["taken over", "plain ASGI"])
async def inside(request, store_url) -> AsyncIterator[tuple[str, Any]]:
    async with serving(store_url, request.param) as inside:
        yield inside


async def cut_off(url, sid, g, chances):
    """Asks for something, and goes at any moment."""
    host, port = url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    asked, body = chances.choice(
        [
            ("GET /api/me", ""),
            (f"GET /api/games/{g}", ""),
            ("PATCH /api/me", '{"settings":{"theme":"dark"}}'),
            ("GET /api/me/games", ""),
            (f"PATCH /api/games/{g}", '{"visibility":"unlisted"}'),
        ]
    )
    head = f"{asked} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: sid={sid}\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write((head + body).encode())
    await asyncio.sleep(chances.uniform(0, MOMENT_S))  # the moment is what is tried
    writer.transport.abort()


async def cut_off_playing(device, g, chances):
    """Plays, and goes before the answers."""
    socket = await device.socket()
    await socket.send("watch", g=g)
    v = (await device.get(f"/api/games/{g}"))["v"]
    for ahead in range(chances.randint(1, 4)):
        await socket.send("move", g=g, v=v + ahead, m=THERE if (v + ahead) % 2 else BACK)
    await asyncio.sleep(chances.uniform(0, MOMENT_S))
    socket.connection.transport.abort()


class Cutting:
    """Two players; many who ask in their names are cut off, while both ask for what is theirs."""

    def __init__(self, url, devices):
        print("seed", used := seed())
        self.url, self.devices, self.chances = url, devices, random.Random(used)
        self.left = CUT

    async def go_on_cutting(self, games):
        while self.left > 0:
            self.left -= 1
            number = self.chances.randrange(2)
            device = self.devices[number]
            if self.chances.random() < 0.5:
                await cut_off(self.url, device.http.cookies["sid"], games[number], self.chances)
            else:
                await cut_off_playing(device, games[number], self.chances)

    async def go_on_asking(self, device, game):
        me = (await device.me())["player"]
        while self.left > 0:
            assert (await device.me())["player"] == me
            assert (await device.get(f"/api/games/{game}"))["g"] == game


async def test_what_is_cut_off_leaves_no_answer_to_another_and_nothing_in_use(inside):
    url, app = inside
    async with Device(url) as one, Device(url) as other:
        games = [(await device.new_game())["g"] for device in (one, other)]
        await one.watching(games[0])
        backend = app.state.backend
        in_use = backend.client.connection_pool._in_use_connections
        before = len(in_use)
        cutting = Cutting(url, (one, other))
        asking = [cutting.go_on_asking(*pair) for pair in zip(cutting.devices, games, strict=True)]
        await asyncio.gather(*(cutting.go_on_cutting(games) for _ in range(AT_ONCE)), *asking)
        async with asyncio.timeout(GUARD_S):
            while len(in_use) != before or len(backend.conversations) != 1:
                await one.get("/health/live")
        for device, game in zip(cutting.devices, games, strict=True):
            events = (await device.get(f"/api/games/{game}/log"))["events"]
            assert [event["v"] for event in events] == list(range(1, len(events) + 1))
        assert backend.in_hand.failed == backend.reading.failed == 0


@pytest.mark.parametrize("origin", [b"http://here", b"http://elsewhere"], ids=["accepted", "refused"])
async def test_who_is_gone_before_a_handshake_is_answered_is_nobody(inside, origin):
    url, app = inside
    async with Device(url) as device:
        await device.get("/health/ready")

    async def receive():
        return {"type": "websocket.connect"}

    async def send(_):
        raise OSError("nobody is there")

    scope: dict[str, Any] = {"type": "websocket", "path": "/ws", "headers": [(b"host", b"here"), (b"origin", origin)]}
    scope |= {"query_string": b"", "subprotocols": [], "client": ("127.0.0.1", 1), "scheme": "ws", "root_path": ""}
    await app(scope | {"extensions": {"websocket.http.response": {}}}, receive, send)
    backend = app.state.backend
    assert (backend.conversations, backend.gate._held) == ({}, {})
