"""A primary with replicas, each a process of its own; perhaps with sentinels, which make another one the primary."""

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import redis
from servers import GUARD_S, freeze
from system.clusters import free_port, patient, valkey

from simplesimon.embedded import _binary

SERVICE = "games"
DOWN_AFTER_MS = 1000
"""Of silence, until the sentinels take the primary for dead."""


class Replicated:
    """A store and its replicas; `processes` by port, the one that was the first primary first."""

    def __init__(self, folder: Path, nodes: contextlib.ExitStack) -> None:
        self._folder = folder
        self._nodes = nodes
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.sentinels: list[int] = []

    @property
    def url(self) -> str:
        if not self.sentinels:
            return f"redis://127.0.0.1:{self.ports[0]}/0"
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.sentinels)
        return f"redis+sentinel://{hosts}/{SERVICE}"

    @property
    def ports(self) -> list[int]:
        return list(self.processes)

    def start(self, port: int, follows: int | None = None) -> None:
        """One of them, as a replica of another or as the primary."""
        options = ["--port", str(port), "--repl-diskless-sync-delay", "0"]
        options += ["--replicaof", f"127.0.0.1 {follows}"] if follows else []
        self.processes[port] = self._nodes.enter_context(valkey(self._folder / str(port), *options))

    def watch_over(self, sentinels: int) -> None:
        """Starts sentinels; returns when they know one another and all that they watch."""
        for _ in range(sentinels):
            port = free_port()
            self.sentinels.append(port)
            file = self._folder / f"sentinel-{port}"
            file.write_text(
                f"port {port}\nlogfile {file}.log\n"
                f"sentinel monitor {SERVICE} 127.0.0.1 {self.ports[0]} {sentinels // 2 + 1}\n"
                f"sentinel down-after-milliseconds {SERVICE} {DOWN_AFTER_MS}\n"
                f"sentinel failover-timeout {SERVICE} 2000\nsentinel parallel-syncs {SERVICE} 2\n"
            )
            process = subprocess.Popen([_binary(), str(file), "--sentinel"], stdin=subprocess.DEVNULL)
            self._nodes.callback(process.wait, GUARD_S)
            self._nodes.callback(process.kill)
        for port in self.sentinels:
            with patient(port) as client:
                while not self._is_known(client.sentinel_master(SERVICE)):
                    pass

    def _is_known(self, state: dict[str, int]) -> bool:
        others, replicas = len(self.sentinels) - 1, len(self.processes) - 1
        return (state["num-other-sentinels"], state["num-slaves"]) == (others, replicas)

    def primary(self) -> int:
        """The port of the one that the sentinels name."""
        with patient(self.sentinels[0]) as client:
            return int(client.sentinel_get_master_addr_by_name(SERVICE)[1])

    def fail_over(self) -> None:
        """Asks the sentinels for another primary, as one does for maintenance."""
        with patient(self.sentinels[0]) as client:
            client.sentinel_failover(SERVICE)

    def demote(self, port: int) -> None:
        """Makes it a replica of the one that the sentinels name."""
        with patient(port) as client:
            client.replicaof("127.0.0.1", self.primary())

    @contextlib.contextmanager
    def frozen(self, port: int) -> Iterator[None]:
        """One of them does nothing while the block lasts."""
        freeze(self.processes[port].pid)
        try:
            yield
        finally:
            self.processes[port].send_signal(signal.SIGCONT)


def in_step(client: redis.Redis) -> bool:
    """Whether it is a replica that has all that its primary has."""
    return client.info("replication").get("master_link_status") == "up"


@contextlib.contextmanager
def replicated(folder: Path, replicas: int, sentinels: int = 0) -> Iterator[Replicated]:
    """The store, once all its replicas are in step."""
    with contextlib.ExitStack() as nodes:
        them = Replicated(folder, nodes)
        first = free_port()
        them.start(first)
        for _ in range(replicas):
            them.start(free_port(), first)
        for port in them.ports[1:]:
            with patient(port) as client:
                while not in_step(client):
                    pass
        them.watch_over(sentinels)
        yield them
