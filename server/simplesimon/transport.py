"""Pre-framed writes under uvicorn: after the handshake the socket is ours. The only file that knows uvicorn's protocol
classes.

uvicorn does the handshake and runs the ASGI application, which may take the connection over (EXTENSION in the scope)
and return. What only the handshake needed is let go of then: scope, headers, queue, task and parser. From there a
connection is a small object that hands each message to a conversation; what came before it was there is read first.
"""

import asyncio
import itertools
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Opcode
from websockets.http11 import Request

from simplesimon.wire import Reader, Violation, closing, control, parse_close, whole_text

EXTENSION = "simplesimon.take_over"
PING_EVERY_S, PONG_WITHIN_S = 20, 15
STUCK_S = 5
"""A socket that has not taken what was written, or has not answered a close, for so long is cut off."""

RESTARTING = 1012


class Listener(Protocol):
    """What hears a connection."""

    def hear(self, text: str | bytes) -> None:
        """A message: text, or bytes of a binary one."""

    def pause(self) -> None:
        """What was written waits: write no more."""

    def resume(self) -> None:
        """All was taken."""

    def end(self) -> None:
        """The connection is gone."""


class Connection(asyncio.Protocol):
    """A socket after its handshake."""

    __slots__ = (
        "_beat",
        "_early",
        "_is_broken",
        "_late_at",
        "_listener",
        "_reader",
        "_siblings",
        "_transport",
        "is_heard",
        "write",
    )

    def __init__(self, transport: asyncio.Transport, beat: "Beat", siblings: set[Any], early: bytes) -> None:
        self.write: Callable[[bytes], None] = transport.write
        self.is_heard = True
        self._transport = transport
        self._beat = beat
        self._siblings = siblings
        self._early = early
        self._listener: Listener
        self._reader: Reader | None = None
        self._is_broken = False
        self._late_at: float | None = (
            None  # since when it owes us something: to take what was written, to answer a close
        )

    def start(self, listener: Listener) -> None:
        """From now on `listener` hears what comes."""
        self._listener = listener
        self._siblings.add(self)
        self._beat.join(self)
        if self._early:
            self.data_received(self._early)
            self._early = b""

    def close(self, code: int, reason: str) -> None:
        """Says goodbye; the socket closes when the other side has answered, or is cut off when it does not."""
        if self._is_open:
            self.write(closing(code, reason))
            self._late_at = self._beat.now
            self._beat.late.add(self)
            self._listener.end()
            self._listener = _NOBODY

    def data_received(self, data: bytes) -> None:
        self.is_heard = True
        if self._is_broken:  # nothing can be read any more, but this may be the answer to our close
            self._transport.close()
            return
        try:
            self._read(data)
        except Violation as error:
            self._is_broken = True
            self.close(error.code, str(error))

    def pause_writing(self) -> None:
        self._late_at = self._beat.now
        self._beat.late.add(self)
        self._listener.pause()

    def resume_writing(self) -> None:
        if self._is_open:
            self._late_at = None
            self._beat.late.discard(self)
            self._listener.resume()

    def connection_lost(self, _: Exception | None) -> None:
        self._beat.leave(self)
        self._siblings.discard(self)
        self._listener.end()
        self._listener = _NOBODY  # it knows us, too: a ring would wait for the collector, which seldom looks at the old

    def shutdown(self) -> None:
        """What the server calls when it stops."""
        self.close(RESTARTING, "the server restarts")

    def ping(self) -> None:
        """Asks for a sign of life."""
        if self._is_open:
            self.is_heard = False
            self.write(_PING)

    def end_if_dead(self) -> None:
        """Cuts off a socket that gave no sign of life since the last ping."""
        if not self.is_heard:
            self._transport.abort()

    def end_if_stuck(self) -> None:
        """Cuts off a socket that owes us something for too long."""
        if self._late_at is not None and self._beat.now - self._late_at > STUCK_S:
            self._transport.abort()

    @property
    def _is_open(self) -> bool:
        return self._listener is not _NOBODY

    def _read(self, data: bytes) -> None:
        if self._reader is None:
            text = whole_text(data)
            if text is not None:
                self._listener.hear(text)
                return
            self._reader = Reader()
        for opcode, message in self._reader.feed(data):
            self._take(opcode, message)
        if self._reader.is_idle:
            self._reader = None

    def _take(self, opcode: Opcode, message: str | bytes) -> None:
        if opcode is Opcode.PING and self._is_open:
            self.write(control(Opcode.PONG, bytes(message)))  # type: ignore[arg-type]
        elif opcode is Opcode.CLOSE:
            self.close(parse_close(bytes(message)), "")  # type: ignore[arg-type]
            self._transport.close()
        elif opcode in (Opcode.TEXT, Opcode.BINARY):
            self._listener.hear(message)


class Beat:
    """The heartbeat of all connections of a process: one timer for all of them, each pinged every 20 seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.late: set[Connection] = set()
        self._slots: list[set[Connection]] = [set() for _ in range(PING_EVERY_S)]
        self._joined = 0

    def join(self, connection: Connection) -> None:
        """From now on the connection is pinged."""
        self._joined += 1
        self._slots[self._joined % PING_EVERY_S].add(connection)

    def leave(self, connection: Connection) -> None:
        """The connection is gone."""
        self.late.discard(connection)
        for slot in self._slots:
            slot.discard(connection)

    async def run(self) -> None:
        """Beats once a second, until cancelled."""
        loop = asyncio.get_running_loop()
        for tick in itertools.count():
            self.now = loop.time()
            for connection in list(self._slots[(tick - PONG_WITHIN_S) % PING_EVERY_S]):
                connection.end_if_dead()
            for connection in list(self._slots[tick % PING_EVERY_S]):
                connection.ping()
            for connection in list(self.late):
                connection.end_if_stuck()
            await asyncio.sleep(1)


class TakeOverProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, whose connection the application may take over after it has accepted it."""

    _early = b""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["extensions"][EXTENSION] = {"take_over": self._take_over}

    def data_received(self, data: bytes) -> None:
        """The request; or what comes before that is answered, which waits: no parser is in a state to read it."""
        if self.handshake_initiated:
            self._early += data
            self.transport.pause_reading()
        else:
            super().data_received(data)

    def _take_over(self, beat: Beat) -> Connection:
        """The connection, which is ours from now on, with what came before it was."""
        self.stop_keepalive()
        transport, self.transport = self.transport, _Nowhere()
        self.connections.discard(self)
        connection = Connection(transport, beat, self.connections, self._early)
        transport.set_protocol(connection)
        if self._early:
            transport.resume_reading()
        return connection


class _Nowhere(asyncio.Transport):
    """What uvicorn closes when the application has returned."""

    def close(self) -> None:
        pass


class _Nobody:
    """Hears what comes after the goodbye."""

    def hear(self, text: str | bytes) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def end(self) -> None: ...


_NOBODY = _Nobody()
_PING = control(Opcode.PING)
