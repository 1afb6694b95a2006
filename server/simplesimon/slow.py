"""A connection over plain ASGI, for servers that cannot hand theirs over: the same conversation, with a task to write.

It is slower and larger than `transport`, and does the same.
"""

import asyncio
import contextlib
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect

from simplesimon.messages import Who
from simplesimon.session import Conversation
from simplesimon.transport import STUCK_S
from simplesimon.wire import payloads

FULL_BYTES = 64 * 1024


class SlowConnection:
    """What waits to be sent on a socket, sent by one task."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._conversation: Conversation
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._is_full = False
        self._goodbye: tuple[int, str] | None = None
        self._filled = asyncio.Event()

    def write(self, frames: bytes) -> None:
        """Writes whole frames, after those before."""
        if self._goodbye is None:
            self._waiting.append(frames)
            self._bytes += len(frames)
            self._filled.set()
            if self._bytes > FULL_BYTES and not self._is_full:
                self._is_full = True
                self._conversation.pause()

    def close(self, code: int, reason: str) -> None:
        """Closes, after what was written before."""
        self._goodbye = self._goodbye or (code, reason)
        self._filled.set()

    async def talk(self, conversation: Conversation, player: Who | None) -> None:
        """Talks until either side ends it."""
        self._conversation = conversation
        conversation.start(player)
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._send())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            conversation.end()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            self._conversation.hear(text if text is not None else message["bytes"])

    async def _send(self) -> None:
        # a socket that was closed already, or does not take anything: in any case the end
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            while True:
                await self._filled.wait()
                self._filled.clear()
                while self._waiting:
                    frames = self._waiting.popleft()
                    self._bytes -= len(frames)
                    for payload in payloads(frames):
                        async with asyncio.timeout(STUCK_S):  # wait_for would swallow an end that comes with the answer
                            await self._socket.send_text(payload.decode())
                if self._goodbye:
                    await self._socket.close(*self._goodbye)
                    return
                if self._is_full:
                    self._is_full = False
                    self._conversation.resume()
