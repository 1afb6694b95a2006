"""One socket's conversation: what it asks, what it is told, and when it is closed. It knows no web framework.

Reading never waits for the store or for writing: each message that needs the store becomes a task. What was begun for a command
is finished even when its socket is gone.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

from simplesimon.backend import Backend
from simplesimon.diffs import Frame
from simplesimon.errors import BadMessage, Refused, SimpleSimonError, TooFast, Unavailable
from simplesimon.following import Following, LobbyFollowing
from simplesimon.game import Command, Play, Redo, Restart, Undo
from simplesimon.limits import Pace
from simplesimon.lobby import PAGE_LIMIT
from simplesimon.messages import (
    ClientMessage,
    ErrorMessage,
    GameCommand,
    Hello,
    Leave,
    Lobby,
    MoveCommand,
    Ping,
    Pong,
    RedoCommand,
    RefusedMessage,
    RestartCommand,
    ServerMessage,
    Stale,
    StateMessage,
    UndoCommand,
    Watch,
    Who,
    encode,
    parse,
)
from simplesimon.outbox import Gone, Outbox, Stuck
from simplesimon.players import Session
from simplesimon.rules.position import Move
from simplesimon.service import StaleVersion

COMMANDS_UNDER_WAY = 16
FOLLOWS = 200
FLOODING, RESTARTING, SIGNED_OUT = 1008, 1012, 4501

_READ_AGAIN_S = 1.0

log = logging.getLogger(__name__)


class Conversation:
    """One socket, of a signed-in device or of nobody (`session` None).

    `send` sends one text frame; `close` closes with a code and may be called while others are at work.
    """

    def __init__(
        self,
        backend: Backend,
        session: Session | None,
        send: Callable[[str], Awaitable[None]],
        close: Callable[[int, str], Awaitable[None]],
    ) -> None:
        self.session = session
        self.close = close
        self._backend = backend
        self._player_id = session.player_id if session else None
        self._send = send
        self._outbox = Outbox()
        self._followings: dict[str, Following] = {}
        self._lobby: LobbyFollowing | None = None
        self._reading: set[asyncio.Task[None]] = set()
        self._under_way = 0
        self._pace = Pace(backend.has_limits)
        self._last_played: str | None = None
        self._is_over = False

    async def run(self, player: Who | None, frames: AsyncIterator[str | bytes]) -> None:
        """Says hello, then talks until the other side goes, or does not read."""
        self._say(Hello(player))
        reading = asyncio.create_task(self._read(frames))
        writing = asyncio.create_task(self._outbox.send_all(self._send, self._catch_up))
        try:
            with self._backend.talking(self):
                done, _ = await asyncio.wait([reading, writing], return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        except Gone:
            pass
        except Stuck as error:
            log.info("a socket is given up: %s", error)
        finally:
            self._is_over = True
            self._leave_all()
            for task in (reading, writing, *self._reading):
                task.cancel()

    async def _read(self, frames: AsyncIterator[str | bytes]) -> None:
        loop = asyncio.get_running_loop()
        async for text in frames:
            delay = self._pace.delay()
            if delay is None:
                self._say(_error(TooFast("more than 10 messages a second: this one was passed over")))
            elif delay:
                loop.call_later(delay, self._hear, text)
            else:
                self._hear(text)
            if self._pace.is_flooding:
                await self.close(FLOODING, "too many messages")

    def _hear(self, text: str | bytes) -> None:
        if self._is_over:
            return
        try:
            if isinstance(text, bytes):
                raise BadMessage("a binary frame: messages are text")
            self._handle(parse(text))
        except SimpleSimonError as error:
            self._say(_error(error))

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case Ping(n):
                self._say(Pong(n))
            case Watch():
                self._watch(message)
            case Leave(game_id):
                self._leave(game_id)
            case Lobby(on):
                self._follow_lobby(on=on)
            case _:
                self._command(message)

    def _say(self, message: ServerMessage) -> None:
        """Says it; what is about a followed game comes after the diffs of that game."""
        text = encode(message).decode()
        following = self._followings.get(getattr(message, "g", None) or "")
        if following:
            following.say(text)
        else:
            self._outbox.put(text)

    # Following

    def _watch(self, message: Watch) -> None:
        self._leave(message.g)
        if len(self._followings) >= FOLLOWS:
            raise TooFast(f"one socket follows at most {FOLLOWS} games")
        following = Following(message.g, self._player_id, self._outbox, self._backend.hub)
        self._followings[message.g] = following
        self._backend.hub.join(message.g, following)
        self._spawn(self._start(following, message))

    async def _start(self, following: Following, asked: Watch) -> None:
        """Reads what a `watch` asked for; what cannot be had is said, and not followed."""
        service, game_id = self._backend.service, asked.g
        read: StateMessage | list[Frame]
        try:
            await self._backend.feed.join(game_id)
            if asked.since is None:
                read = await service.state(game_id, self._player_id)
            else:
                read = await service.since(game_id, self._player_id, asked.since, asked.c)
        except SimpleSimonError as error:
            if self._followings.get(game_id) is following:
                self._leave(game_id)
                self._say(_error(error, game_id))
            return
        if self._followings.get(game_id) is following:  # not left, or watched anew, in the meantime
            following.start(read, asked.since or 0)
            following.is_spectator = not service.is_played_by(game_id, self._player_id)
            if following.is_spectator:
                self._backend.watching.join(game_id)

    def _leave(self, game_id: str) -> None:
        following = self._followings.pop(game_id, None)
        if following:
            self._backend.leave(game_id, following)

    def _follow_lobby(self, *, on: bool) -> None:
        if self._lobby:
            self._backend.hub.lobby.pop(self._lobby, None)
        self._lobby = LobbyFollowing(self._outbox) if on else None
        if self._lobby:
            self._backend.hub.lobby[self._lobby] = None
            self._spawn(self._list(self._lobby))

    async def _list(self, lobby: LobbyFollowing) -> None:
        try:
            lobby.start(await self._backend.lobby.public(PAGE_LIMIT))
        except SimpleSimonError as error:
            self._follow_lobby(on=False)
            self._say(_error(error))

    def _catch_up(self) -> None:
        """All was sent: what fell behind starts anew."""
        for following in self._followings.values():
            if following.is_behind:
                following.hold()
                self._spawn(self._restart(following))
        if self._lobby and self._lobby.is_behind:
            self._lobby.hold()
            self._spawn(self._list(self._lobby))

    async def _restart(self, following: Following) -> None:
        service, set_back = self._backend.service, following.is_set_back
        while self._followings.get(following.game_id) is following:
            try:
                state = await service.state(following.game_id, self._player_id, set_back=set_back)
            except Unavailable:
                await asyncio.sleep(_READ_AGAIN_S)
            except SimpleSimonError as error:
                self._leave(following.game_id)
                self._say(_error(error, following.game_id))
            else:
                following.start(state, is_asked=False)
                return

    def _leave_all(self) -> None:
        for game_id in list(self._followings):
            self._leave(game_id)
        self._follow_lobby(on=False)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    # Playing

    def _command(self, message: GameCommand) -> None:
        if self._under_way >= COMMANDS_UNDER_WAY:
            raise TooFast(f"{COMMANDS_UNDER_WAY} commands are under way: this one was passed over")
        self._under_way += 1
        self._backend.finish(self._do(message))

    async def _do(self, message: GameCommand) -> None:
        """A player's own command is answered by its diff, like everybody's; otherwise by why there is none."""
        game_id = message.g
        try:
            told = await self._backend.service.command(self._player_id, game_id, message.v, _command_of(message))
        except Refused as error:
            move = message.m if isinstance(message, MoveCommand) else None
            self._say(RefusedMessage(game_id, message.v, error.rule, move))
        except StaleVersion as error:
            self._say(Stale(game_id, error.version))
        except SimpleSimonError as error:
            self._say(_error(error, game_id))
        else:
            if game_id not in self._followings:
                self._outbox.put(told.text)
            await self._played(game_id)
        finally:
            self._under_way -= 1

    async def _played(self, game_id: str) -> None:
        self._backend.lobby.changed([game_id])
        if self._player_id and self._last_played != game_id:
            self._last_played = game_id
            await self._backend.players.remember(self._player_id, current=game_id)


def _error(error: SimpleSimonError, game_id: str | None = None) -> ErrorMessage:
    return ErrorMessage(error.code, str(error), game_id)


def _command_of(message: GameCommand) -> Command:
    match message:
        case MoveCommand(m=m):
            return Play(Move(*m))
        case UndoCommand():
            return Undo()
        case RedoCommand():
            return Redo()
        case RestartCommand():
            return Restart()
