"""What an operator counts, as Prometheus reads it; the numbers of all workers of a server are added up."""

import asyncio
import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.exposition import CONTENT_TYPE_LATEST as MEDIA_TYPE

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
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)


__all__ = ["COMMANDS", "MEDIA_TYPE", "SOCKETS", "text", "watch_loop"]
