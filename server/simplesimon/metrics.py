"""What an operator counts, as Prometheus reads it; the numbers of all workers of a server are added up."""

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest, multiprocess
from prometheus_client.exposition import CONTENT_TYPE_LATEST as MEDIA_TYPE

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names where workers share their numbers; set before this module is read."""

SOCKETS = Gauge("simplesimon_sockets", "Open WebSockets", multiprocess_mode="livesum")
FOLLOWED = Gauge("simplesimon_followed_games", "Games that somebody follows, per worker", multiprocess_mode="livesum")
COMMANDS = Counter("simplesimon_commands", "Commands by what became of them", ["answer"])


def text() -> bytes:
    """The numbers, in the text format of Prometheus."""
    if DIRECTORY not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)


__all__ = ["COMMANDS", "FOLLOWED", "MEDIA_TYPE", "SOCKETS", "text"]
