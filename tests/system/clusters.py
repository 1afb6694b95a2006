"""Stores on ports: one alone, or a cluster of three primaries, with or without a replica of each."""

import contextlib
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from servers import GUARD_S

from simplesimon.embedded import _binary

SLOTS = 16384


def free_port() -> int:
    # a cluster's bus is 10000 further on
    while True:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port: int = listener.getsockname()[1]
        if port < 50000:
            return port


@contextlib.contextmanager
def valkey(folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    folder.mkdir(exist_ok=True)
    command = [_binary(), "--dir", str(folder), "--save", "", "--appendonly", "yes", "--appendfsync", "always"]
    process = subprocess.Popen([*command, "--logfile", "log", *options], stdin=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait(GUARD_S)


def patient(port: int, **how: object) -> redis.Redis:
    return redis.Redis(port=port, retry=Retry(ConstantBackoff(0.05), 400), **how)  # type: ignore[arg-type]


class Cluster:
    """Three primaries that share the slots; perhaps three replicas of them."""

    def __init__(self, folder: Path, nodes: contextlib.ExitStack, timeout_ms: int) -> None:
        self._folder = folder
        self._nodes = nodes
        self._timeout_ms = timeout_ms
        self.processes: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, port: int) -> redis.Redis:
        options = ["--port", str(port), "--cluster-enabled", "yes", "--cluster-node-timeout", str(self._timeout_ms)]
        options += ["--repl-diskless-sync-delay", "0"]
        self.processes[port] = self._nodes.enter_context(valkey(self._folder / str(port), *options))
        client: redis.Redis = self._nodes.enter_context(patient(port))
        return client

    @property
    def url(self) -> str:
        """By the first of them, which tells of the others."""
        return f"redis+cluster://127.0.0.1:{next(iter(self.processes))}"


@contextlib.asynccontextmanager
async def cluster(folder: Path) -> AsyncIterator[str]:
    """Three primaries that share the slots."""
    with contextlib.ExitStack() as nodes:
        yield started(Cluster(folder, nodes, 2000)).url


def started(them: Cluster, *, has_replicas: bool = False) -> Cluster:
    """The cluster, when it serves all slots."""
    clients = {port: them.start(port) for port in [free_port() for _ in range(6 if has_replicas else 3)]}
    for client in clients.values():
        for port in clients:
            client.execute_command("CLUSTER", "MEET", "127.0.0.1", port)
    primaries = list(clients.values())[:3]
    for number, client in enumerate(primaries):
        begin, end = SLOTS * number // 3, SLOTS * (number + 1) // 3
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", begin, end - 1)
    for client in clients.values():
        while b"cluster_state:ok" not in client.execute_command("CLUSTER", "INFO"):
            pass
    replicas = list(clients.values())[3:]
    for primary, replica in zip(primaries, replicas, strict=False):
        replica.execute_command("CLUSTER", "REPLICATE", primary.execute_command("CLUSTER", "MYID"))
    for replica in replicas:
        while replica.info("replication").get("master_link_status") != "up":
            pass
    return them
