"""What waits to be sent on one socket: bounded, and sent by one task, so that a slow reader holds up nobody else."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

FRAMES, BYTES = 64, 256 * 1024
STUCK_S = 5.0
MOST_BYTES = 2 * 1024 * 1024
"""Of all that waits, answers too: enough for the backlogs of many games, which a device asks for when it wakes up."""


class Owner(Protocol):
    """Whose diffs can be dropped, because one fresh state can take their place."""

    def reseed(self) -> None:
        """The diffs were dropped."""


class Stuck(Exception):
    """The other side does not read."""


class Gone(Exception):
    """The other side is not there any more: what `send` raises then."""


class Outbox:
    """Frames in the order they were put. When too many with an owner wait, those are dropped, and the owners are told.

    The rest, answers to what was asked, is never dropped."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Owner | None]] = deque()
        self._bytes = 0
        self._owned, self._owned_bytes = 0, 0
        self._filled = asyncio.Event()

    def put(self, text: str, owner: Owner | None = None) -> None:
        """Puts a frame at the end."""
        self._waiting.append((text, owner))
        self._count(text, owner, 1)
        self._filled.set()
        if self._owned > FRAMES or self._owned_bytes > BYTES:
            self._drop()

    def nudge(self) -> None:
        """Has `on_empty` called, even when nothing waits."""
        self._filled.set()

    async def send_all(self, send: Callable[[str], Awaitable[None]], on_empty: Callable[[], None]) -> None:
        """Sends what comes, until cancelled; calls `on_empty` whenever all was sent. Raises Stuck, or Gone."""
        while True:
            await self._filled.wait()
            while self._waiting:
                if self._bytes > MOST_BYTES:
                    raise Stuck("more answers wait than anybody reads")
                text, owner = self._waiting.popleft()
                self._count(text, owner, -1)
                try:
                    await asyncio.wait_for(send(text), STUCK_S)
                except TimeoutError:
                    raise Stuck(f"nothing was read for {STUCK_S:g} s") from None
            self._filled.clear()
            on_empty()

    def _count(self, text: str, owner: Owner | None, sign: int) -> None:
        self._bytes += sign * len(text)
        if owner:
            self._owned += sign
            self._owned_bytes += sign * len(text)

    def _drop(self) -> None:
        dropped = {id(owner): owner for _, owner in self._waiting if owner}
        self._waiting = deque(item for item in self._waiting if item[1] is None)
        self._bytes -= self._owned_bytes
        self._owned, self._owned_bytes = 0, 0
        for owner in dropped.values():
            owner.reseed()
