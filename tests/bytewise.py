"""Sockets whose bytes a test writes by itself; what comes is read, and judged, by the library's own parser."""

import asyncio
import contextlib
import json
import logging
import socket
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Self

from clients import GUARD_S
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import CLIENT, OPEN, Protocol


def masked(opcode: Opcode, content: bytes = b"", fin: bool = True, **bits: bool) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, content, fin, **bits).serialize(mask=True)


def short(frame: Frame | None) -> tuple[Opcode, Any]:
    """What a frame says: the number, the code or the kind of a message, the code of a goodbye."""
    assert frame, "the connection is at its end"
    if frame.opcode is Opcode.TEXT:
        message = json.loads(bytes(frame.data))
        return frame.opcode, message.get("n", message.get("code", message["t"]))
    return frame.opcode, Close.parse(frame.data).code if frame.opcode is Opcode.CLOSE else bytes(frame.data)


class Raw:
    """One connection to a server at `url`."""

    def __init__(self, url: str, buffer: int | None) -> None:
        host, port = url.removeprefix("http://").split(":")
        self._host, self._address = url.removeprefix("http://"), (host, int(port))
        self._socket = socket.socket()
        if buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self._parser = Protocol(CLIENT, state=OPEN, logger=logging.getLogger("quiet"))
        self._frames: deque[Frame] = deque()

    @classmethod
    @contextlib.asynccontextmanager
    async def connected(cls, url: str, buffer: int | None = None) -> AsyncIterator[Self]:
        """`buffer`: the bytes that the system keeps here for who does not read."""
        raw = cls(url, buffer)
        with raw._socket:
            raw._socket.connect(raw._address)
            raw._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw._socket.setblocking(False)
            yield raw

    async def ask(self, sid: str = "") -> None:
        """Asks for a socket, for the device that has this cookie."""
        cookie = f"Cookie: sid={sid}\r\n" if sid else ""
        await self.send(
            f"GET /ws HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{cookie}"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    async def granted(self) -> None:
        """The server has said yes."""
        head = b""
        while b"\r\n\r\n" not in head:
            content = await self._bytes()
            assert content, "the connection is at its end"
            head += content
        answer, _, frames = head.partition(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        self._take(frames)

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to be read."""
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        return False

    async def take(self, count: int) -> None:
        """Reads so many bytes, and looks at none."""
        with contextlib.suppress(ConnectionError):
            await asyncio.get_running_loop().sock_recv(self._socket, count)

    async def send(self, content: bytes) -> None:
        """Writes so many bytes; the server may have ended the connection meanwhile."""
        with contextlib.suppress(ConnectionError):
            await asyncio.get_running_loop().sock_sendall(self._socket, content)

    async def frame(self) -> Frame | None:
        """The next frame; None when the connection is at its end."""
        while not self._frames:
            content = await self._bytes()
            if not content:
                return None
            self._take(content)
        return self._frames.popleft()

    def _take(self, content: bytes) -> None:
        self._parser.receive_data(content)
        self._frames += [frame for frame in self._parser.events_received() if isinstance(frame, Frame)]
        assert self._parser.parser_exc is None, self._parser.parser_exc

    async def _bytes(self) -> bytes:
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(GUARD_S):
                return await asyncio.get_running_loop().sock_recv(self._socket, 65536)
        return b""
