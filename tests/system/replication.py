"""A primary with replicas, each a process of its own; perhaps with sentinels, which make another one the primary."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import redis
from servers import GUARD_S, frozen
from system.clusters import free_port, patient, valkey

from simplesimon.embedded import _binary

SERVICE = "games"
DOWN_AFTER_MS = 1000
"""Of silence, until the sentinels take the primary for dead."""
LOCKED = "of the store", "of the sentinels"
"""Passwords, where they are asked for."""


class Replicated:
    """A store and its replicas; `processes` by port, the one that was the first primary first. `passwords` are those of
    the store and of the sentinels.
    """

    def __init__(self, folder: Path, nodes: contextlib.ExitStack, passwords: tuple[str, str]) -> None:
        self._folder = folder
        self._nodes = nodes
        self._of_store, self._of_sentinels = passwords
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.sentinels: list[int] = []

    @property
    def url(self) -> str:
        if not self.sentinels:
            return f"redis://127.0.0.1:{self.ports[0]}/0"
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.sentinels)
        if not self._of_store:
            return f"redis+sentinel://{hosts}/{SERVICE}"
        return (
            f"redis+sentinel://:{quote(self._of_store)}@{hosts}/{SERVICE}?sentinel_password={quote(self._of_sentinels)}"
        )

    @property
    def ports(self) -> list[int]:
        return list(self.processes)

    def start(self, port: int, follows: int | None = None) -> None:
        """One of them, as a replica of another or as the primary."""
        options = ["--port", str(port), "--repl-diskless-sync-delay", "0"]
        options += ["--replicaof", f"127.0.0.1 {follows}"] if follows else []
        options += ["--requirepass", self._of_store, "--masterauth", self._of_store] if self._of_store else []
        self.processes[port] = self._nodes.enter_context(valkey(self._folder / str(port), *options))

    def watch_over(self, sentinels: int, front: int = 0) -> None:
        """Starts sentinels; returns when they know one another and all that they watch. They name the `front` as the
        primary, which they need not reach themselves.
        """
        for _ in range(sentinels):
            port = free_port()
            self.sentinels.append(port)
            file = self._folder / f"sentinel-{port}"
            file.write_text(
                f"port {port}\nlogfile {file}.log\n"
                f"sentinel monitor {SERVICE} 127.0.0.1 {front or self.ports[0]} {sentinels // 2 + 1}\n"
                f"sentinel down-after-milliseconds {SERVICE} {DOWN_AFTER_MS * (1000 if front else 1)}\n"
                f"sentinel failover-timeout {SERVICE} 2000\nsentinel parallel-syncs {SERVICE} 2\n"
                + (f'requirepass "{self._of_sentinels}"\n' if self._of_sentinels else "")
                + (f'sentinel auth-pass {SERVICE} "{self._of_store}"\n' if self._of_store else "")
            )
            process = subprocess.Popen([_binary(), str(file), "--sentinel"], stdin=subprocess.DEVNULL)
            self._nodes.callback(process.wait, GUARD_S)
            self._nodes.callback(process.kill)
        for port in self.sentinels:
            with self._sentinel(port) as client:
                while not self._is_known(client.sentinel_master(SERVICE)):
                    pass

    def asking(self, port: int) -> redis.Redis:
        """A client of one of them."""
        return patient(port, password=self._of_store or None)

    def _sentinel(self, port: int = 0) -> redis.Redis:
        return patient(port or self.sentinels[0], password=self._of_sentinels or None)

    def _is_known(self, state: dict[str, int]) -> bool:
        others, replicas = len(self.sentinels) - 1, len(self.processes) - 1
        return (state["num-other-sentinels"], state["num-slaves"]) == (others, replicas)

    def primary(self) -> int:
        """The port of the one that the sentinels name."""
        with self._sentinel() as client:
            return int(client.sentinel_get_master_addr_by_name(SERVICE)[1])

    def fail_over(self) -> None:
        """Asks the sentinels for another primary, as one does for maintenance."""
        with self._sentinel() as client:
            client.sentinel_failover(SERVICE)

    def demote(self, port: int) -> None:
        """Makes it a replica of the one that the sentinels name."""
        with self.asking(port) as client:
            client.replicaof("127.0.0.1", self.primary())

    def frozen(self, port: int) -> contextlib.AbstractContextManager[None]:
        """One of them does nothing while the block lasts."""
        return frozen(self.processes[port].pid)


def in_step(client: redis.Redis) -> bool:
    """Whether it is a replica that has all that its primary has."""
    return client.info("replication").get("master_link_status") == "up"


@contextlib.contextmanager
def replicated(
    folder: Path, replicas: int, sentinels: int = 0, passwords: tuple[str, str] = ("", "")
) -> Iterator[Replicated]:
    """The store, once all its replicas are in step."""
    with contextlib.ExitStack() as nodes:
        them = Replicated(folder, nodes, passwords)
        first = free_port()
        them.start(first)
        for _ in range(replicas):
            them.start(free_port(), first)
        for port in them.ports[1:]:
            with them.asking(port) as client:
                while not in_step(client):
                    pass
        them.watch_over(sentinels)
        yield them
