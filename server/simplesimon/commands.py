"""What players want done: decide, append, answer a clash. Store, then tell.

Nothing here waits where the game is at hand: who asked hears by a callback, without a task or a coroutine.
"""

import contextlib
from collections.abc import Callable, Coroutine
from functools import partial

from simplesimon.clock import StoreClock
from simplesimon.deals import Deals
from simplesimon.diffs import Facts, Frame, diff, frame, published
from simplesimon.errors import NotYourGame, Refused, StaleVersion, Unavailable
from simplesimon.eventlog import SNAPSHOT_EVERY, EventLog
from simplesimon.game import Command, decide
from simplesimon.history import History
from simplesimon.hotgames import Hot, HotGames
from simplesimon.messages import StateMessage, encode
from simplesimon.tasks import Tasks

Done = Callable[[Frame | Exception], None]
"""Hears what became of a command: the frame that tells it, once it is stored and told, or why there is none."""

Again = Callable[[], Coroutine[None, None, None]]


class Commands:
    """The commands of all games; what one leaves to be done is `in_hand`."""

    def __init__(self, games: HotGames, log: EventLog, deals: Deals, clock: StoreClock, in_hand: Tasks) -> None:
        self._games = games
        self._log = log
        self._deals = deals
        self._clock = clock
        self._in_hand = in_hand

    async def begin(self, player_id: str | None, game_id: str, version: int, command: Command, done: Done) -> None:
        """Decides, and sends the event to the log. Commands that begin in order are stored in order, and need not wait
        for one another.

        Raises Refused (by the rules), StaleVersion, NoSuchGame, NotYourGame; `done` may hear of StaleVersion, and of
        Unavailable when the store did not confirm it.
        """
        hot = self._games.get(game_id) or await self._games.seen(game_id, player_id)
        if hot.facts.by.id != player_id:
            await self._games.seen(game_id, player_id)  # a private game must look like none
            raise NotYourGame("this game is somebody else's: you can watch it")
        was_read = False
        while not self._append(hot, version, command, done, was_read=was_read):
            await hot.settled()
            hot = await self._games.seen(game_id, player_id)
            at = hot.history.version
            if version < at or (version > at and not hot.under_way):  # else it waits for what may come to nothing
                raise StaleVersion(at)
            was_read = True

    def begin_at_once(self, player_id: str | None, game_id: str, version: int, command: Command, done: Done) -> bool:
        """`begin`, where nothing needs to be waited for; false where something does."""
        hot = self._games.get(game_id)
        return hot is not None and hot.facts.by.id == player_id and self._append(hot, version, command, done)

    def _append(self, hot: Hot, version: int, command: Command, done: Done, *, was_read: bool = False) -> bool:
        """False when this has to wait for what is under way, which is told before any refusal, or for a reading."""
        before = hot.tip or hot.history
        if version != before.version:
            return False
        try:
            event = decide(before.game, command)
        except Refused:
            if hot.under_way or not was_read:  # the game may have gone on elsewhere: then it is stale
                return False
            raise
        after = before.then(event, max(before.at, self._clock.now()))
        message = diff(hot.facts, before, event, after)
        if isinstance(message, StateMessage) and not was_read:
            return False  # it also says who may see the game, which may have been changed elsewhere
        payload = encode(message)
        # when what this is built on fails, the version that was named may be there all the same, made by another device
        again = partial(self.begin, hot.facts.by.id, hot.facts.game_id, version, command, done) if hot.tip else None
        c = before.c
        stored = partial(self._stored, hot, before, after, frame(message, payload, c), done, again)
        send = partial(self._log.send, hot.facts.game_id, before, event, after, stored, published(payload, c))
        if after.game.state.is_won:
            self._in_hand.spawn(self._win(hot.facts, after, send, stored))
        else:
            send()
        hot.lead_to(after)
        return True

    async def _win(
        self, facts: Facts, won: History, send: Callable[[], None], stored: Callable[[bool | Exception], None]
    ) -> None:
        try:
            await self._deals.winning(facts, won)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer to who waits
            stored(error)
        else:
            send()

    def _stored(
        self,
        hot: Hot,
        before: History,
        after: History,
        told: Frame,
        done: Done,
        again: Again | None,
        answer: bool | Exception,
    ) -> None:
        hot.arrive(answer is True)
        if isinstance(answer, Exception):
            done(answer)
        elif answer and hot.history.chain == before.chain:
            self._games.advance(hot, after, told)
            done(told)
        else:
            self._in_hand.spawn(self._read_on(hot, told, done, again, is_stored=answer))
        if answer is True and after.version % SNAPSHOT_EVERY == 0:
            self._in_hand.spawn(self._keep_snapshot(told.game_id, after))

    async def _read_on(self, hot: Hot, told: Frame, done: Done, again: Again | None, *, is_stored: bool) -> None:
        """The log has another event than was expected, or one that is known here already."""
        answer: Frame | Exception = told
        try:
            if not is_stored:
                hot = await self._games.load(told.game_id)
                if again and hot.history.version < told.v:
                    await again()
                    return
                answer = StaleVersion(hot.history.version)
            elif hot.history.version < told.v:
                await self._games.load(told.game_id)
        except Exception as error:  # noqa: BLE001 - as above
            answer = error
        done(answer)

    async def _keep_snapshot(self, game_id: str, history: History) -> None:
        with contextlib.suppress(Unavailable):  # it would only save time
            await self._log.keep_snapshot(game_id, history)
