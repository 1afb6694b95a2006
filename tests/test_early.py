"""What a client sends before its handshake is answered: it is heard after that, byte by byte as it came."""

import asyncio

import pytest
from bytewise import Raw, masked, short
from clients import GUARD_S, Device
from inside import serving
from kernel import between
from servers import frozen, storing
from websockets.frames import Close, Opcode

from simplesimon.transport import TakeOverProtocol

TEXT, CONT, PING, PONG, CLOSE = Opcode.TEXT, Opcode.CONT, Opcode.PING, Opcode.PONG, Opcode.CLOSE
ASKED = masked(TEXT, b'{"t":"ping","n":1}')
BAD, ANSWERED = (TEXT, "bad_message"), (TEXT, 1)


async def read(raw, url):
    """Returns when the server has read all that came."""
    port = int(url.rpartition(":")[2])
    async with asyncio.timeout(GUARD_S):
        while (side := between(port, raw.port)) is None or side.unread:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0)


async def answers(folder, protocol, early, late, count):
    """The first answers to what came before the handshake was answered, the first part in a reading, and after that."""
    with storing(folder) as own:
        async with serving(own.url, protocol) as (url, _), Device(url) as device, Raw.connected(url) as raw:
            await device.me()
            with frozen(own.process.pid):
                await raw.ask(device.http.cookies["sid"])
                await read(raw, url)
                await raw.send(early[0])
                await read(raw, url)
                for part in early[1:]:  # no more is read before the handshake is answered
                    await raw.send(part)
                assert raw.is_silent, "the handshake is answered already"
            await raw.granted()
            await raw.send(late)
            frames = [await raw.frame() for _ in range(1 + count)]
    assert short(frames[0]) == (TEXT, "hello")
    return [short(frame) for frame in frames[1:]]


@pytest.mark.parametrize("protocol", [TakeOverProtocol, "websockets-sansio"], ids=["taken over", "plain ASGI"])
async def test_an_early_message_is_answered_also_an_empty_one(tmp_path, protocol):
    early = [masked(TEXT) + masked(Opcode.BINARY) + ASKED]
    assert await answers(tmp_path, protocol, early, ASKED, 4) == [BAD, BAD, ANSWERED, ANSWERED]


@pytest.mark.parametrize(
    ("early", "late", "answered"),
    [
        ([ASKED[:5]], ASKED[5:], [ANSWERED]),
        ([ASKED[:5], ASKED[5:], ASKED], b"", [ANSWERED, ANSWERED]),
        ([masked(TEXT, b'{"t":"pi', fin=False)], masked(CONT, b'ng","n":1}'), [ANSWERED]),
        ([masked(PING, b"early")], b"", [(PONG, b"early")]),
        ([ASKED + masked(CLOSE, Close(1000, "").serialize())], b"", [ANSWERED, (CLOSE, 1000)]),
        ([b"\x0f" * 20], b"", [(CLOSE, 1002)]),
        ([masked(TEXT, b"\xff")], b"", [(CLOSE, 1007)]),
    ],
    ids=["half a frame", "a frame in parts", "half a message", "a ping", "a goodbye", "junk", "no UTF-8"],
)
async def test_whatever_comes_early_is_read_as_if_it_came_late(tmp_path, early, late, answered):
    """Where the connection is taken over; what plain ASGI makes of it is its server's."""
    assert await answers(tmp_path, TakeOverProtocol, early, late, len(answered)) == answered
