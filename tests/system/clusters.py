"""Stores on ports: one alone, or a cluster of three primaries, with or without a replica of each."""

import contextlib
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import redis
from redis.backoff import ConstantBackoff
from redis.crc import key_slot
from redis.retry import Retry
from servers import GUARD_S

from simplesimon.embedded import _binary

SLOTS = 16384


BUS = 10000
"""So much further on than its port a node of a cluster talks to the others."""
_given: set[int] = set()


def free_port() -> int:
    """One that was not given before, for who got that may not listen yet. Its bus is free, too."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port: int = listener.getsockname()[1]
        if port not in _given and port + BUS < 2**16 and _is_free(port + BUS):
            _given.update((port, port + BUS))
            return port


def _is_free(port: int) -> bool:
    """Also of a client's connection, even one that has ended and waits out its last minute."""
    with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
        return True
    return False


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

    @property
    def alive(self) -> list[int]:
        """The ports of those that were not killed."""
        return [port for port, process in self.processes.items() if process.poll() is None]

    def primary_of(self, key: str) -> int:
        """The port of the primary that has the slot of a key, as most of them see it."""
        slot = key_slot(key.encode())
        seen = [self._primary_of(slot, port) for port in self.alive]
        return max(seen, key=seen.count)

    def _primary_of(self, slot: int, asked: int) -> int:
        with patient(asked) as client:
            for begin, end, (_, port, *_), *_ in client.execute_command("CLUSTER SLOTS"):
                if begin <= slot <= end:
                    return int(port)
        return 0

    def primaries(self) -> list[int]:
        """The ports of all that have slots."""
        with patient(self.alive[0]) as client:
            return sorted({int(row[2][1]) for row in client.execute_command("CLUSTER SLOTS")})

    def subscriptions(self, names: Sequence[str]) -> int:
        """How many subscriptions to these there are in all."""
        with contextlib.ExitStack() as open_:
            clients = [open_.enter_context(patient(port)) for port in self.alive]
            return sum(number for client in clients for _, number in client.pubsub_numsub(*names))

    def move_slot(self, key: str, to: int, *, at_once: bool) -> None:
        """Moves the slot of a key to another primary: in one step, as Valkey 9 can, or key by key."""
        slot, port = key_slot(key.encode()), self.primary_of(key)
        with patient(port) as source, patient(to) as target:
            there, here = (client.execute_command("CLUSTER MYID").decode() for client in (target, source))
            if at_once:
                source.execute_command("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", there)
                return
            target.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", here)
            source.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", there)
            while keys := source.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 1):
                source.execute_command("MIGRATE", "127.0.0.1", to, "", 0, 5000, "KEYS", *keys)
            for client in (target, source):
                client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", there)


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
