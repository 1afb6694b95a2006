"""What the rooms inside a worker can do without sockets: the rules, and the log with fsync on every write."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Iterator
from itertools import chain, cycle
from pathlib import Path

from bench.cases import Figures, Pace
from bench.processes import SERVER, on
from bench.servers import CODE, TO_AND_FRO
from simplesimon import embedded, store
from simplesimon.eventlog import SNAPSHOT_EVERY, EventLog
from simplesimon.game import Dealt, Play, decide
from simplesimon.history import begin
from simplesimon.rules.deal import deal_from_code
from simplesimon.rules.position import Move

DEAL = Dealt(deal_from_code(CODE))
FACTS = {"by": "bench", "visibility": "private"}
DECIDED, APPENDED = 5_000, 2_000


def inside(_pace: Pace) -> Figures:
    """Moves decided a CPU second; moves stored a second on the clock, in 1, 10 and 100 games at once."""
    figures: Figures = {"decided": _decided()}
    with tempfile.TemporaryDirectory() as folder, embedded.running(Path(folder)) as url:
        for games in (1, 10, 100):
            with on(SERVER):
                figures[f"stored {games}"] = asyncio.run(_stored(url, games))
    return figures


def _decided() -> float:
    history, started = begin(DEAL, 0), time.process_time()
    for command in _commands():
        history = history.then(decide(history.game, command), history.at + 1)
        if history.version > DECIDED:
            break
    return DECIDED / (time.process_time() - started)


async def _stored(url: str, games: int) -> float:
    async with store.connect(url) as client:
        log, started = EventLog(client), time.perf_counter()
        await asyncio.gather(*(_play(log, f"inside{games}x{game}", APPENDED // games) for game in range(games)))
        return APPENDED / (time.perf_counter() - started)


async def _play(log: EventLog, game_id: str, events: int) -> None:
    history = begin(DEAL, 1)
    await _must(log.append(game_id, None, DEAL, history, facts=FACTS))
    for command in _commands():
        if history.version >= events:
            return
        event = decide(history.game, command)
        before, history = history, history.then(event, history.at + 1)
        await _must(log.append(game_id, before, event, history))
        if history.version % SNAPSHOT_EVERY == 0:
            await log.keep_snapshot(game_id, history)


async def _must(appending: Awaitable[bool]) -> None:
    if not await appending:
        raise AssertionError("an append clashed though nobody else plays")


def _commands() -> Iterator[Play]:
    return (Play(Move(*move)) for move in chain(TO_AND_FRO[:1], cycle(TO_AND_FRO[1:])))
