"""Which games there are of a deal: those that a player has begun, and everybody's won ones, fewest moves first.

Law: these lists may name a game too many, never one too few, so they are written before the log is; whoever reads them
asks the games themselves. All of it can be made again from the logs.
"""

import hashlib
from collections.abc import Iterable
from functools import partial

from simplesimon.diffs import Facts
from simplesimon.history import History
from simplesimon.rules.deal import Deal
from simplesimon.store import Redis, ask

_FORMAT = "deals:format"
_BUILT = "1"


class Deals:
    """The lists in one store."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def begin(self, player_id: str, deal: Deal, game_id: str) -> None:
        """The player is about to have a game of this deal, by whatever name it was dealt."""
        await ask(lambda: self._client.sadd(_begun(player_id, deal), game_id))

    async def begun(self, player_id: str, deal: Deal) -> list[str]:
        """The games of this deal that the player has begun and, as far as is known, not won."""
        found = await ask(lambda: self._client.smembers(_begun(player_id, deal)))
        return [game_id.decode(errors="replace") for game_id in found]

    async def end(self, player_id: str, deal: Deal, game_ids: Iterable[str]) -> None:
        """These are won, which nothing changes any more."""
        await ask(lambda: self._client.srem(_begun(player_id, deal), *game_ids))

    async def win(self, code: str, game_id: str, moves: int, at: int) -> None:
        """The game is about to be won, or its player lets everybody see that it was."""
        order = moves * 2**32 + at // 1000  # of as many moves the first; exact in a double up to 2^21 moves
        await ask(lambda: self._client.zadd(_won(code), {game_id: order}))

    async def winning(self, facts: Facts, won: History) -> None:
        """The log is about to say that a game is won. What others played part of is nobody's own win."""
        code, now = won.game.deal.code, won.game.state
        if code is not None and not facts.is_copy:
            await self.win(code, facts.game_id, now.moves, won.at)

    async def hide(self, code: str, game_id: str) -> None:
        """The game is public no longer."""
        await ask(lambda: self._client.zrem(_won(code), game_id))

    async def won(self, code: str, after: str | None, limit: int) -> list[str]:
        """Won games of the deal, those of the fewest moves first, after the one of this id."""
        rank = await ask(lambda: self._client.zrank(_won(code), after)) if after else -1
        if rank is None or limit < 1:
            return []
        found = await ask(lambda: self._client.zrange(_won(code), rank + 1, rank + limit))
        return [game_id.decode(errors="replace") for game_id in found]

    async def is_built(self) -> bool:
        """Whether the lists have been made from the logs that were there before them."""
        return bool(await ask(partial(self._client.get, _FORMAT)) == _BUILT.encode())

    async def built(self) -> None:
        """They are now."""
        await ask(lambda: self._client.set(_FORMAT, _BUILT))


def _begun(player_id: str, deal: Deal) -> str:
    cards = hashlib.sha256("/".join(deal.lines).encode()).hexdigest()
    return f"player:{player_id}:deal:{cards[:16]}"


def _won(code: str) -> str:
    return f"deal:{code}:won"
