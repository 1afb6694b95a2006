"""Games as the rest of the server has them: load, decide, append, try again on a clash. Store, then tell.

Hot games stay decoded, with the frames of their last versions; a cold one is a snapshot plus a short tail of the log.
Every event that this process reads or writes is told through `tell`, in order, at the moment it is known to be in the
log; `set_back` is called with a game whose log has lost what this process knew of it (a store restored from a copy).
"""

import asyncio
import secrets
import string
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from simplesimon.bodies import Log, NewGame
from simplesimon.clock import StoreClock
from simplesimon.diffs import Facts, Frame, diff, frame, logged, row, state
from simplesimon.errors import BadMessage, Damaged, NoSuchGame, NotYourGame, Refused, StaleVersion
from simplesimon.eventlog import SNAPSHOT_EVERY, EventLog, Head, Opened
from simplesimon.game import Command, Dealt, decide
from simplesimon.history import History, begin
from simplesimon.messages import GAME_ID_LENGTH, Row, StateMessage, Visibility
from simplesimon.players import Players
from simplesimon.rules.deal import SEED_BITS, Deal, deal_code, deal_from_code, deal_from_lines
from simplesimon.watching import WatchingCounts

SINCE_LIMIT = 256
"""Versions: who is further behind gets one state in place of the diffs."""
_HOT_GAMES = 2048
_ALPHABET = string.ascii_letters + string.digits


@dataclass(slots=True)
class _Hot:
    """A decoded game. `frames` are contiguous and end at the history's version; the oldest one is there for its chain
    value. Commands to a game take turns by its `lock`."""

    facts: Facts
    history: History
    frames: deque[Frame]
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Service:
    """All games in one store."""

    def __init__(
        self,
        log: EventLog,
        players: Players,
        clock: StoreClock,
        watching: WatchingCounts,
        tell: Callable[[Frame], None],
        set_back: Callable[[str], None],
    ) -> None:
        self._log = log
        self._players = players
        self._clock = clock
        self._watching = watching
        self._tell = tell
        self._set_back = set_back
        self._hot: OrderedDict[str, _Hot] = OrderedDict()

    async def create(self, player_id: str, wanted: NewGame) -> StateMessage:
        """A new game of the player's. Raises what is wrong with the deal."""
        deal = await self._deal(player_id, wanted)
        game_id = "".join(secrets.choice(_ALPHABET) for _ in range(GAME_ID_LENGTH))
        history = begin(Dealt(deal), self._clock.now())
        facts = {"by": player_id, "visibility": wanted.visibility}
        if not await self._log.append(game_id, None, Dealt(deal), history, b"", facts):
            raise RuntimeError(f"the id {game_id} is taken")
        await self._players.remember(player_id, current=game_id, suits=deal.suits)
        return await self.state(game_id, player_id)

    async def state(self, game_id: str, player_id: str | None, *, set_back: bool = False) -> StateMessage:
        """The game as it is now. Raises NoSuchGame also for one that the player may not see."""
        hot = await self._fresh(game_id, player_id)
        [watching] = await self._watching.counts([game_id])
        return state(hot.facts, hot.history, player_id=player_id, watching=watching, set_back=set_back)

    async def since(self, game_id: str, player_id: str | None, since: int, c: str | None) -> list[Frame] | StateMessage:
        """The frames after version `since` of the history that has `c` there; the state, where there are none."""
        hot = await self._fresh(game_id, player_id)
        missing = hot.history.version - since
        if missing > SINCE_LIMIT:
            return await self.state(game_id, player_id)
        if missing >= len(hot.frames):
            hot = await self._open(game_id, since)
            missing = hot.history.version - since
        if missing < 0 or (c is not None and hot.frames[-1 - missing].c != c):
            return await self.state(game_id, player_id, set_back=True)
        return list(hot.frames)[len(hot.frames) - missing :]

    async def command(self, player_id: str | None, game_id: str, version: int, command: Command) -> Frame:
        """Does it. Returns the frame that tells it, once the event is stored and told.

        Raises Refused (by the rules), StaleVersion, NoSuchGame, NotYourGame; Unavailable when the store did not
        confirm it.
        """
        hot = self._hot.get(game_id) or await self._fresh(game_id, player_id)
        if hot.facts.by.id != player_id:
            await self._fresh(game_id, player_id)  # a private game must look like none
            raise NotYourGame("this game is somebody else's: you can watch it")
        async with hot.lock:
            if version != hot.history.version:
                hot = await self._fresh(game_id, player_id)
            before = hot.history
            if version != before.version:
                raise StaleVersion(before.version)
            event = decide(before.game, command)
            after = before.then(event, max(before.at, self._clock.now()))
            told = frame(diff(hot.facts, before, event, after))
            if not await self._log.append(game_id, before, event, after, told.text.encode()):
                raise StaleVersion((await self._fresh(game_id, player_id)).history.version)
            if hot.history is before:  # a reader may have met the event in the log first, and told it
                self._advance(hot, after, told)
        if after.version % SNAPSHOT_EVERY == 0:
            await self._log.keep_snapshot(game_id, after)
        return told

    async def set_visibility(self, game_id: str, player_id: str | None, visibility: Visibility) -> StateMessage:
        """Changes who may see the player's own game. Raises NoSuchGame or NotYourGame."""
        hot = await self._fresh(game_id, player_id)
        if hot.facts.by.id != player_id:
            raise NotYourGame("only its player can say who sees a game")
        await self._log.set_visibility(game_id, visibility)
        return await self.state(game_id, player_id)

    async def log(self, game_id: str, player_id: str | None, since: int) -> Log:
        """The log after version `since`, as it was written.

        Raises NoSuchGame also for one that the player may not see.
        """
        history = (await self._fresh(game_id, player_id)).history
        entries = await self._log.read(game_id, history.version, since)
        deal = history.game.deal
        events = [logged(entry.version, entry.at, entry.event) for entry in entries]
        return Log(game_id, deal.code, deal.lines, events, history.chain.hex())

    async def rows(self, game_ids: Sequence[str]) -> list[tuple[Facts, Row]]:
        """Some games as the lists have them, in the same order, without those that are gone or damaged."""
        heads = await self._log.heads(game_ids)
        watching = await self._watching.counts(game_ids)
        rows = []
        for game_id, head, number in zip(game_ids, heads, watching, strict=True):
            try:
                hot = self._hot.get(game_id)
                if hot is None or Head(hot.history.version, hot.history.c, hot.facts.visibility) != head:
                    hot = await self._load(game_id)
            except (NoSuchGame, Damaged):
                continue
            rows.append((hot, number))
        names = await self._players.who([hot.facts.by.id for hot, _ in rows])
        facts = [replace(hot.facts, by=names[hot.facts.by.id]) for hot, _ in rows]
        return [(known, row(known, hot.history, number)) for known, (hot, number) in zip(facts, rows, strict=True)]

    async def heads(self, game_ids: Sequence[str]) -> list[Head | None]:
        """Where the logs of some games are, in one trip."""
        return await self._log.heads(game_ids)

    async def catch_up(self, game_id: str) -> None:
        """Tells what the log has and this process did not know. Raises NoSuchGame, Damaged or Unavailable."""
        await self._load(game_id)

    def is_played_by(self, game_id: str, player_id: str | None) -> bool:
        """Whether a game that was just read is the player's own."""
        hot = self._hot.get(game_id)
        return hot is not None and hot.facts.by.id == player_id

    async def _fresh(self, game_id: str, player_id: str | None) -> _Hot:
        """The game as the log has it now. Raises NoSuchGame also for one that the player may not see."""
        hot = await self._load(game_id)
        if not hot.facts.is_visible_to(player_id):
            raise NoSuchGame(f"there is no game {game_id!r}")
        return hot

    async def _load(self, game_id: str) -> _Hot:
        hot = self._hot.get(game_id)
        if hot is None:
            return await self._open(game_id)
        self._hot.move_to_end(game_id)
        if not await self._refresh(hot):
            hot = await self._open(game_id)
            self._set_back(game_id)
        return hot

    async def _refresh(self, hot: _Hot) -> bool:
        """Reads what came after what is known of a game; false when that is no longer part of its log."""
        try:
            opened = await self._log.refresh(hot.facts.game_id, hot.history)
            if opened:
                hot.facts = await self._facts(hot.facts.game_id, opened)
                self._replay(hot, opened)
        except Damaged:
            return False  # the log may be sound, and have another history: reading all of it tells
        return opened is not None

    async def _open(self, game_id: str, since: int | None = None) -> _Hot:
        if len(game_id) != GAME_ID_LENGTH or not game_id.isascii() or not game_id.isalnum():
            raise NoSuchGame(f"there is no game {game_id[:40]!r}")
        opened = await self._log.open(game_id, since)
        hot = _Hot(await self._facts(game_id, opened), opened.base, _marked(game_id, opened.base))
        self._replay(hot, opened)
        known = self._hot.get(game_id)
        if known:
            hot.lock = known.lock
        self._hot[game_id] = hot
        if len(self._hot) > _HOT_GAMES:
            self._hot.popitem(last=False)
        return hot

    def _replay(self, hot: _Hot, opened: Opened) -> None:
        game_id = hot.facts.game_id
        for entry in opened.entries:
            before = hot.history
            if entry.version <= before.version:
                continue  # another task met it in the meantime
            try:
                after = before.then(entry.event, entry.at)
            except (Refused, ValueError, IndexError) as error:
                raise Damaged(f"entry {entry.version} of game {game_id} cannot follow the one before") from error
            self._advance(hot, after, frame(diff(hot.facts, before, entry.event, after)))
        version, chain = opened.head
        if hot.history.version < version or (hot.history.version == version and hot.history.chain != chain):
            raise Damaged(f"the log of game {game_id} does not lead to the chain value that it was written with")

    def _advance(self, hot: _Hot, after: History, told: Frame) -> None:
        hot.history = after
        hot.frames.append(told)
        self._tell(told)

    async def _facts(self, game_id: str, opened: Opened) -> Facts:
        names = await self._players.who([opened.by])
        return Facts(game_id, names[opened.by], cast(Visibility, opened.visibility))

    async def _deal(self, player_id: str, wanted: NewGame) -> Deal:
        if sum(choice is not None for choice in (wanted.suits, wanted.code, wanted.columns)) > 1:
            raise BadMessage("a new game has suits, or a code, or columns: one of them at most")
        if wanted.code is not None:
            return deal_from_code(wanted.code)
        if wanted.columns is not None:
            return deal_from_lines(wanted.columns)
        suits = wanted.suits or await self._players.suits_for_next(player_id)
        return deal_from_code(deal_code(suits, secrets.randbits(SEED_BITS)))


def _marked(game_id: str, history: History) -> deque[Frame]:
    """No frames yet: a mark stands in for the one that led to the history, for its version and chain value."""
    return deque([Frame(game_id, history.version, history.c, "")], SINCE_LIMIT + 1)
