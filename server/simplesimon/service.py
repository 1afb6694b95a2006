"""Games as the rest of the server has them: load, decide, append, answer a clash. Store, then tell."""

import asyncio
import secrets
import string
from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from simplesimon.bodies import Log, NewGame
from simplesimon.clock import StoreClock
from simplesimon.commands import Commands
from simplesimon.copies import Beginning, beginning
from simplesimon.deals import Deals
from simplesimon.diffs import Facts, Frame, as_now, logged, row, state
from simplesimon.entries import Head
from simplesimon.errors import (
    BadMessage,
    Damaged,
    NoSuchGame,
    NoSuchVersion,
    NotYourGame,
)
from simplesimon.eventlog import EventLog
from simplesimon.game import Command, Dealt
from simplesimon.history import begin
from simplesimon.hotgames import SINCE_LIMIT, Hot, HotGames
from simplesimon.messages import GAME_ID_LENGTH, Origin, Row, StateMessage, Visibility
from simplesimon.players import Players
from simplesimon.rules.deal import SEED_BITS, Deal, deal_code, deal_from_code, deal_from_lines
from simplesimon.tasks import Tasks, both, settle
from simplesimon.watching import WatchingCounts

_MOVING_MS = 1000
_ALPHABET = string.ascii_letters + string.digits


class Service:
    """All games in one store."""

    def __init__(
        self,
        log: EventLog,
        players: Players,
        deals: Deals,
        clock: StoreClock,
        watching: WatchingCounts,
        tell: Callable[[Frame], None],
        set_back: Callable[[str], None],
        in_hand: Tasks,
    ) -> None:
        """What a command leaves to be done is `in_hand`."""
        self._log = log
        self._players = players
        self._deals = deals
        self._clock = clock
        self._watching = watching
        self._games = HotGames(log, players, tell, set_back)
        self.commands = Commands(self._games, log, deals, clock, in_hand)

    async def create(self, player_id: str, wanted: NewGame, given: Deal | Beginning | None) -> StateMessage:
        """A new game of the player's, of what is `given`, or of a random deal."""
        game_id = "".join(secrets.choice(_ALPHABET) for _ in range(GAME_ID_LENGTH))
        facts = {"by": player_id, "visibility": wanted.visibility or "public"}
        suits = None
        if isinstance(given, Beginning):
            facts["visibility"] = wanted.visibility or given.visibility
            await self._deals.begin(player_id, given.history.game.deal, game_id)
            parts = (given.entries, given.history, given.snapshots, facts, given.origin)
            is_stored = await self._log.write(game_id, *parts, is_hidden=given.visibility != "public")
        else:
            deal = given or await self._random_deal(player_id, wanted)
            suits = deal.suits
            await self._deals.begin(player_id, deal, game_id)
            is_stored = await self._log.append(
                game_id, None, Dealt(deal), begin(Dealt(deal), self._clock.now()), facts=facts
            )
        if not is_stored:
            raise RuntimeError(f"the id {game_id} is taken")
        await self._players.remember(player_id, current=game_id, suits=suits)
        return await self.state(game_id, player_id)

    async def beginning(self, origin: Origin, player_id: str | None, check_pace: Callable[[int], None]) -> Beginning:
        """What a game begins with that is played on from `origin`. `check_pace` hears how many events are to be read.

        Raises NoSuchGame also for one that the player may not see; NoSuchVersion; Damaged; what `check_pace` does.
        """
        hot = await self._games.seen(origin.g, player_id)
        history = hot.history
        if not 1 <= origin.v <= history.version:
            raise NoSuchVersion(f"the game has no version {origin.v}: it is at version {history.version}")
        check_pace(history.version)
        entries = await self._log.read(origin.g, history.version, history.at, 0)
        return await beginning(origin, hot.facts.visibility, entries, history.chain)

    async def state(self, game_id: str, player_id: str | None, *, set_back: bool = False) -> StateMessage:
        """The game as it is now. Raises NoSuchGame also for one that the player may not see."""
        seen, counts = self._games.seen(game_id, player_id), self._watching.counts([game_id])
        hot, [watching] = await both(seen, counts)
        return state(hot.facts, hot.history, player_id=player_id, watching=watching, set_back=set_back)

    async def since(self, game_id: str, player_id: str | None, since: int, c: str | None) -> list[Frame] | StateMessage:
        """The frames of version `since` (only to tell what it is) and after it of the history that has `c` there; the
        state, where there are none.
        """
        hot = await self._games.seen(game_id, player_id)
        if len(hot.frames) <= hot.history.version - since <= SINCE_LIMIT:
            hot = await self._games.reach_back(game_id)
        missing = hot.history.version - since
        if missing >= len(hot.frames):
            return await self.state(game_id, player_id)
        if missing < 0 or (c is not None and hot.frames[-1 - missing].c != c):
            return await self.state(game_id, player_id, set_back=True)
        return [as_now(told, hot.facts) for told in list(hot.frames)[-1 - missing :]]

    async def command(self, player_id: str | None, game_id: str, version: int, command: Command) -> Frame:
        """Does it: `commands.begin`, for who waits for what becomes of it."""
        told: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        await self.commands.begin(player_id, game_id, version, command, partial(settle, told))
        return await told

    async def set_visibility(self, game_id: str, player_id: str | None, visibility: Visibility) -> StateMessage:
        """Changes who may see the player's own game. Raises NoSuchGame or NotYourGame."""
        hot = await self._games.seen(game_id, player_id)
        if hot.facts.by.id != player_id:
            raise NotYourGame("only its player can say who sees a game")
        await self._log.set_visibility(game_id, visibility)
        return await self.state(game_id, player_id)

    async def log(self, game_id: str, player_id: str | None, since: int, check_pace: Callable[[int], None]) -> Log:
        """The log after version `since`, as it was written. `check_pace` hears how many events are to be read.

        Raises NoSuchGame also for one that the player may not see; what `check_pace` does.
        """
        history = (await self._games.seen(game_id, player_id)).history
        check_pace(history.version - since)
        entries = await self._log.read(game_id, history.version, history.at, since)
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
                hot = self._games.get(game_id)
                if hot is None or not self._is_as_new(hot, head):
                    hot = await self._games.load(game_id)
            except (NoSuchGame, Damaged):
                continue
            rows.append((hot, number))
        names = await self._players.who([hot.facts.by.id for hot, _ in rows])
        facts = [replace(hot.facts, by=names[hot.facts.by.id]) for hot, _ in rows]
        return [(known, row(known, hot.history, number)) for known, (hot, number) in zip(facts, rows, strict=True)]

    def _is_as_new(self, hot: Hot, head: Head | None) -> bool:
        """Whether a game at hand is as its log was when the head was read, or has just gone on from there."""
        is_moving = self._clock.now() - hot.history.at < _MOVING_MS
        if head and is_moving and hot.history.version > head.version:
            return hot.facts.visibility == head.visibility
        return Head(hot.history.version, hot.history.c, hot.facts.visibility, hot.facts.by.id) == head

    async def heads(self, game_ids: Sequence[str]) -> list[Head | None]:
        """Where the logs of some games are, in one trip."""
        return await self._log.heads(game_ids)

    async def deal(self, game_id: str) -> Deal:
        """The deal of a game. Raises NoSuchGame, Damaged or Unavailable."""
        return (await self._games.load(game_id)).history.game.deal

    async def catch_up(self, game_id: str) -> tuple[int, str]:
        """Tells what the log has and this process did not know. Its version and `c`.

        Raises NoSuchGame, Damaged or Unavailable.
        """
        history = (await self._games.load(game_id)).history
        return history.version, history.c

    def is_played_by(self, game_id: str, player_id: str | None) -> bool:
        """Whether a game that was just read is the player's own."""
        hot = self._games.get(game_id)
        return hot is not None and hot.facts.by.id == player_id

    async def _random_deal(self, player_id: str, wanted: NewGame) -> Deal:
        suits = wanted.suits or await self._players.suits_for_next(player_id)
        return deal_from_code(deal_code(suits, secrets.randbits(SEED_BITS)))


def given_deal(wanted: NewGame) -> Deal | None:
    """The deal that is named or given in full; None where none is. Raises what is wrong with it."""
    choices = (wanted.suits, wanted.code, wanted.columns, wanted.origin, wanted.file)
    if sum(choice is not None for choice in choices) > 1:
        raise BadMessage("a new game has suits, a code, columns, or is from a game or a file: one of them at most")
    if wanted.code is not None:
        return deal_from_code(wanted.code)
    return None if wanted.columns is None else deal_from_lines(wanted.columns)
