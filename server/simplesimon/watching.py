"""How many spectators each game has, over all processes.

Each process keeps its own number in a hash of the game, with the time, and says it again before it grows old: the
number of a process that died is left out after a while.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from simplesimon.clock import StoreClock
from simplesimon.errors import Unavailable
from simplesimon.messages import Watching, encode
from simplesimon.store import Redis
from simplesimon.telling import channel, publish
from simplesimon.trips import trip

TICK_S = 1.0
"""A game's number is told at most this often."""
_SAY_AGAIN_TICKS = 10
_OLD_AFTER_MS = 30_000

log = logging.getLogger(__name__)


class WatchingCounts:
    """Counts this process's spectators, by the name of `worker`, and adds up everybody's."""

    def __init__(self, client: Redis, clock: StoreClock, worker: str) -> None:
        self._client = client
        self._clock = clock
        self._worker = worker
        self._local: Counter[str] = Counter()
        self._changed: set[str] = set()
        self._totals: dict[str, int] = {}

    def join(self, game_id: str) -> None:
        """One spectator more."""
        self._local[game_id] += 1
        self._changed.add(game_id)

    def leave(self, game_id: str) -> None:
        """One spectator less."""
        self._local[game_id] -= 1
        self._changed.add(game_id)

    async def counts(self, game_ids: Sequence[str]) -> list[int]:
        """Spectators of some games, as of a second ago at most."""
        found = await trip(
            self._client, lambda pipe: [pipe.hvals(_key(game_id)) for game_id in game_ids], is_lenient=True
        )
        oldest = self._clock.now() - _OLD_AFTER_MS
        return [_total(values or (), oldest) for values in found]

    async def run(self, changed: Callable[[Iterable[str]], None]) -> None:
        """Tells all processes, once a second; `changed` is called with the games whose number may be another one."""
        tick = 0
        while True:
            await asyncio.sleep(TICK_S)
            tick += 1
            games = set(self._local) if tick % _SAY_AGAIN_TICKS == 0 else self._changed
            self._changed = set()
            if games:
                try:
                    changed(await self._say(sorted(games)))
                except Unavailable:
                    self._changed |= games

    async def stop(self) -> None:
        """This process has no spectators any more. Raises Unavailable."""
        games = sorted({*self._local, *self._changed})
        self._local.clear()
        if games:
            await self._say(games)

    async def _say(self, games: list[str]) -> list[str]:
        """The games that have another number of spectators than when it was last said here."""
        now = self._clock.now()

        def write(pipe: Any) -> None:
            for game_id in games:
                self._write(pipe, game_id, now)

        await trip(self._client, write, is_lenient=True)
        totals = dict(zip(games, await self.counts(games), strict=True))
        await publish(self._client, [(game_id, encode(Watching(game_id, n))) for game_id, n in totals.items()])
        changed = [game_id for game_id, number in totals.items() if self._totals.get(game_id) != number]
        self._totals |= totals
        for game_id in games:
            if not self._local[game_id]:
                del self._local[game_id]
                del self._totals[game_id]
        return changed

    def _write(self, pipe: Any, game_id: str, now: int) -> None:
        if self._local[game_id]:
            pipe.hset(_key(game_id), self._worker, f"{self._local[game_id]} {now}")
            pipe.pexpire(_key(game_id), 2 * _OLD_AFTER_MS)
        else:
            pipe.hdel(_key(game_id), self._worker)


def _key(game_id: str) -> str:
    return f"{channel(game_id)}:watching"


def _total(values: Iterable[bytes], oldest: int) -> int:
    """The sum of the numbers that are not old; a value is `NUMBER TIME`."""
    pairs = (value.split() for value in values)
    return sum(int(number) for number, at in pairs if int(at) > oldest)
