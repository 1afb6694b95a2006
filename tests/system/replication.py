"""A primary with replicas, each a process of its own."""

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from servers import freeze
from system.clusters import free_port, patient, valkey


class Replicated:
    """A store and its replicas; `processes` by port, the primary first."""

    def __init__(self, processes: dict[int, subprocess.Popen[bytes]]) -> None:
        self.processes = processes

    @property
    def primary(self) -> int:
        return next(iter(self.processes))

    @property
    def replicas(self) -> list[int]:
        return list(self.processes)[1:]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.primary}/0"

    @contextlib.contextmanager
    def frozen(self, port: int) -> Iterator[None]:
        """One of them does nothing while the block lasts."""
        freeze(self.processes[port].pid)
        try:
            yield
        finally:
            self.processes[port].send_signal(signal.SIGCONT)


@contextlib.contextmanager
def replicated(folder: Path, replicas: int, *options: str) -> Iterator[Replicated]:
    """The store, once all its replicas are in step."""
    ports = [free_port() for _ in range(1 + replicas)]
    options = ("--repl-diskless-sync-delay", "0", *options)
    with contextlib.ExitStack() as open_:
        processes = {}
        for port in ports:
            follows = ["--replicaof", f"127.0.0.1 {ports[0]}"] if port != ports[0] else []
            started = valkey(folder / str(port), "--port", str(port), *options, *follows)
            processes[port] = open_.enter_context(started)
        for port in ports[1:]:
            with patient(port) as client:
                while client.info("replication").get("master_link_status") != "up":
                    pass
        yield Replicated(processes)
