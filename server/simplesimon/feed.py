"""What the store tells as it happens: one connection for all games that this process follows.

Pub/sub is at most once and forgets in silence, so what comes here is a hint and the log is the truth: after every new
connection the listener is told to look for what it missed.

A game's channel is a sharded one; in a cluster a plain one, which reaches every node: one connection hears all games,
whatever becomes of the slots.
"""

import asyncio
import contextlib
import logging
import random
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

import redis.exceptions

from simplesimon.errors import Unavailable
from simplesimon.store import LOST, READ_WITHIN_S, Redis, is_cluster, no_answer
from simplesimon.telling import channel, publish

LOBBY = "lobby"
SIGNED_OUT = "signed-out"

PROBE_EVERY_S, BACK_WITHIN_S = 2.0, 5.0

_POLL_S = 1.0
_LONGEST_DELAY_S = 1.0

log = logging.getLogger(__name__)


class Feed:
    """Calls `on_message(channel, content)` for each message, and `on_connected()` after each new connection."""

    def __init__(
        self, client: Redis, on_message: Callable[[str, bytes], None], on_connected: Callable[[], None]
    ) -> None:
        self._client = client
        self._on_message = on_message
        self._on_connected = on_connected
        self._probe = secrets.token_hex(6)  # in the place of a game's id
        self._probed_at = 0.0  # when the last one came back
        # by channel; set once the store has confirmed it
        self._joined: dict[str, asyncio.Event] = {channel(self._probe): asyncio.Event()}
        self._is_cluster = is_cluster(client)
        self._pubsub = client.pubsub()
        self._writing = asyncio.Lock()  # two that subscribe at once would each open a connection

    async def join(self, game_id: str) -> None:
        """Returns once the store has confirmed that the game's messages will come. Raises Unavailable."""
        name = channel(game_id)
        confirmed = self._joined.setdefault(name, asyncio.Event())
        if confirmed.is_set():
            return
        await self._subscribe(name)
        try:
            async with asyncio.timeout(READ_WITHIN_S):
                await confirmed.wait()
        except TimeoutError:
            raise no_answer() from None

    def hears(self, game_id: str) -> bool:
        """Whether the store has confirmed that the game's messages come here."""
        joined = self._joined.get(channel(game_id))
        return joined is not None and joined.is_set()

    async def leave(self, game_id: str) -> None:
        """The game's messages are not wanted any more."""
        if self._joined.pop(channel(game_id), None):
            with contextlib.suppress(*LOST):
                async with self._writing:
                    await (self._pubsub.unsubscribe if self._is_cluster else self._pubsub.sunsubscribe)(
                        channel(game_id)
                    )

    async def publish(self, name: str, content: bytes) -> None:
        """Tells every process, this one too."""
        await self._client.publish(name, content)

    async def run(self) -> None:
        """Listens until cancelled, through every loss of the connection."""
        while True:
            try:
                await self._listen()
            except LOST as error:
                log.warning("the feed from the store broke, connecting again: %s", error)
            for confirmed in self._joined.values():
                confirmed.clear()
            with contextlib.suppress(*LOST):
                await self._pubsub.aclose()
            self._pubsub = self._client.pubsub()
            await asyncio.sleep(random.uniform(0, _LONGEST_DELAY_S))  # noqa: S311 - no secret

    async def probe(self) -> None:
        """Publishes what must come back here, until cancelled."""
        while True:
            with contextlib.suppress(Unavailable):
                await publish(self._client, [(self._probe, b"")])
            await asyncio.sleep(PROBE_EVERY_S)

    async def _listen(self) -> None:
        async with self._writing:
            await self._pubsub.subscribe(LOBBY, SIGNED_OUT)
        for name in list(self._joined):
            await self._subscribe(name)
        self._on_connected()
        self._probed_at = time.monotonic()
        while True:
            message = await self._pubsub.get_message(timeout=_POLL_S)
            if time.monotonic() - self._probed_at > BACK_WITHIN_S:
                raise redis.exceptions.ConnectionError("what was published did not come back")
            if message is not None:
                self._hear(message)

    def _hear(self, message: Mapping[str, Any]) -> None:
        name = message["channel"].decode()
        if name == channel(self._probe) and "subscribe" not in message["type"]:
            self._probed_at = time.monotonic()
        elif message["type"] in ("message", "smessage"):
            self._on_message(name, message["data"])
        elif message["type"] in ("subscribe", "ssubscribe") and name in self._joined:
            if self._joined[name].is_set():
                self._on_connected()  # the library lost the connection, and has another one, without a word
            self._joined[name].set()

    async def _subscribe(self, name: str) -> None:
        with contextlib.suppress(*LOST):  # the next connection subscribes again
            async with self._writing:
                await (self._pubsub.subscribe if self._is_cluster else self._pubsub.ssubscribe)(name)
