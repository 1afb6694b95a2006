"""The lists of games: everybody's public ones, the most recently moved first, and each player's own.

Lists are folds over the logs and follow them: half a second behind at most, in one trip for all games that changed,
however often each of them did.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, cast

import msgspec

from simplesimon.diffs import Facts
from simplesimon.entries import Head
from simplesimon.errors import Unavailable
from simplesimon.feed import LOBBY
from simplesimon.listing import Change, change
from simplesimon.messages import GameRow, Row, StateMessage, Unlisted, encode
from simplesimon.store import Redis, ask
from simplesimon.trips import trip

TICK_S = 0.5
PAGE_LIMIT = 100
SILENT_MS = 60_000
"""A game that is moved in after such a silence comes back into play."""

_PUBLIC = "games:public"


class Lobby:
    """The lists, and what changes in them; `rows` gives some games as the lists have them, `heads` who may see them."""

    def __init__(
        self,
        client: Redis,
        rows: Callable[[Sequence[str]], Awaitable[list[tuple[Facts, Row]]]],
        heads: Callable[[Sequence[str]], Awaitable[list[Head | None]]],
    ) -> None:
        self._client = client
        self._rows = rows
        self._heads = heads
        self._changed: set[str] = set()
        self._new: set[str] = set()
        self._told: dict[str, str] = {}  # and by whom: not looked at since

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
        self._new.add(game.g)
        self.changed([game.g])

    async def remove(self, game_id: str, player_id: str) -> None:
        """Takes a game that is public no longer from the list, at once; of one that was not in it nobody is told."""
        if await ask(lambda: self._client.zscore(_PUBLIC, game_id)) is not None:
            await self._publish([change(Unlisted(game_id), player_id, is_news=True)])
            await ask(lambda: self._client.zrem(_PUBLIC, game_id))  # last: who asks again after a fault is told again

    async def public(self, limit: int, before: str | None = None) -> list[Row]:
        """Public games, the most recently moved first; `before` is the `at`, or the id, of the last one seen."""
        page = await self._page(_PUBLIC, limit, before)
        return [row for facts, row in page if facts.visibility == "public"]  # one may just have ceased to be

    async def public_of(self, player_id: str) -> list[Row]:
        """One player's public games, the most recently moved first: their newest, and those among everybody's."""
        own = [row for facts, row in await self.own(player_id, PAGE_LIMIT) if facts.visibility == "public"]
        found = {row.g: row for row in (*own, *await self.public(PAGE_LIMIT)) if row.by.id == player_id}
        return sorted(found.values(), key=lambda row: row.at, reverse=True)[:PAGE_LIMIT]

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
                    self._new |= games  # the list may have what nobody was told of

    async def _tell(self, games: list[str]) -> None:
        rows = [row for facts, row in await self._rows(games) if facts.visibility == "public"]
        if rows:
            self._told |= {row.g: row.by.id for row in rows}
            before = await self._place(rows)
            news = [row.g in self._new or _is_news(row, at) for row, at in zip(rows, before, strict=True)]
            changes = [
                change(GameRow(**msgspec.structs.asdict(row)), row.by.id, is_news=is_news)
                for row, is_news in zip(rows, news, strict=True)
            ]
            await self._publish(changes)
        await self._take_back()
        self._new.difference_update(games)

    async def _take_back(self) -> None:
        """Of games that were hidden while they were told: they may have come into the list again after they left."""
        heads = await self._heads(list(self._told)) if self._told else []
        hidden = [g for g, head in zip(self._told, heads, strict=True) if head and head.visibility != "public"]
        if hidden:
            await ask(lambda: self._client.zrem(_PUBLIC, *hidden))
            await self._publish([change(Unlisted(g), self._told[g], is_news=True) for g in hidden])
        self._told = {}

    async def _place(self, rows: Sequence[Row]) -> Sequence[float | None]:
        """Puts games where they belong in the list; when each had last been moved in as the list had it, if it did."""

        def write(pipe: Any) -> None:
            pipe.zmscore(_PUBLIC, [row.g for row in rows])
            pipe.zadd(_PUBLIC, {row.g: row.at for row in rows})

        before, _ = await trip(self._client, write)
        return cast(Sequence[float | None], before)

    async def _publish(self, changes: Sequence[Change]) -> None:
        """Tells every worker, in one message."""
        await ask(lambda: self._client.publish(LOBBY, encode(changes)))

    async def _page(self, key: str, limit: int, before: str | None) -> list[tuple[Facts, Row]]:
        if not before or (before.isascii() and before.isdigit()):
            newest = f"({before}" if before else "+inf"
            found = await ask(lambda: self._client.zrevrangebyscore(key, newest, "-inf", 0, limit))
        else:
            rank = await ask(lambda: self._client.zrevrank(key, before))
            if rank is None or not limit:
                return []
            found = await ask(lambda: self._client.zrevrange(key, rank + 1, rank + limit))
        return await self._rows([game_id.decode(errors="replace") for game_id in found])


def _is_news(row: Row, before: float | None) -> bool:
    """Whether a game that was last moved in at `before` comes into the list, or back into play, or was just won."""
    return before is None or row.at - before > SILENT_MS or (row.won and row.at > before)


def _own(player_id: str) -> str:
    return f"player:{player_id}:games"
