"""How a deal went for everybody: its won games, for whoever has none of it under way, lest they act as a hint."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise

import msgspec

from simplesimon.bodies import Best, DealGames, DealRow
from simplesimon.deals import Deals
from simplesimon.diffs import Facts
from simplesimon.errors import UnfinishedGame
from simplesimon.eventlog import EventLog
from simplesimon.messages import Row, StateMessage
from simplesimon.rules.deal import Deal, deal_from_code

LONGEST_THOUGHT_MS = 60_000
"""A longer pause is somebody having tea, not thinking; as the clock of the page counts."""
_REMEMBERED = 4096
_AT_ONCE = 100

Rows = Callable[[Sequence[str]], Awaitable[list[tuple[Facts, Row]]]]


class Results:
    """The won games of each deal; `rows` gives some games as the lists have them."""

    def __init__(self, deals: Deals, rows: Rows, log: EventLog) -> None:
        self._deals = deals
        self._rows = rows
        self._log = log
        self._played: dict[tuple[str, int], int] = {}

    async def page(self, code: str, player_id: str | None, limit: int, before: str | None) -> DealGames:
        """Won games of a deal, those of the best score and fewest moves first, after the one with the id `before`.

        Raises UnfinishedGame where the player has one of it.
        """
        deal = deal_from_code(code)
        if player_id and await self._is_playing(player_id, deal):
            raise UnfinishedGame("you have a game of this deal under way: how others won it is told when yours is won")
        best = [Best(row.score, row.moves) for row in await self._won(code, None, 1)]
        games = [await self._timed(row) for row in await self._won(code, before, limit)]
        return DealGames(code, deal.suits, deal.lines, best[0] if best else None, games)

    async def show(self, state: StateMessage) -> None:
        """Its player has said who may see a game."""
        if state.code and state.won and state.visibility == "public":
            await self._list(await self._rows([state.g]))
        elif state.code:
            await self._deals.hide(state.code, state.g)

    async def build(self, deal_of: Callable[[str], Awaitable[Deal]]) -> None:
        """Makes the lists from the logs of all games, where they were not made yet."""
        if not await self._deals.is_built():
            async for game_ids in self._log.ids():
                rows = await self._rows(game_ids)
                for facts, row in rows:
                    await self._deals.begin(facts.by.id, await deal_of(row.g), row.g)
                await self._list(rows)
            await self._deals.built()

    async def _list(self, rows: list[tuple[Facts, Row]]) -> None:
        """Lists those that belong there."""
        for facts, row in rows:
            if _belongs(facts, row, row.code) and row.code:
                await self._deals.win(row.code, row.g, row.moves, row.at)

    async def _is_playing(self, player_id: str, deal: Deal) -> bool:
        begun = await self._deals.begun(player_id, deal)
        rows = [row for at in range(0, len(begun), _AT_ONCE) for _, row in await self._rows(begun[at : at + _AT_ONCE])]
        won = [row.g for row in rows if row.won]
        if won:
            await self._deals.end(player_id, deal, won)
        return len(won) < len(rows)

    async def _won(self, code: str, after: str | None, limit: int) -> list[Row]:
        found: list[Row] = []
        at_once = limit
        while len(found) < limit and (game_ids := await self._deals.won(code, after, at_once)):
            after, at_once = game_ids[-1], _AT_ONCE  # where some do not belong there may be many that do not
            found += [row for facts, row in await self._rows(game_ids) if _belongs(facts, row, code)]
        return found[:limit]

    async def _timed(self, row: Row) -> DealRow:
        key = row.g, row.at
        if key not in self._played:
            if len(self._played) >= _REMEMBERED:
                self._played.clear()
            self._played[key] = played_ms([entry.at for entry in await self._log.read(row.g, row.v, row.at, 0)])
        return DealRow(**msgspec.structs.asdict(row), time=self._played[key])


def played_ms(times: Sequence[int]) -> int:
    """How long a game of these events was played."""
    return sum(min(LONGEST_THOUGHT_MS, later - at) for at, later in pairwise(times))


def _belongs(facts: Facts, row: Row, code: str | None) -> bool:
    return row.won and row.code == code and facts.visibility == "public" and not facts.is_copy
