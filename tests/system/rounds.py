"""How often each fault strikes: a few times in `make test`, for as long as asked in `make soak`; and the figures."""

import asyncio
import contextlib
import json
import os
import re
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import httpx
from clients import GUARD_S, Device
from hypothesis import HealthCheck, Phase, settings
from system.run import Run

from simplesimon.store import Redis

SOAK_S = float(os.environ.get("SOAK_S", "0"))
"""Seconds for each fault; 0: a few rounds."""
FIGURES = os.environ.get("SOAK_FIGURES")
"""A file to which each fault adds a line of JSON."""

BACK = {"p50": 500, "p99": 990, "most": 999}

GAMES, SPECTATORS = (50, 10) if SOAK_S else (8, 4)


def rounds(few: int, many: int = 0) -> Iterator[int]:
    """The numbers of the rounds: so few, or in a soak as long as asked, and so many at least."""
    ends = time.monotonic() + SOAK_S
    least = max(few, many) if SOAK_S else few
    number = 0
    while number < least or time.monotonic() < ends:
        yield number
        number += 1


def made_up(few: int, many: int = 3000) -> settings:
    """How many examples hypothesis makes up: the same few each time; chance, and many, are for the soak."""
    return settings(
        max_examples=many if SOAK_S else few,
        deadline=None,
        derandomize=not SOAK_S,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


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


async def gone(processes: Collection[int]) -> None:
    """Returns when they are: what was killed listens a little longer, and takes along who comes to it."""
    await until(lambda: not any(map(_is_alive, processes)))


async def all_listen(client: Redis, workers: int) -> None:
    """Returns when so many workers are at work: each listens to what the store tells."""
    async with asyncio.timeout(GUARD_S):
        while len(await client.client_list(_type="pubsub")) < workers:
            pass


async def all_back(run: Run, url: str, struck: Collection[int]) -> None:
    """Returns when the processes that were struck are gone, and everybody follows all again on those that live."""
    await until(lambda: not any(map(_is_alive, struck)))
    open_sockets, deadline = -1, time.monotonic() + 2 * GUARD_S
    async with Device(url) as device:
        while run.lost or open_sockets != len(run.patience):
            told = f"of {len(run.patience)} clients {len(run.lost)} are lost, the server has {open_sockets} sockets"
            assert time.monotonic() < deadline, told
            await run.nobody_lost()
            with contextlib.suppress(httpx.TransportError):  # asked one that is about to end
                open_sockets = await _sockets(device)
    run.forget_delays()


async def _sockets(device: Device) -> int:
    """How many a server has open."""
    answer = await device.http.get("/metrics")
    found = re.findall(r"^simplesimon_sockets (.*)$", answer.text, re.MULTILINE)
    assert found, f"{answer.status_code}: {answer.text}"
    return int(float(found[0]))


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def report(fault: str, struck: int, run: Run, **more: object) -> None:
    """What a run saw, for docs/RELIABILITY.md; only ever called when nothing was wrong."""
    away = sorted(run.away)
    note(
        fault,
        struck=struck,
        acknowledged=run.acknowledged,
        told=sum(map(len, run.told.values())),
        connections=len(run.told),
        answers=dict(run.refusals),
        closes={str(code): count for code, count in run.closes.items()},
        behind_s_most=round(run.behind_s, 2),
        back_s={name: round(away[len(away) * part // 1000], 2) for name, part in BACK.items() if away},
        **more,
    )


def note(fault: str, **figures: object) -> None:
    """Figures, and how busy the machine was when they were taken."""
    told = {"fault": fault, "at": time.strftime("%Y-%m-%d %H:%M"), "load": round(os.getloadavg()[0], 1)} | figures
    print(told)
    if FIGURES:
        with Path(FIGURES).open("a") as file:
            file.write(json.dumps(told) + "\n")
