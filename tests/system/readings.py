"""Which process read the log of which game how often, as the store's MONITOR tells. The store is one on a port."""

import asyncio
import contextlib
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from kernel import connections

READ = re.compile(rb'^\+[0-9.]+ \[0 127\.0\.0\.1:(\d+)\] "(?:XRANGE|XREVRANGE)" "\{game:(\w+)\}:log"', re.MULTILINE)
BUFFER = 2**24


class Readings:
    """All that was said to the store meanwhile."""

    def __init__(self) -> None:
        self._heard = bytearray()

    async def listen(self, told: asyncio.StreamReader) -> None:
        while more := await told.read(2**16):
            self._heard += more

    def by(self, processes: Iterable[int]) -> Counter[tuple[int, str]]:
        """How often each process, of those that live now, read each game; who died since is told by its port."""
        owners = {port: process for process in processes for port in _ports(process)}
        ports = ((int(port), game.decode()) for port, game in READ.findall(self._heard))
        return Counter((owners.get(port, -port), game) for port, game in ports)


@contextlib.asynccontextmanager
async def noting(port: int) -> AsyncIterator[Readings]:
    readings = Readings()
    told, asking = await asyncio.open_connection("127.0.0.1", port, limit=BUFFER)
    asking.write(b"MONITOR\r\n")
    assert await told.readline() == b"+OK\r\n"
    listening = asyncio.create_task(readings.listen(told))
    try:
        yield readings
    finally:
        listening.cancel()
        asking.close()


def _ports(process: int) -> Iterable[int]:
    """The ports of a process's connections (proc_pid_net(5))."""
    sockets = set()
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            sockets.add(str(descriptor.readlink()))
    for one in connections(process):
        if f"socket:[{one.inode}]" in sockets:
            yield one.here
