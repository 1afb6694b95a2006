"""All that one socket follows: games, and perhaps the lobby.

What a following needs is read here, and read again for one that fell behind.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping

from simplesimon.backend import Backend
from simplesimon.diffs import Frame
from simplesimon.errors import Internal, SimpleSimonError, TooFast, Unavailable
from simplesimon.following import Following, LobbyFollowing, Write
from simplesimon.lobby import PAGE_LIMIT
from simplesimon.messages import Lobby, StateMessage, Watch

FOLLOWS = 200

_READ_AGAIN_S = 1.0

log = logging.getLogger(__name__)
_NONE: Mapping[str, asyncio.Event] = {}  # what most sockets have nearly always, shared: an empty dict takes 64 bytes


class Followings:
    """The followings of a socket of `player_id` (None: nobody's); `fail` says what could not be done, of which game."""

    __slots__ = ("_backend", "_fail", "_games", "_lobby", "_player_id", "_starting", "_write")

    def __init__(
        self,
        backend: Backend,
        player_id: str | None,
        write: Write,
        fail: Callable[[SimpleSimonError, str | None], None],
    ) -> None:
        self._backend = backend
        self._player_id = player_id
        self._write = write
        self._fail = fail
        self._games: dict[str, Following] = {}
        self._starting = _NONE
        self._lobby: LobbyFollowing | None = None

    def of(self, game_id: str) -> Following | None:
        """The following of a game, if there is one."""
        return self._games.get(game_id)

    def watch(self, asked: Watch) -> None:
        """Follows a game from what `asked` has of it; anew, when it was followed before. Raises TooFast."""
        game_id = sys.intern(asked.g)  # one text for all who follow a game
        self.leave(game_id)
        if len(self._games) >= FOLLOWS:
            raise TooFast(f"one socket follows at most {FOLLOWS} games")
        following = Following(game_id, self._player_id, self._write, self._backend.hub, self._start_anew)
        self._games[game_id] = following
        self._backend.hub.join(game_id, following)
        started = asyncio.Event()
        self._starting = {**self._starting, game_id: started}
        self._backend.reading.spawn(self._start(following, asked, started))

    def is_starting(self, game_id: str) -> bool:
        """Whether a `watch` of the game has not been answered yet."""
        return game_id in self._starting

    async def started(self, game_id: str) -> None:
        """Returns when a `watch` of the game that is under way has been answered: then its diffs are told as diffs."""
        event = self._starting.get(game_id)
        if event:
            await event.wait()

    def leave(self, game_id: str) -> None:
        """Stops following a game, after all that is owed."""
        following = self._games.pop(game_id, None)
        if following:
            following.finish()
            self._backend.leave(game_id, following)

    def follow_lobby(self, wish: Lobby) -> None:
        """Follows the list of public games as it is wished for, or stops to."""
        if self._lobby:
            self._backend.hub.lobby.pop(self._lobby, None)
        self._lobby = LobbyFollowing(wish, self._write) if wish.on else None
        if self._lobby:
            self._backend.hub.lobby[self._lobby] = None
            self._backend.reading.spawn(self._list(self._lobby))

    def pause(self) -> None:
        """The socket is full: no more diffs are written to it."""
        for following in self._games.values():
            following.pause()
        if self._lobby:
            self._lobby.pause()

    def resume(self) -> None:
        """The socket has taken all: what missed something starts anew."""
        for following in list(self._games.values()):
            following.resume()
        if self._lobby:
            self._lobby.resume()
            if self._lobby.is_behind:
                self._lobby.hold()
                self._backend.reading.spawn(self._list(self._lobby))

    def _start_anew(self, following: Following) -> None:
        following.hold()
        self._backend.reading.spawn(self._read_again(following))

    def end(self) -> None:
        """Stops following everything."""
        for game_id, following in self._games.items():
            self._backend.leave(game_id, following)
        self._games = {}
        self.follow_lobby(Lobby(on=False))
        self._fail = _to_nobody  # whose it was knows us, too, and shall not wait for the collector

    async def _start(self, following: Following, asked: Watch, started: asyncio.Event) -> None:
        try:
            await self._answer(following, asked)
        finally:
            started.set()
            waiting = {game_id: event for game_id, event in self._starting.items() if event is not started}
            self._starting = waiting or _NONE

    async def _answer(self, following: Following, asked: Watch) -> None:
        try:
            await self._backend.feed.join(asked.g)
            read = await self._read(asked)
        except Exception as error:  # noqa: BLE001 - every frame gets an answer, even when the fault is ours
            self._give_up(following, _told(error))
            return
        if self.of(asked.g) is following:  # not left, or watched anew, in the meantime
            following.start(read)
            is_played = self._backend.service.is_played_by(asked.g, self._player_id)
            following.is_spectator = not (asked.quiet or is_played)
            if following.is_spectator:
                self._backend.watching.join(asked.g)

    async def _read(self, asked: Watch) -> StateMessage | list[Frame]:
        service = self._backend.service
        if asked.since is None:
            return await service.state(asked.g, self._player_id)
        return await service.since(asked.g, self._player_id, asked.since, asked.c)

    async def _read_again(self, following: Following) -> None:
        service, game_id = self._backend.service, following.game_id
        while self.of(game_id) is following:
            try:
                state = await service.state(game_id, self._player_id, set_back=following.is_set_back)
            except Unavailable:
                await asyncio.sleep(_READ_AGAIN_S)
            except Exception as error:  # noqa: BLE001 - nobody may go on with a position that is old
                self._give_up(following, _told(error))
                return
            else:
                if self.of(game_id) is not following:
                    return  # left in the meantime
                if not following.is_behind:
                    following.start(state, is_asked=False)
                    return
                following.hold()  # the reading itself may have met the loss

    def _give_up(self, following: Following, error: SimpleSimonError) -> None:
        if self.of(following.game_id) is following:  # not left, or watched anew, in the meantime
            self.leave(following.game_id)
            self._fail(error, following.game_id)

    async def _list(self, lobby: LobbyFollowing) -> None:
        try:
            lists = self._backend.lobby
            rows = await (lists.public(PAGE_LIMIT) if lobby.wish.by is None else lists.public_of(lobby.wish.by))
        except Exception as error:  # noqa: BLE001 - every frame gets an answer, even when the fault is ours
            if self._lobby is lobby:
                self.follow_lobby(Lobby(on=False))
                self._fail(_told(error), None)
            return
        if self._lobby is lobby:
            lobby.start(rows)


def _to_nobody(_: SimpleSimonError, __: str | None) -> None: ...


def _told(error: Exception) -> SimpleSimonError:
    """What is told of it; a fault of ours is written down."""
    if isinstance(error, SimpleSimonError):
        return error
    log.error("a reading failed", exc_info=error)
    return Internal()
