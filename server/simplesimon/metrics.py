"""What an operator counts, as Prometheus reads it; the numbers of all workers of a server are added up."""

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest, multiprocess
from prometheus_client.exposition import CONTENT_TYPE_LATEST as MEDIA_TYPE

from simplesimon.config import METRICS_DIRECTORY

SOCKETS = Gauge("simplesimon_sockets", "Open WebSockets", multiprocess_mode="livesum")
COMMANDS = Counter("simplesimon_commands", "Commands by what became of them", ["answer"])


def text() -> bytes:
    """The numbers, in the text format of Prometheus."""
    if METRICS_DIRECTORY not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)


__all__ = ["COMMANDS", "MEDIA_TYPE", "SOCKETS", "text"]
