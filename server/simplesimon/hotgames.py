"""Games that stay decoded, with the frames of their last versions; a cold one is a snapshot plus a short tail of the
log.

Every event that is met in the log is told through `tell`, in order, at that moment; `set_back` is called with a game
whose log has lost what was known of it (a store restored from a copy).
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from simplesimon.diffs import Facts, Frame, diff, frame
from simplesimon.entries import Opened
from simplesimon.errors import Damaged, NoSuchGame, Refused
from simplesimon.eventlog import EventLog
from simplesimon.history import History
from simplesimon.messages import GAME_ID_LENGTH, Visibility, Who, encode
from simplesimon.players import Players
from simplesimon.tasks import both, look_at

SINCE_LIMIT = 256
"""Versions: who is further behind gets one state in place of the diffs."""
HOT_WEIGHT = 500_000
"""States and frames of the games at hand, of 0.4 KiB each: 200 MiB at most, some 10,000 games that are half played."""
BARE_GAME = 8
"""What a game weighs beside its states and frames."""


@dataclass(slots=True)
class Hot:
    """A decoded game. `frames` are contiguous and end at the history's version; the oldest one is there for its chain
    value.

    Commands need not wait for one another: `tip` is the history that those `under_way` lead to, if the log takes them
    all.
    """

    facts: Facts
    history: History
    frames: deque[Frame]
    tip: History | None = None
    under_way: int = 0
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    weight: int = 0

    def lead_to(self, tip: History) -> None:
        """A command is under way that leads to `tip`."""
        self.tip = tip
        self.under_way += 1

    def arrive(self, is_stored: bool) -> None:
        """A command is under way no more. Nothing is built on one that failed."""
        self.under_way -= 1
        if not (is_stored and self.under_way):
            self.tip = None
        if not self.under_way:
            self.idle.set()

    async def settled(self) -> None:
        """Returns when no command is under way."""
        while self.under_way:
            self.idle.clear()
            await self.idle.wait()


_Read = Callable[[str], Coroutine[Any, Any, Hot]]


class HotGames:
    """The games that this process has at hand, those that were not asked for the longest first."""

    def __init__(
        self, log: EventLog, players: Players, tell: Callable[[Frame], None], set_back: Callable[[str], None]
    ) -> None:
        self._log = log
        self._players = players
        self._tell = tell
        self._set_back = set_back
        self._games: OrderedDict[str, Hot] = OrderedDict()
        self._weight = 0
        self._now: dict[tuple[_Read, str], asyncio.Task[Hot]] = {}  # the readings under way,
        self._next: dict[tuple[_Read, str], asyncio.Task[Hot]] = {}  # and those that begin after them

    def get(self, game_id: str) -> Hot | None:
        """The game as it was last met, if it is at hand."""
        hot = self._games.get(game_id)
        if hot:
            self._games.move_to_end(game_id)
            self._weigh(hot)
        return hot

    async def load(self, game_id: str) -> Hot:
        """The game as the log has it now, or later. Raises NoSuchGame, Damaged or Unavailable.

        Who asks while the game is being read shares the next reading: a thousand who come at once are two.
        """
        return await self._shared(self._read, game_id)

    async def reach_back(self, game_id: str) -> Hot:
        """A game that was seen, its frames as far back as `since` may ask for; readings are shared as those of `load`.

        Its history is not read again, and the frames go less far back where the log has another one by now.
        """
        return await self._shared(self._read_back, game_id)

    async def _shared(self, read: _Read, game_id: str) -> Hot:
        reading = self._next.get((read, game_id))
        if reading is None:
            reading = self._next[read, game_id] = asyncio.create_task(self._read_next(read, game_id))
            reading.add_done_callback(look_at)
        return await asyncio.shield(reading)

    async def seen(self, game_id: str, player_id: str | None) -> Hot:
        """The game as the log has it now. Raises NoSuchGame also for one that the player may not see."""
        hot = await self.load(game_id)
        if not hot.facts.is_visible_to(player_id):
            raise NoSuchGame(f"there is no game {game_id!r}")
        return hot

    async def _read_next(self, read: _Read, game_id: str) -> Hot:
        which = read, game_id
        under_way = self._now.get(which)
        if under_way:
            await asyncio.wait([under_way])
        this = self._now[which] = self._next.pop(which)
        try:
            return await read(game_id)
        finally:
            if self._now[which] is this:
                del self._now[which]

    async def _read(self, game_id: str) -> Hot:
        hot = self.get(game_id)
        if hot is None:
            return await self._open(game_id)
        if not await self._refresh(hot):
            hot = await self._open(game_id)
            self._set_back(game_id)
        return hot

    async def _read_back(self, game_id: str) -> Hot:
        hot = self.get(game_id) or await self.load(game_id)
        oldest = max(hot.history.version - SINCE_LIMIT, 1)
        if hot.frames[0].v <= oldest:
            return hot  # so far back already: somebody else came from there
        read = await self._read_whole(game_id, oldest)
        first, *later = hot.frames  # it may have gone on meanwhile
        older = [told for told in read.frames if told.v <= first.v]
        if older and (older[-1].v, older[-1].c) == (first.v, first.c):
            hot.frames = deque([*older, *later], SINCE_LIMIT + 1)
        return hot

    async def _open(self, game_id: str) -> Hot:
        if len(game_id) != GAME_ID_LENGTH or not game_id.isascii() or not game_id.isalnum():
            raise NoSuchGame(f"there is no game {game_id[:40]!r}")
        read = await self._read_whole(game_id)
        hot = self._games.setdefault(game_id, read)  # commands may be under way on the one that was known
        hot.facts, hot.history, hot.frames = read.facts, read.history, read.frames
        self._games.move_to_end(game_id)
        self._weigh(hot)
        return hot

    def _weigh(self, hot: Hot) -> None:
        game = hot.history.game
        weight = BARE_GAME + len(hot.frames) + len(game.past) + len(game.future)
        self._weight += weight - hot.weight
        hot.weight = weight
        while self._weight > HOT_WEIGHT and len(self._games) > 1:
            _, cold = self._games.popitem(last=False)
            self._weight -= cold.weight

    async def _read_whole(self, game_id: str, since: int | None = None) -> Hot:
        """The game read anew; with `since`, so that its frames begin at that version at the latest."""
        try:
            return await self._replayed(game_id, since)
        except Damaged:  # perhaps set back between the two requests that a reading is made of, or behind a snapshot
            return await self._replayed(game_id, 0)

    async def _replayed(self, game_id: str, since: int | None) -> Hot:
        opened = await self._log.open(game_id, since)
        facts = _facts(game_id, opened, await self._players.who([opened.by]))
        read = Hot(facts, opened.base, _marked(game_id, opened.base))
        self._replay(read, opened)
        return read

    async def _refresh(self, hot: Hot) -> bool:
        """Reads what came after what is known of a game; false when that is no longer part of its log."""
        try:
            opened, names = await both(
                self._log.refresh(hot.facts.game_id, hot.history), self._players.who([hot.facts.by.id])
            )
            if opened:
                hot.facts = _facts(hot.facts.game_id, opened, names)
                self._replay(hot, opened)
        except Damaged:
            return False  # the log may be sound, and have another history: reading all of it tells
        return opened is not None

    def _replay(self, hot: Hot, opened: Opened) -> None:
        game_id = hot.facts.game_id
        for entry in opened.entries:
            before = hot.history
            if entry.version <= before.version:
                continue  # another task met it in the meantime
            try:
                after = before.then(entry.event, entry.at)
            except (Refused, ValueError, IndexError) as error:
                raise Damaged(f"entry {entry.version} of game {game_id} cannot follow the one before") from error
            message = diff(hot.facts, before, entry.event, after)
            self.advance(hot, after, frame(message, encode(message), before.c))
        version, chain = opened.head
        if hot.history.version < version or (hot.history.version == version and hot.history.chain != chain):
            raise Damaged(f"the log of game {game_id} does not lead to the chain value that it was written with")

    def advance(self, hot: Hot, after: History, told: Frame) -> None:
        """The game has one event more, and everybody is told."""
        hot.history = after
        hot.frames.append(told)
        self._tell(told)


def _facts(game_id: str, opened: Opened, names: Mapping[str, Who]) -> Facts:
    return Facts(game_id, names[opened.by], cast(Visibility, opened.visibility), opened.origin, opened.is_copy)


def _marked(game_id: str, history: History) -> deque[Frame]:
    """No frames yet: a mark stands in for the one that led to the history, for its version and chain value."""
    return deque([Frame(game_id, history.version, history.c, b"")], SINCE_LIMIT + 1)
