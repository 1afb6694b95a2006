"""One socket's conversation: what it asks, what it is told, and when it is closed. It knows no web framework.

Reading never waits for the store or for writing: each message that needs the store becomes a task. What was begun for
a command is finished even when its socket is gone.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine

from simplesimon import metrics
from simplesimon.backend import Backend
from simplesimon.diffs import text_for
from simplesimon.errors import BadMessage, Internal, Refused, SimpleSimonError, StaleVersion, TooFast, Unavailable
from simplesimon.followings import Followings
from simplesimon.game import Command, Play, Redo, Restart, Undo
from simplesimon.limits import Pace
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
    UndoCommand,
    Watch,
    Who,
    encode,
    parse,
)
from simplesimon.outbox import Gone, Outbox, Stuck
from simplesimon.players import Session
from simplesimon.rules.position import Move

COMMANDS_UNDER_WAY = 16
FLOODING, RESTARTING = 1008, 1012

log = logging.getLogger(__name__)


class Conversation:
    """One socket, of a signed-in device or of nobody (`session` None).

    `send` sends one text frame; `close` closes with a code and may be called while others are at work.
    """

    def __init__(
        self,
        backend: Backend,
        session: Session | None,
        send: Callable[[str], Coroutine[None, None, None]],
        close: Callable[[int, str], Coroutine[None, None, None]],
    ) -> None:
        self.session = session
        self.close = close
        self._backend = backend
        self._player_id = session.player_id if session else None
        self._send = send
        self._outbox = Outbox()
        self._followings = Followings(backend, self._player_id, self._outbox, self._fail)
        self._under_way = 0
        self._pace = Pace(backend.has_limits)
        self._last_played: str | None = None
        self._is_over = False

    async def run(self, player: Who | None, frames: AsyncIterator[str | bytes]) -> None:
        """Says hello, then talks until the other side goes, or does not read."""
        self._say(Hello(player))
        reading = asyncio.create_task(self._read(frames))
        writing = asyncio.create_task(self._outbox.send_all(self._send, self._followings.catch_up))
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
            self._followings.end()
            reading.cancel()
            writing.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)  # what one met while the other ended is told

    async def _read(self, frames: AsyncIterator[str | bytes]) -> None:
        loop = asyncio.get_running_loop()
        async for text in frames:
            delay = self._pace.delay()
            if delay is None:
                self._fail(TooFast("more than 10 messages a second: this one was passed over"))
            elif delay:
                loop.call_later(delay, self._hear, text)
            else:
                self._hear(text)
            if self._pace.is_flooding:
                await self.close(FLOODING, "too many messages")

    def _hear(self, text: str | bytes) -> None:
        if self._is_over:
            return
        game_id = None
        try:
            if isinstance(text, bytes):
                raise BadMessage("a binary frame: messages are text")
            message = parse(text)
            game_id = getattr(message, "g", None)
            self._handle(message)
        except SimpleSimonError as error:
            self._fail(error, game_id)

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case Ping(n):
                self._say(Pong(n))
            case Watch():
                self._followings.watch(message)
            case Leave(game_id):
                self._followings.leave(game_id)
            case Lobby(on):
                self._followings.follow_lobby(on=on)
            case _:
                self._command(message)

    def _say(self, message: ServerMessage) -> None:
        """Says it; what is about a followed game comes after the diffs of that game."""
        text = encode(message).decode()
        following = self._followings.of(getattr(message, "g", None) or "")
        if following:
            following.say(text)
        else:
            self._outbox.put(text)

    def _fail(self, error: SimpleSimonError, game_id: str | None = None) -> None:
        self._say(ErrorMessage(error.code, str(error), game_id))

    def _command(self, message: GameCommand) -> None:
        if self._under_way >= COMMANDS_UNDER_WAY:
            raise TooFast(f"{COMMANDS_UNDER_WAY} commands are under way: this one was passed over")
        self._under_way += 1
        self._backend.in_hand.spawn(self._do(message))

    async def _do(self, message: GameCommand) -> None:
        """A player's own command is answered by its diff, like everybody's; otherwise by why there is none."""
        try:
            told = await self._backend.service.command(self._player_id, message.g, message.v, _command_of(message))
        except Exception as error:  # noqa: BLE001 - every frame gets an answer, even when the fault is ours
            metrics.COMMANDS.labels(getattr(error, "code", Internal.code)).inc()
            self._say(_why_not(message, error))
        else:
            metrics.COMMANDS.labels("done").inc()
            if not self._followings.of(message.g):
                self._outbox.put(text_for(told, self._player_id, self._backend.hub.watching(message.g)))
            await self._played(message.g)
        finally:
            self._under_way -= 1

    async def _played(self, game_id: str) -> None:
        self._backend.lobby.changed([game_id])
        if self._player_id and self._last_played != game_id:
            with contextlib.suppress(Unavailable):  # then the next move says it again
                await self._backend.players.remember(self._player_id, current=game_id)
                self._last_played = game_id


def _why_not(message: GameCommand, error: Exception) -> ServerMessage:
    match error:
        case Refused():
            move = message.m if isinstance(message, MoveCommand) else None
            return RefusedMessage(message.g, message.v, error.rule, move)
        case StaleVersion():
            return Stale(message.g, error.version)
        case SimpleSimonError():
            return ErrorMessage(error.code, str(error), message.g)
        case _:
            log.error("a command failed", exc_info=error)
            return ErrorMessage(Internal.code, str(Internal()), message.g)


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
