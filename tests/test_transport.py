"""Sockets taken over from uvicorn, and plain ASGI ones: one conversation; what becomes of slow and dead readers."""

import asyncio
import contextlib
import gc
import json
import socket
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest
from clients import BACK, GUARD_S, THERE, Device
from inside import BUFFER, serving
from websockets.frames import Frame, Opcode

from simplesimon import slow, transport
from simplesimon.following import Following
from simplesimon.followings import Followings
from simplesimon.session import Conversation
from simplesimon.transport import TakeOverProtocol
from simplesimon.wire import framed, payloads


@pytest.fixture(params=[TakeOverProtocol, "websockets-sansio"], ids=["taken over", "plain ASGI"])
async def url(request, store_url) -> AsyncIterator[str]:
    async with serving(store_url, request.param) as (url, _):
        yield url


@pytest.fixture
async def player(url) -> AsyncIterator[Device]:
    async with Device(url) as device:
        await device.me()
        yield device


class Lazy:
    """A spectator that reads only when it is told to, byte by byte as they come."""

    def __init__(self, reader):
        self._reader = reader

    @classmethod
    @contextlib.asynccontextmanager
    async def watching(cls, url, game):
        host, port = url.removeprefix("http://").split(":")
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        raw.connect((host, int(port)))
        reader, writer = await asyncio.open_connection(sock=raw, limit=BUFFER)
        writer.write(
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        lazy = cls(reader)
        watch = json.dumps({"t": "watch", "g": game}).encode()
        writer.write(Frame(Opcode.TEXT, watch).serialize(mask=True))
        try:
            yield lazy
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def next(self):
        """The next message; None when the connection is at its end."""
        head = await self._bytes(2)
        if not head:
            return None
        length = head[1]
        if length == 126:
            length = int.from_bytes(await self._bytes(2), "big")
        payload = await self._bytes(length)
        return json.loads(payload) if head[0] == 0x81 else await self.next()

    async def until(self, t, v):
        """All messages up to that one."""
        heard: list[Any] = []
        while not heard or (heard[-1]["t"], heard[-1].get("v")) != (t, v):
            heard.append(await self.next())
            assert heard[-1], "the connection is at its end"
        return heard

    async def end(self):
        """Returns when the other side has cut the connection."""
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(GUARD_S):  # a ping now and then is no end
                while await self._bytes(1):
                    pass

    async def _bytes(self, count):
        async with asyncio.timeout(GUARD_S):
            try:
                return await self._reader.readexactly(count)
            except asyncio.IncompleteReadError:
                return b""


class Heard:
    """What conversations heard of their sockets: that one takes nothing more (or is gone), that one is gone."""

    def __init__(self):
        self.full, self.gone = asyncio.Event(), asyncio.Event()

    def of(self, monkeypatch, tell, *events):
        """From now on."""

        def told(conversation):
            for event in events:
                event.set()
            tell(conversation)

        monkeypatch.setattr(Conversation, tell.__name__, told)


@pytest.fixture
def heard(monkeypatch):
    heard = Heard()
    heard.of(monkeypatch, Conversation.pause, heard.full)
    heard.of(monkeypatch, Conversation.end, heard.full, heard.gone)
    return heard


async def restart(talk, game, v):
    """It is told as a large state, of the version that is returned."""
    await talk.send("restart", g=game, v=v)
    await talk.until("state", v=v + 1)
    return v + 1


async def fill(talk, game, heard):
    """Restarts until a socket is full, or was cut off for that. Returns the version."""
    v = 1
    async with asyncio.timeout(GUARD_S):
        while not heard.full.is_set():
            v = await restart(talk, game, v)
    return v


async def test_a_whole_conversation(player):
    game = (await player.new_game())["g"]
    talk = await player.watching(game)
    await talk.send("move", g=game, v=1, m=THERE)
    assert (await talk.next())["v"] == 2
    await talk.send("move", g=game, v=2, m=BACK)
    assert (await talk.next())["v"] == 3
    await talk.send("move", g=game, v=3, m=[0, 0, 1])
    assert (await talk.next())["rule"] == "no_such_cards"
    await talk.send("restart", g=game, v=3)
    assert (await talk.next())["mine"] is True
    await talk.send("ping", n=7)
    assert await talk.next() == {"t": "pong", "n": 7}
    await talk.connection.close(4000, "bye")
    assert talk.connection.close_code == 4000


async def test_commands_need_not_wait_for_one_another(player):
    game = (await player.new_game())["g"]
    talk = await player.watching(game)
    for v in range(1, 13):
        await talk.send("move", g=game, v=v, m=THERE if v % 2 else BACK)
    await talk.send("move", g=game, v=13, m=[0, 0, 1])
    heard = await talk.until("refused")
    assert [m["v"] for m in heard if m["t"] == "move"] == list(range(2, 14))
    assert heard[-1]["v"] == 13


async def test_who_does_not_read_gets_one_fresh_state_in_place_of_the_backlog(url, player, heard, monkeypatch):
    for room in (transport, slow):  # however long the moves take, it is not cut off meanwhile
        monkeypatch.setattr(room, "STUCK_S", GUARD_S)
    monkeypatch.setattr(transport.Connection, "end_if_dead", lambda _: None)
    game = (await player.new_game())["g"]
    async with Lazy.watching(url, game) as lazy:
        await lazy.until("synced", 1)
        talk = await player.watching(game)
        v = await fill(talk, game, heard)
        for _ in range(20):
            v = await restart(talk, game, v)
        versions = [message["v"] for message in await lazy.until("state", v) if message["t"] == "state"]
        steps = [after - before for before, after in pairwise(versions)]
        assert sum(step > 1 for step in steps) == 1, steps  # one jump, over what it missed
        await lazy.until("state", await restart(talk, game, v))


async def test_who_never_reads_is_cut_off(url, player, heard, monkeypatch):
    monkeypatch.setattr(transport, "STUCK_S", 0.5)
    monkeypatch.setattr(slow, "STUCK_S", 0.5)
    monkeypatch.setattr(transport.Connection, "end_if_dead", lambda _: None)  # or that cuts it off, later
    game = (await player.new_game())["g"]
    async with Lazy.watching(url, game) as lazy:
        await lazy.until("synced", 1)
        await fill(await player.watching(game), game, heard)
        await asyncio.wait_for(heard.gone.wait(), GUARD_S)  # nothing is read meanwhile
        await lazy.end()


async def test_who_gives_no_sign_of_life_is_cut_off(store_url, monkeypatch):
    monkeypatch.setattr(transport, "PING_EVERY_S", 2)
    monkeypatch.setattr(transport, "PONG_WITHIN_S", 1)
    async with serving(store_url, TakeOverProtocol) as (url, _), Lazy.watching(url, "AAAAAAAAAAAA") as dead:
        await dead.end()


def test_frames_are_taken_apart_for_plain_asgi():
    assert list(payloads(framed(b"a") + framed(b"b" * 300))) == [b"a", b"b" * 300]


async def test_a_socket_that_is_gone_leaves_nothing_of_ours_to_the_collector(store_url):
    async with serving(store_url, TakeOverProtocol) as (url, app), Device(url) as device:
        g = (await device.new_game())["g"]
        gc.collect()  # what other tests left
        gc.disable()
        try:
            for ending in ("close", "abort"):
                socket = await device.watching(g)
                if ending == "close":
                    await socket.connection.close()
                else:
                    socket.connection.transport.abort()
                async with asyncio.timeout(GUARD_S):
                    while app.state.backend.conversations:
                        await device.http.get("/health/live")
            ours = {transport.Connection, Conversation, Followings, Following}
            assert not [kept for kept in gc.get_objects() if type(kept) in ours]
        finally:
            gc.enable()
