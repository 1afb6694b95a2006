"""One socket's conversation: what it asks, what it is told, and when it is closed. It knows no web framework.

Nothing here waits. A command of a game that is at hand is on its way when `hear` returns, and answered by a callback;
what needs the store before becomes a task. What was begun for a command is finished even when its socket is gone.
"""

import asyncio
import logging
from functools import partial
from typing import Protocol

from simplesimon import metrics
from simplesimon.backend import Backend
from simplesimon.commands import Done
from simplesimon.diffs import Frame, wire_for
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
from simplesimon.players import Session
from simplesimon.rules.position import Move
from simplesimon.wire import framed

COMMANDS_UNDER_WAY = 16
REMEMBER_EVERY_MS = 5_000  # which game is played: another device may have played one since
FLOODING, RESTARTING = 1008, 1012

log = logging.getLogger(__name__)
_DONE = metrics.COMMANDS.labels("done")


class Connection(Protocol):
    """The socket, as a conversation needs it. Neither of these waits."""

    def write(self, frames: bytes) -> None:
        """Writes whole frames. Says `pause` when it is full, and `resume` when all was taken."""

    def close(self, code: int, reason: str) -> None:
        """Closes, after what was written before."""


class Conversation:
    """What is said on one connection, by a signed-in device or by nobody (`session` None)."""

    __slots__ = (
        "_backend",
        "_beginning",
        "_connection",
        "_followings",
        "_is_over",
        "_last_played",
        "_pace",
        "_player_id",
        "_turn",
        "_under_way",
        "session",
    )

    def __init__(self, backend: Backend, session: Session | None, connection: Connection) -> None:
        self.session = session
        self._backend = backend
        self._connection = connection
        self._player_id = session.player_id if session else None
        self._followings = Followings(backend, self._player_id, connection.write, self._fail)
        self._pace = Pace(backend.has_limits)
        self._under_way = 0
        self._beginning = 0  # of those under way, the ones that wait for their turn
        self._turn: asyncio.Lock  # made when it is needed: most sockets only watch
        self._last_played: tuple[str, int] | None = None
        self._is_over = False

    def start(self, player: Who | None) -> None:
        """Says hello."""
        self._backend.join(self)
        self._say(Hello(player))

    def hear(self, text: str | bytes) -> None:
        """A message came, or something that is none."""
        delay = self._pace.delay()
        if delay is None:
            self._fail(TooFast("more than 10 messages a second: this one was passed over"))
            if self._pace.is_flooding:
                self.close(FLOODING, "too many messages")
        elif delay:
            asyncio.get_running_loop().call_later(delay, self._heed, text)
        else:
            self._heed(text)

    def pause(self) -> None:
        """The connection is full."""
        self._followings.pause()

    def resume(self) -> None:
        """The connection has taken all."""
        self._followings.resume()

    def close(self, code: int, reason: str) -> None:
        """Closes the connection."""
        self._connection.close(code, reason)

    def end(self) -> None:
        """The connection is gone."""
        if not self._is_over:
            self._is_over = True
            self._followings.end()
            self._backend.part(self)

    def _heed(self, text: str | bytes) -> None:
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
            case MoveCommand() | UndoCommand() | RedoCommand() | RestartCommand():
                self._command(message)
            case Ping(n):
                self._say(Pong(n))
            case Watch():
                self._followings.watch(message)
            case Leave(game_id):
                self._followings.leave(game_id)
            case Lobby():
                self._followings.follow_lobby(message)

    def _say(self, message: ServerMessage) -> None:
        """Says it; what is about a followed game comes after the diffs of that game."""
        if self._is_over:
            return
        payload = encode(message)
        following = self._followings.of(getattr(message, "g", None) or "")
        if following:
            following.say(payload)
        else:
            self._connection.write(framed(payload))

    def _fail(self, error: SimpleSimonError, game_id: str | None = None) -> None:
        self._say(ErrorMessage(error.code, str(error), game_id))

    def _command(self, message: GameCommand) -> None:
        if self._under_way >= COMMANDS_UNDER_WAY:
            raise TooFast(f"{COMMANDS_UNDER_WAY} commands are under way: this one was passed over")
        self._under_way += 1
        done = partial(self._done, message)
        try:
            if not self._begin_at_once(message, done):
                if not self._beginning:
                    self._turn = asyncio.Lock()
                self._beginning += 1
                self._backend.in_hand.spawn(self._begin(message, done))
        except Exception as error:  # noqa: BLE001 - every frame gets an answer, even when the fault is ours
            done(error)

    def _begin_at_once(self, message: GameCommand, done: Done) -> bool:
        if self._beginning or self._followings.is_starting(message.g):
            return False  # what came first begins first
        begin_at_once = self._backend.service.commands.begin_at_once
        return begin_at_once(self._player_id, message.g, message.v, _command_of(message), done)

    async def _begin(self, message: GameCommand, done: Done) -> None:
        try:
            async with self._turn:
                await self._followings.started(message.g)
                await self._backend.service.commands.begin(
                    self._player_id, message.g, message.v, _command_of(message), done
                )
        except Exception as error:  # noqa: BLE001 - as above
            done(error)
        finally:
            self._beginning -= 1

    def _done(self, message: GameCommand, told: Frame | Exception) -> None:
        """A player's own command is answered by its diff, like everybody's; otherwise by why there is none."""
        self._under_way -= 1
        if isinstance(told, Exception):
            metrics.COMMANDS.labels(getattr(told, "code", Internal.code)).inc()
            self._say(_why_not(message, told))
            return
        _DONE.inc()
        following = self._followings.of(message.g)
        if following:
            following.acknowledge(told)
        elif not self._is_over:
            self._connection.write(wire_for(told, self._player_id, self._backend.hub.watching(message.g)))
        self._backend.lobby.changed([message.g])
        played = message.g, self._backend.clock.now() // REMEMBER_EVERY_MS
        if self._player_id and self._last_played != played:
            self._last_played = played
            self._backend.in_hand.spawn(self._remember(self._player_id, message.g))

    async def _remember(self, player_id: str, game_id: str) -> None:
        try:
            await self._backend.players.remember(player_id, current=game_id)
        except Unavailable:
            self._last_played = None  # the next move says it again


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
