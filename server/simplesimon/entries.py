"""What is read of a game's log: its entries, its head, all that opens it."""

from dataclasses import dataclass

from simplesimon.game import Event
from simplesimon.history import History
from simplesimon.messages import Origin


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the log as it was read, with its time in ms since 1970."""

    version: int
    at: int
    event: Event


@dataclass(frozen=True, slots=True)
class Head:
    """Where the log of a game is: its version, `c` there, and who may see it."""

    version: int
    c: str
    visibility: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A game as it was read: its player's id, who may see it, a history, the entries that came after that, the version
    and chain value that the log says it is at, which game it was played on from, and whether its first events are those
    of another or of a file."""

    by: str
    visibility: str
    base: History
    entries: list[Entry]
    head: tuple[int, bytes]
    origin: Origin | None = None
    is_copy: bool = False
