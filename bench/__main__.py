"""Prints one table: how fast the core, the log and a worker are, on this machine, with fsync on every write.

Each row is measured several times in turn; the median is what to quote, the spread says how much the machine was
disturbed.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Iterator
from itertools import cycle
from pathlib import Path

from bench.fanout import fan_out
from simplesimon import embedded, store
from simplesimon.eventlog import SNAPSHOT_EVERY, EventLog
from simplesimon.game import Command, Dealt, Play, decide
from simplesimon.history import History, begin
from simplesimon.rules.deal import deal_from_code
from simplesimon.rules.position import Move

ROUNDS = 5
DEAL = Dealt(deal_from_code("SS1-S4-PIX6EA6"))
FIRST, THERE, BACK = Play(Move(0, 1, 8)), Play(Move(8, 1, 9)), Play(Move(9, 1, 8))
"""A deal in which one card may go to and fro for ever."""
FACTS = {"by": "bench", "visibility": "private"}


def main() -> None:
    """Runs all rows."""
    print(f"{'what':58} {'median':>10} {'least':>10} {'most':>10}")
    _row("core: decide, evolve, chain; moves a second", [_core(5_000) for _ in range(ROUNDS)])
    with tempfile.TemporaryDirectory() as folder, embedded.running(Path(folder)) as url:
        asyncio.run(_log_rows(url))
        asyncio.run(_worker_rows(url))


def _row(name: str, figures: list[float]) -> None:
    figures = [statistics.median(figures), min(figures), max(figures)]
    print(f"{name:58} " + " ".join(f"{figure:10,.2f}" if figure < 100 else f"{figure:10,.0f}" for figure in figures))


def _core(moves: int) -> float:
    history, commands = begin(DEAL, 0), _commands()
    started = time.perf_counter()
    for command in commands:
        history = history.then(decide(history.game, command), history.at + 1)
        if history.version > moves:
            return moves / (time.perf_counter() - started)
    raise AssertionError("the commands never end")


async def _log_rows(url: str) -> None:
    async with store.connect(url) as client:
        log = EventLog(client)
        for games in (1, 10, 100):
            name = f"log: appends a second, {games} game(s) at once"
            _row(name, [await _appends(log, f"a{games}x{turn}x", games, 2_000) for turn in range(ROUNDS)])
        for events in (20, 2_000, 20_000):
            await _play(log, f"o{events}", events)
            _row(
                f"log: opening a game of {events} events, ms",
                [await _opening(log, f"o{events}") for _ in range(ROUNDS)],
            )


async def _worker_rows(url: str) -> None:
    for spectators in (10, 100, 300):
        rows = [await fan_out(url, spectators, DEAL.deal.code or "") for _ in range(ROUNDS)]
        _row(f"worker: a move until all of {spectators} spectators have it, ms", rows)


async def _appends(log: EventLog, name: str, games: int, count: int) -> float:
    async def one(game: int) -> None:
        await _play(log, f"{name}{game}", count // games)

    started = time.perf_counter()
    await asyncio.gather(*map(one, range(games)))
    return count / (time.perf_counter() - started)


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


async def _opening(log: EventLog, game_id: str) -> float:
    started = time.perf_counter()
    opened = await log.open(game_id)
    history: History = opened.base
    for entry in opened.entries:
        history = history.then(entry.event, entry.at)
    assert history.version == opened.head[0]
    return (time.perf_counter() - started) * 1e3


async def _must(appending: Awaitable[bool]) -> None:
    if not await appending:
        raise AssertionError("an append clashed though nobody else plays")


def _commands() -> Iterator[Command]:
    yield FIRST
    yield from cycle([THERE, BACK])


if __name__ == "__main__":
    main()
