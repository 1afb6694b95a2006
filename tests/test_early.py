"""What a client sends before its handshake is answered: it is heard after that, byte by byte as it came."""

import contextlib
import json
import signal

import pytest
from bytewise import Raw, masked
from clients import Device
from inside import serving
from servers import freeze, storing
from websockets.frames import Close, Opcode

from simplesimon.transport import TakeOverProtocol

TEXT, CONT, PING, PONG, CLOSE = Opcode.TEXT, Opcode.CONT, Opcode.PING, Opcode.PONG, Opcode.CLOSE
ASKED = masked(TEXT, b'{"t":"ping","n":1}')
BAD, ANSWERED = (TEXT, "bad_message"), (TEXT, "pong")


@contextlib.contextmanager
def frozen(own):
    """A store that does not answer meanwhile."""
    freeze(own.process.pid)
    try:
        yield
    finally:
        own.process.send_signal(signal.SIGCONT)


def told(frame):
    """A frame in short."""
    if frame.opcode is TEXT:
        message = json.loads(frame.data)
        return TEXT, message.get("code", message["t"])
    return frame.opcode, Close.parse(frame.data).code if frame.opcode is CLOSE else bytes(frame.data)


async def answers(folder, protocol, early, late, count):
    """The first answers to what came before the handshake was answered, each part in a reading, and after that."""
    with storing(folder) as own:
        async with serving(own.url, protocol) as (url, _), Device(url) as device, Raw.connected(url) as raw:
            await device.me()
            with frozen(own):
                await raw.ask(device.http.cookies["sid"])
                for part in early:
                    await device.get("/health/live")  # what was sent before it has been read
                    await raw.send(part)
                await device.get("/health/live")
            await raw.granted()
            await raw.send(late)
            frames = [await raw.frame() for _ in range(1 + count)]
    assert told(frames[0]) == (TEXT, "hello")
    return [told(frame) for frame in frames[1:]]


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
