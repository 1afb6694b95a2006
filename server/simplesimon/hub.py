"""Who in this process follows which game. A diff is offered to every follower; nobody waits for a slow reader.

What is told twice (by our own append, by the store, by a reading of the log) is offered once; a gap is read from the
log, in one reading for all who follow.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from simplesimon.diffs import Frame
from simplesimon.errors import SimpleSimonError
from simplesimon.eventlog import Head
from simplesimon.messages import Watching, encode

WATCHING_EVERY_S = 1.0

log = logging.getLogger(__name__)


class Follower(Protocol):
    """One game on one socket. None of these may wait."""

    def offer(self, frame: Frame) -> None:
        """Takes the next frame."""

    def say(self, text: str) -> None:
        """Takes a message that is no diff."""

    def reseed(self, *, set_back: bool = False) -> None:
        """Takes a fresh state: diffs do not lead on from what it had."""


class LobbyFollower(Protocol):
    """The list of public games on one socket."""

    def tell(self, text: str) -> None:
        """Takes a change of the list."""


@dataclass(slots=True)
class _Feed:
    """A game that somebody here follows.

    `version` and `c` are of the last frame offered; 0 before the first is known.
    """

    version: int = 0
    c: str = ""
    watching: int = 0
    followers: dict[Follower, None] = field(default_factory=dict)
    closing_gap: asyncio.Task[None] | None = None
    telling_watching: asyncio.TimerHandle | None = None


class Hub:
    """Every follower in this process. `catch_up(game_id)` reads the log and offers here what it finds."""

    def __init__(self) -> None:
        self._feeds: dict[str, _Feed] = {}
        self.catch_up: Callable[[str], Awaitable[None]]
        self.lobby: dict[LobbyFollower, None] = {}

    @property
    def games(self) -> list[str]:
        """The ids of all games that are followed here."""
        return list(self._feeds)

    def is_followed(self, game_id: str) -> bool:
        """Whether anybody here follows the game."""
        return game_id in self._feeds

    def join(self, game_id: str, follower: Follower) -> None:
        """From now on the follower is offered every frame of the game."""
        self._feeds.setdefault(game_id, _Feed()).followers[follower] = None

    def leave(self, game_id: str, follower: Follower) -> bool:
        """The follower is offered nothing more; true when it was the last one of the game here."""
        feed = self._feeds[game_id]
        feed.followers.pop(follower, None)
        if feed.followers:
            return False
        if feed.telling_watching:
            feed.telling_watching.cancel()
        del self._feeds[game_id]
        return True

    def offer(self, frame: Frame) -> None:
        """Offers a frame to every follower, once and in order, whoever told of it and however often."""
        feed = self._feeds.get(frame.game_id)
        if feed is None or frame.v <= feed.version:
            return
        if feed.version and frame.v > feed.version + 1:
            self._close_gap(frame.game_id, feed, frame.v)
            return
        feed.version, feed.c = frame.v, frame.c
        for follower in list(feed.followers):  # offer() may end a conversation, which leaves
            follower.offer(frame)

    def check(self, game_id: str, head: Head | None) -> None:
        """Compares what was offered with the head of the log, and mends what differs."""
        feed = self._feeds.get(game_id)
        if feed is None or (head and (head.version, head.c) == (feed.version, feed.c)):
            return
        if head and head.version > feed.version:
            self._close_gap(game_id, feed, head.version, head.c)
        elif feed.version:
            self.set_back(game_id)

    def set_back(self, game_id: str) -> None:
        """The log has lost what was offered: everybody gets the state that it has now."""
        self.reseed(game_id, set_back=True)

    def reseed(self, game_id: str, *, set_back: bool = False) -> None:
        """Everybody who follows the game starts anew from its state."""
        feed = self._feeds.get(game_id)
        if feed:
            feed.version = 0
            for follower in list(feed.followers):
                follower.reseed(set_back=set_back)

    def tell_watching(self, game_id: str, number: int) -> None:
        """Tells the followers how many watch, at most once a second."""
        feed = self._feeds.get(game_id)
        if feed is None or feed.watching == number:
            return
        feed.watching = number
        if feed.telling_watching is None:
            for follower in list(feed.followers):
                follower.say(encode(Watching(game_id, number)).decode())
            loop = asyncio.get_running_loop()
            feed.telling_watching = loop.call_later(WATCHING_EVERY_S, self._tell_watching_again, game_id, number)

    def watching(self, game_id: str) -> int:
        """How many watch, as it was last told; 0 for a game that nobody here follows."""
        feed = self._feeds.get(game_id)
        return feed.watching if feed else 0

    def tell_lobby(self, text: str) -> None:
        """Tells everybody who follows the list of public games."""
        for follower in list(self.lobby):
            follower.tell(text)

    def _tell_watching_again(self, game_id: str, told: int) -> None:
        feed = self._feeds[game_id]
        feed.telling_watching = None
        if feed.watching != told:
            number, feed.watching = feed.watching, told
            self.tell_watching(game_id, number)

    def _close_gap(self, game_id: str, feed: _Feed, version: int, c: str = "") -> None:
        if feed.closing_gap is None:
            feed.closing_gap = asyncio.create_task(self._read_gap(game_id, feed, version, c))

    async def _read_gap(self, game_id: str, feed: _Feed, version: int, c: str) -> None:
        try:
            await self.catch_up(game_id)
            if c and not feed.version:  # nothing was new, so whoever follows has read as far as that
                feed.version, feed.c = version, c
            elif feed.version < version:  # the log was read, but from further on
                self.reseed(game_id)
        except SimpleSimonError as error:
            log.warning("game %s: a gap before version %d stays for now: %s", game_id, version, error)
        finally:
            feed.closing_gap = None
