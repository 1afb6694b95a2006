"""The lists of games: everybody's public ones, the most recently moved first, and each player's own.

Lists are folds over the logs and follow them: half a second behind at most, in one trip for all games that changed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import msgspec

from simplesimon.diffs import Facts
from simplesimon.errors import Unavailable
from simplesimon.feed import LOBBY
from simplesimon.messages import GameRow, Row, StateMessage, Unlisted, encode
from simplesimon.store import Redis, ask, trip

TICK_S = 0.5
PAGE_LIMIT = 100

_PUBLIC = "games:public"


class Lobby:
    """The lists, and what changes in them; `rows` gives some games as the lists have them."""

    def __init__(self, client: Redis, rows: Callable[[Sequence[str]], Awaitable[list[tuple[Facts, Row]]]]) -> None:
        self._client = client
        self._rows = rows
        self._changed: set[str] = set()

    def changed(self, game_ids: Iterable[str]) -> None:
        """These games have moved, or have more or fewer spectators."""
        self._changed.update(game_ids)

    async def add(self, game: StateMessage, at: int) -> None:
        """Puts a game that is new at this time into its lists; its last move may be older, where it is from another."""

        def write(pipe: Any) -> None:
            pipe.zadd(_own(game.by.id), {game.g: at})
            if game.visibility == "public":
                pipe.zadd(_PUBLIC, {game.g: game.at})

        await trip(self._client, write)
        self.changed([game.g])

    async def remove(self, game_id: str) -> None:
        """Takes a game that is public no longer from the list, at once."""
        await ask(lambda: self._client.zrem(_PUBLIC, game_id))
        await self._publish([Unlisted(game_id)])

    async def public(self, limit: int, before: str | None = None) -> list[Row]:
        """Public games, the most recently moved first; `before` is the `at`, or the id, of the last one seen."""
        page = await self._page(_PUBLIC, limit, before)
        return [row for facts, row in page if facts.visibility == "public"]  # one may just have ceased to be

    async def own(self, player_id: str, limit: int, before: str | None = None) -> list[tuple[Facts, Row]]:
        """A player's games, the newest first."""
        return await self._page(_own(player_id), limit, before)

    async def run(self) -> None:
        """Tells of the games that changed, until cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            games, self._changed = self._changed, set()
            if games:
                try:
                    await self._tell(sorted(games))
                except Unavailable:
                    self._changed |= games

    async def _tell(self, games: list[str]) -> None:
        rows = [row for facts, row in await self._rows(games) if facts.visibility == "public"]
        if rows:
            await ask(lambda: self._client.zadd(_PUBLIC, {row.g: row.at for row in rows}))
            await self._publish([GameRow(**msgspec.structs.asdict(row)) for row in rows])

    async def _publish(self, changes: Sequence[GameRow | Unlisted]) -> None:
        """Tells every worker, in one message of a line for each change."""
        await ask(lambda: self._client.publish(LOBBY, b"\n".join(map(encode, changes))))

    async def _page(self, key: str, limit: int, before: str | None) -> list[tuple[Facts, Row]]:
        if not before or (before.isascii() and before.isdigit()):
            newest = f"({before}" if before else "+inf"
            found = await ask(lambda: self._client.zrevrangebyscore(key, newest, "-inf", 0, limit))
        else:
            rank = await ask(lambda: self._client.zrevrank(key, before))
            if rank is None or not limit:
                return []
            found = await ask(lambda: self._client.zrevrange(key, rank + 1, rank + limit))
        return await self._rows([game_id.decode() for game_id in found])


def _own(player_id: str) -> str:
    return f"player:{player_id}:games"
