"""One worker's living parts, wired:

they start together and stop together. Above it are sockets and HTTP, below it the store.
"""

import asyncio
import contextlib
import logging
import os
import secrets
from collections.abc import AsyncIterator
from functools import partial
from typing import Protocol

import msgspec

from simplesimon import metrics, sentinels, store
from simplesimon.clock import StoreClock
from simplesimon.config import Config
from simplesimon.deals import Deals
from simplesimon.diffs import parse_frame
from simplesimon.errors import SimpleSimonError, Unavailable
from simplesimon.eventlog import EventLog
from simplesimon.feed import LOBBY, SIGNED_OUT, Feed
from simplesimon.following import Following
from simplesimon.hub import Hub
from simplesimon.limits import Gate, Paces, Place
from simplesimon.listing import parse_changes
from simplesimon.lobby import Lobby
from simplesimon.messages import StateMessage, Visibility, Watching
from simplesimon.players import Players, Session
from simplesimon.results import Results
from simplesimon.service import Service
from simplesimon.tasks import Part, Tasks, end, for_ever
from simplesimon.telling import game_of, publish
from simplesimon.transport import Beat
from simplesimon.trips import close
from simplesimon.watching import WatchingCounts

CHECK_EVERY_S = 5.0
ON_ITS_WAY_S = 0.5
"""What the log has for so long, and did not come here, was lost: before, it may be on its way."""
READY_WITHIN_S = 1.0
SIGNED_OUT_CODE = 4501
_SESSIONS_AT_ONCE = 500

log = logging.getLogger(__name__)
_READ_AGAIN = b'{"t":"read-again"}'  # between workers only: this game is not what it was, beside its log
_watching = msgspec.json.Decoder(Watching)


class Talking(Protocol):
    """An open socket, as far as it can be closed from here."""

    session: Session | None

    def close(self, code: int, reason: str) -> None:
        """Closes it."""


class Backend:
    """All that a worker has beside its sockets. Use it as a context: `async with Backend(config).running()`."""

    def __init__(self, config: Config) -> None:
        self.has_limits = config.has_limits
        self.replicas = config.replicas
        self.is_draining = False
        self.client = store.connect(config.redis_url)
        self.clock = StoreClock(self.client)
        self.hub = Hub()
        self.beat = Beat()
        self.feed = Feed(self.client, self._on_message, self._on_connected)
        self.players = Players(self.client, self.clock.now, config.replicas)
        self.watching = WatchingCounts(self.client, self.clock, f"{os.getpid()}-{secrets.token_hex(4)}")
        self.in_hand = Tasks()  # finished before the server stops
        event_log = EventLog(self.client, self.feed.hears, config.replicas, self.in_hand)
        deals = Deals(self.client)
        self.service = Service(
            event_log,
            self.players,
            deals,
            self.clock,
            self.watching,
            self.hub.offer,
            self.hub.set_back,
            self.in_hand,
        )
        self.hub.catch_up = self.service.catch_up
        self.lobby = Lobby(self.client, self.service.rows, self.service.heads)
        self.results = Results(deals, self.service.rows, event_log)
        self.public_url = config.public_url
        self.paces = Paces(config.has_limits)
        self.gate = Gate(config.has_limits)
        self.conversations: dict[Talking, Place | None] = {}
        self.reading = Tasks()
        self._check_now = asyncio.Event()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["Backend"]:
        """Starts the parts, and stops them. Raises Unavailable when the store does not answer."""
        await self.clock.read()
        parts: list[Part] = [
            self.clock.run,
            self.feed.run,
            self.feed.probe,
            partial(self.watching.run, self.lobby.changed),
            self.lobby.run,
            self._check_positions,
            self._build_results,
            self.beat.run,
            metrics.watch_loop,
            partial(sentinels.follow, self.client),
        ]
        tasks = [asyncio.create_task(for_ever(part)) for part in parts]
        try:
            yield self
        finally:
            self.reading.cancel()
            await end(tasks)
            with contextlib.suppress(Unavailable):
                await self.watching.stop()
            await close(self.client)

    async def durability(self) -> str:
        """How the store keeps what is acknowledged: `fsync`, `second`, `none`. Raises Unavailable within a second."""
        try:
            async with asyncio.timeout(READY_WITHIN_S):
                await self.client.ping()
                return await store.durability(self.client)
        except store.LOST as error:
            raise Unavailable("the store does not answer") from error

    def expect(self, conversation: Talking, place: Place) -> None:
        """A conversation is about to start: when it is over its place is given back."""
        self.conversations[conversation] = place

    def join(self, conversation: Talking) -> None:
        """From now on the conversation can be closed from here."""
        self.conversations.setdefault(conversation, None)
        metrics.SOCKETS.inc()

    def part(self, conversation: Talking) -> None:
        """The conversation is over."""
        place = self.conversations.pop(conversation)
        metrics.SOCKETS.dec()
        if place:
            self.gate.leave(place)

    def leave(self, game_id: str, following: Following) -> None:
        """A follower of a game is gone."""
        if following.is_spectator:
            self.watching.leave(game_id)
        if self.hub.leave(game_id, following):
            self.in_hand.spawn(self._unsubscribe(game_id))

    async def drain(self, close_code: int, within_s: float) -> None:
        """Finishes the commands in hand, for so long at most, then closes every socket."""
        self.is_draining = True
        await self.in_hand.wait(within_s)
        for conversation in list(self.conversations):
            conversation.close(close_code, "the server restarts")

    async def sign_out(self, player_id: str, session_id: str) -> None:
        """Ends a session; its sockets close at once, on every worker. Raises NoSuchSession."""
        await self.players.sign_out(player_id, session_id)
        await store.ask(lambda: self.feed.publish(SIGNED_OUT, session_id.encode()))

    async def show(self, game_id: str, visibility: Visibility, player_id: str | None) -> StateMessage:
        """Changes who may see the player's own game; whoever may not any more is told that there is none.

        Raises NoSuchGame or NotYourGame.
        """
        state = await self.service.set_visibility(game_id, player_id, visibility)
        await publish(self.client, [(game_id, _READ_AGAIN)])  # first who watches, then the lists
        await self.results.show(state)
        if visibility == "public":
            self.lobby.changed([game_id])
        else:
            await self.lobby.remove(game_id, state.by.id)
        return state

    async def _unsubscribe(self, game_id: str) -> None:
        if not self.hub.is_followed(game_id):
            await self.feed.leave(game_id)

    def _on_connected(self) -> None:
        self._check_now.set()
        self.clock.doubt()

    def _on_message(self, name: str, content: bytes) -> None:
        try:
            if name == LOBBY:
                self.hub.tell_lobby(parse_changes(content))
            elif name == SIGNED_OUT:
                self._close_sockets_of(content.decode())
            elif content == _READ_AGAIN:
                self.hub.reseed(game_of(name))
            elif content.startswith(b'{"t":"watching"'):
                self.hub.tell_watching(game_of(name), _watching.decode(content).n)
            else:
                self.hub.offer(parse_frame(content))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            log.warning("a message on %s is not ours: %s", name, error)

    def _close_sockets_of(self, session_id: str) -> None:
        for conversation in list(self.conversations):
            if conversation.session and conversation.session.id == session_id:
                conversation.close(SIGNED_OUT_CODE, "signed out")

    async def _check_sessions(self) -> None:
        """Whose session is over was signed out, and that was not heard here."""
        sessions = list({conversation.session for conversation in self.conversations if conversation.session})
        for first in range(0, len(sessions), _SESSIONS_AT_ONCE):
            for session in await self.players.over(sessions[first : first + _SESSIONS_AT_ONCE]):
                self._close_sockets_of(session.id)

    async def _build_results(self) -> None:
        await self.results.build(self.service.deal)
        await asyncio.Event().wait()  # once is enough

    async def _check_positions(self) -> None:
        """What pub/sub lost in silence is found here: the head of every followed game, and sessions that are over."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_EVERY_S):
                    await self._check_now.wait()
            self._check_now.clear()
            known = self.hub.positions
            try:
                heads = await self.service.heads(list(known)) if known else []
                await self._check_sessions()
            except SimpleSimonError as error:
                log.warning("what is open could not be checked: %s", error)
                continue
            if known:
                await asyncio.sleep(ON_ITS_WAY_S)
                for (game_id, position), head in zip(known.items(), heads, strict=True):
                    self.hub.check(game_id, head, position)
