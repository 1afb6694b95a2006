"""How often each fault strikes: a few times in `make test`, for as long as asked in `make soak`; and the figures."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from clients import GUARD_S
from system.load import Run

from simplesimon.store import Redis

SOAK_S = float(os.environ.get("SOAK_S", "0"))
"""Seconds for each fault; 0: a few rounds."""
FIGURES = os.environ.get("SOAK_FIGURES")
"""A file to which each fault adds a line of JSON."""

GAMES, SPECTATORS = (50, 10) if SOAK_S else (8, 4)


def rounds(few: int) -> Iterator[int]:
    """The numbers of the rounds."""
    ends = time.monotonic() + SOAK_S
    number = 0
    while number < few or time.monotonic() < ends:
        yield number
        number += 1


def seed() -> int:
    """Of a run: from SOAK_SEED, to try again what went wrong, or from the time."""
    return int(os.environ.get("SOAK_SEED", time.time_ns() % 10**9))


async def until(is_so: Callable[[], bool]) -> None:
    """Returns when it is so; asked in a thread, so that the games go on."""

    def ask() -> None:
        deadline = time.monotonic() + GUARD_S
        while not is_so():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    await asyncio.to_thread(ask)


async def all_listen(client: Redis, workers: int) -> None:
    """Returns when so many workers are at work: each listens to what the store tells."""
    async with asyncio.timeout(GUARD_S):
        while len(await client.client_list(_type="pubsub")) < workers:
            pass


def report(fault: str, struck: int, run: Run) -> None:
    """What a run saw, for docs/RELIABILITY.md; only ever called when nothing was wrong."""
    away = sorted(run.away)
    figures = {
        "fault": fault,
        "struck": struck,
        "acknowledged": run.acknowledged,
        "told": sum(map(len, run.told.values())),
        "connections": len(run.told),
        "answers": dict(run.refusals),
        "closes": {str(code): count for code, count in run.closes.items()},
        "caught_up_s": round(run.caught_up_s, 2),
        "back_s": {"p50": round(away[len(away) // 2], 2), "p99": round(away[len(away) * 99 // 100], 2)} if away else {},
    }
    print(figures)
    if FIGURES:
        with Path(FIGURES).open("a") as file:
            file.write(json.dumps(figures) + "\n")
