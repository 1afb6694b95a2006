"""What an operator counts, as Prometheus reads it; the numbers of all workers of a server are added up."""

import asyncio
import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest, multiprocess
from prometheus_client.exposition import CONTENT_TYPE_LATEST as MEDIA_TYPE
from prometheus_client.registry import Collector

from simplesimon.config import METRICS_DIRECTORY

SOCKETS = Gauge("simplesimon_sockets", "Open WebSockets", multiprocess_mode="livesum")
COMMANDS = Counter("simplesimon_commands", "Commands by what became of them", ["answer"])
TASKS = Gauge("simplesimon_tasks", "Tasks of the event loop that are not done", multiprocess_mode="livesum")
LATENESS = Histogram(
    "simplesimon_loop_lateness_seconds",
    "How late the event loop came to what was due",
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5),
)
_LOOK_EVERY_S = 0.1


async def watch_loop() -> None:
    """Looks at the event loop itself, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LOOK_EVERY_S
        await asyncio.sleep(_LOOK_EVERY_S)
        LATENESS.observe(max(0.0, loop.time() - due))
        TASKS.set(len(asyncio.all_tasks()))


def text() -> bytes:
    """The numbers, in the text format of Prometheus."""
    if METRICS_DIRECTORY not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    registry.register(_Workers(Path(os.environ[METRICS_DIRECTORY])))
    return generate_latest(registry)


class _Workers(Collector):
    """What each worker keeps in files of its own. They are empty when it begins, and the library reads no empty one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def collect(self) -> Iterable[Metric]:
        _forget_dead(self._directory)
        found: Iterable[Metric] = multiprocess.MultiProcessCollector.merge(list(_written(self._directory)))
        return found


def _written(directory: Path) -> Iterator[str]:
    for file in directory.glob("*.db"):
        with contextlib.suppress(FileNotFoundError):  # of a dead worker: another one has just forgotten it
            if file.stat().st_size:
                yield str(file)


def _forget_dead(directory: Path) -> None:
    """A worker that was killed has no sockets any more; what it counted stays."""
    for gauge in directory.glob("gauge_live*_*.db"):
        try:
            os.kill(int(gauge.stem.rpartition("_")[2]), 0)  # only asks whether it is there
        except (ProcessLookupError, PermissionError):  # it is gone, or the number is somebody else's by now
            gauge.unlink(missing_ok=True)


__all__ = ["COMMANDS", "MEDIA_TYPE", "SOCKETS", "text", "watch_loop"]
