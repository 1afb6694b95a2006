"""Who in this process follows which game. A diff is framed once and written to every follower; nobody waits for a slow
reader.

What is told twice (by our own append, by the store, by a reading of the log) is written once; a gap is read from the
log, in one reading for all who follow. Frames of one game that come within one turn of the event loop leave in one
write.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from simplesimon.diffs import Follower, Frame
from simplesimon.entries import Head
from simplesimon.errors import SimpleSimonError
from simplesimon.listing import Change, LobbyFollower, frames
from simplesimon.messages import Lobby, Watching, encode

WATCHING_EVERY_S = 1.0

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Feed:
    """A game that somebody here follows. `version` and `c` are of the last frame offered; 0 before the first is known.
    `watching` is the number last told; until `is_number_told`, that of the last state.

    Followers that have every version up to that are `level`, by how to write to them; the others are `late`: they wait
    for a reading. `pending` frames are written to the level ones at the end of this turn of the event loop.
    """

    version: int = 0
    c: str = ""
    watching: int = 0
    is_number_told: bool = False
    level: dict[Follower, Callable[[bytes], None]] = field(default_factory=dict)
    late: dict[Follower, None] = field(default_factory=dict)
    pending: list[bytes] = field(default_factory=list)
    closing_gap: asyncio.Task[None] | None = None
    telling_watching: asyncio.TimerHandle | None = None

    @property
    def followers(self) -> list[Follower]:
        return [*self.level, *self.late]


class Hub:
    """Every follower in this process. `catch_up(game_id)` reads the log, offers here what it finds, and tells where it
    ends: version and `c`.
    """

    def __init__(self) -> None:
        self._feeds: dict[str, _Feed] = {}
        self._unwritten: list[_Feed] = []
        self.catch_up: Callable[[str], Awaitable[tuple[int, str]]]
        self.lobby: dict[LobbyFollower, None] = {}

    @property
    def positions(self) -> dict[str, tuple[int, str]]:
        """Version and `c` of the last frame offered of each game that is followed here; 0 before the first."""
        return {game_id: (feed.version, feed.c) for game_id, feed in self._feeds.items()}

    def is_followed(self, game_id: str) -> bool:
        """Whether anybody here follows the game."""
        return game_id in self._feeds

    def join(self, game_id: str, follower: Follower) -> None:
        """From now on the follower is offered every frame of the game."""
        self._feeds.setdefault(game_id, _Feed()).late[follower] = None

    def level(self, game_id: str, follower: Follower, version: int, c: str) -> bool:
        """A follower has read the game up to `version`; true when that is where the others are."""
        feed = self._feeds[game_id]
        if not feed.version:
            feed.version, feed.c = version, c
        if version == feed.version and c != feed.c:
            self.set_back(game_id)
            return False
        if version == feed.version and follower in feed.late:
            self._flush(feed)
            del feed.late[follower]
            feed.level[follower] = follower.write
        return version == feed.version

    def fall_behind(self, game_id: str, follower: Follower) -> tuple[int, str] | None:
        """Nothing more is written to the follower for now, after what was offered. Its version and `c`, if it was level
        with the others.
        """
        feed = self._feeds[game_id]
        write = feed.level.pop(follower, None)
        if not write:
            return None
        if feed.pending:
            write(b"".join(feed.pending))
        feed.late[follower] = None
        return feed.version, feed.c

    def leave(self, game_id: str, follower: Follower) -> bool:
        """The follower is offered nothing more; true when it was the last one of the game here."""
        feed = self._feeds[game_id]
        feed.level.pop(follower, None)
        feed.late.pop(follower, None)
        if feed.level or feed.late:
            return False
        if feed.telling_watching:
            feed.telling_watching.cancel()
        del self._feeds[game_id]
        return True

    def offer(self, frame: Frame) -> None:
        """Offers a frame to every follower, once and in order, whoever told of it and however often."""
        feed = self._feeds.get(frame.game_id)
        if feed is None or not self._leads_on(feed, frame):
            return
        feed.version, feed.c = frame.v, frame.c
        if frame.state:
            self._flush(feed)
            for follower in list(feed.level):
                follower.write_state(frame)
        elif feed.level:
            if not self._unwritten:
                asyncio.get_running_loop().call_soon(self._write_all)
            if not feed.pending:
                self._unwritten.append(feed)
            feed.pending.append(frame.wire)
        for follower in list(feed.late):
            if follower.offer(frame):
                self.level(frame.game_id, follower, frame.v, frame.c)

    def _leads_on(self, feed: _Feed, frame: Frame) -> bool:
        """Whether the frame is the next one; mends what another one tells of."""
        if not feed.version:
            return True
        if frame.v > feed.version + 1:
            self._close_gap(frame.game_id, feed, frame.v)
        elif (frame.v, frame.before) == (feed.version + 1, feed.c):
            return True
        elif frame.v > feed.version or (frame.v == feed.version and frame.c != feed.c):  # of another history
            self.set_back(frame.game_id)
        return False

    def flush(self, game_id: str) -> None:
        """Writes what is pending now: a message that must come after it is about to be written."""
        if feed := self._feeds.get(game_id):
            self._flush(feed)

    def check(self, game_id: str, head: Head | None, known: tuple[int, str] | None = None) -> None:
        """Compares the head of the log with what was offered, and mends what differs. Who follows a private game of
        another was not told that it is one.

        `known` is the position of before the head was read, since more may have been offered meanwhile, or everybody
        may have been set back already.
        """
        feed = self._feeds.get(game_id)
        if feed is None:
            return
        if head and head.visibility == "private":
            for follower in feed.followers:
                if follower.player_id != head.by:
                    follower.reseed()
        version, c = known or (feed.version, feed.c)
        if head and head.version > feed.version:
            self._close_gap(game_id, feed, head.version)
        elif 0 < version <= feed.version and (
            head is None or head.version < version or (head.version == version and head.c != c)
        ):
            self.set_back(game_id)

    def set_back(self, game_id: str) -> None:
        """The log has lost what was offered: everybody gets the state that it has now."""
        self.reseed(game_id, set_back=True)

    def reseed(self, game_id: str, *, set_back: bool = False) -> None:
        """Everybody who follows the game starts anew from its state."""
        feed = self._feeds.get(game_id)
        if feed:
            self._flush(feed)
            feed.version = 0
            for follower in feed.followers:
                follower.reseed(set_back=set_back)

    def tell_watching(self, game_id: str, number: int) -> None:
        """Tells the followers how many watch, at most once a second."""
        feed = self._feeds.get(game_id)
        if feed is None or (feed.is_number_told and feed.watching == number):
            return
        feed.watching, feed.is_number_told = number, True
        if feed.telling_watching is None:
            payload = encode(Watching(game_id, number))
            for follower in feed.followers:
                follower.say(payload)
            loop = asyncio.get_running_loop()
            feed.telling_watching = loop.call_later(WATCHING_EVERY_S, self._tell_watching_again, game_id, number)

    def watching(self, game_id: str) -> int:
        """How many watch, as it was last told or read; 0 for a game that nobody here follows."""
        feed = self._feeds.get(game_id)
        return feed.watching if feed else 0

    def read_watching(self, game_id: str, number: int) -> None:
        """A follower is given a state with this number; others may have another, so the first one is told anyway."""
        feed = self._feeds[game_id]
        if not feed.is_number_told:
            feed.watching = number

    def tell_lobby(self, changes: Sequence[Change]) -> None:
        """Tells everybody who follows the list of public games, each in one write; whoever wants the same shares it."""
        told: dict[Lobby, bytes] = {}
        for follower in list(self.lobby):
            if follower.wish not in told:
                told[follower.wish] = frames(changes, follower.wish)
            if told[follower.wish]:
                follower.tell(told[follower.wish])

    def _write_all(self) -> None:
        feeds, self._unwritten = self._unwritten, []
        for feed in feeds:
            self._flush(feed)

    def _flush(self, feed: _Feed) -> None:
        if feed.pending:
            frames = feed.pending[0] if len(feed.pending) == 1 else b"".join(feed.pending)
            feed.pending = []
            for write in list(feed.level.values()):  # a write may fill a socket, which then falls behind
                write(frames)

    def _tell_watching_again(self, game_id: str, told: int) -> None:
        feed = self._feeds[game_id]
        feed.telling_watching = None
        if feed.watching != told:
            number, feed.watching = feed.watching, told
            self.tell_watching(game_id, number)

    def _close_gap(self, game_id: str, feed: _Feed, version: int) -> None:
        if feed.closing_gap is None:
            feed.closing_gap = asyncio.create_task(self._read_gap(game_id, feed, version))

    async def _read_gap(self, game_id: str, feed: _Feed, version: int) -> None:
        try:
            read, c = await self.catch_up(game_id)
            if not feed.version:  # nothing was new, so whoever follows reads as far as that
                feed.version, feed.c = read, c
            elif feed.version < read:  # the log was read, but from further on
                self.reseed(game_id)
        except SimpleSimonError as error:
            log.warning("game %s: a gap before version %d stays for now: %s", game_id, version, error)
        finally:
            feed.closing_gap = None
