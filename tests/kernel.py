"""What the system knows of the connections of a machine, as far as Linux tells it (proc_pid_net(5))."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OPEN, LISTENING = "01", "0A"


class Connection(NamedTuple):
    """One side of one: its own port, that of the other side, and the bytes that wait to be taken and to be read."""

    here: int
    there: int
    state: str
    unsent: int
    unread: int
    inode: str


def connections(process: int | str = "self") -> Iterator[Connection]:
    """All that there are where this process lives."""
    for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()[1:]:
        _, here, there, state, queues, _, _, _, _, inode, *_ = line.split()
        ports = [int(end.rpartition(":")[2], 16) for end in (here, there)]
        unsent, unread = [int(size, 16) for size in queues.split(":")]
        yield Connection(ports[0], ports[1], state, unsent, unread, inode)


def between(here: int, there: int) -> Connection | None:
    """The side of an open one that is at the port `here`."""
    return next((one for one in connections() if one[:3] == (here, there, OPEN)), None)
