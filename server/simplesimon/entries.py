"""What is read of a game's log: its entries, its head, all that opens it."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from simplesimon.errors import Damaged, taking_apart
from simplesimon.game import Event
from simplesimon.history import CHAIN_LENGTH, History, parse_stored
from simplesimon.messages import Origin, Visibility


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the log as it was read, with its time in ms since 1970."""

    version: int
    at: int
    event: Event


@dataclass(frozen=True, slots=True)
class Head:
    """Where the log of a game is: its version, `c` there, who may see it, and its player's id."""

    version: int
    c: str
    visibility: str
    by: str


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


def opened(game_id: str, facts: Sequence[Any], base: History, later: list[Entry]) -> Opened:
    """Raises Damaged when the facts, or all together, cannot be what was written."""
    by, visibility, origin, v, chain = facts
    with taking_apart(f"what is known of game {game_id}"):
        if visibility.decode() not in get_args(Visibility) or len(chain) != CHAIN_LENGTH or int(v) < base.version:
            raise ValueError
        head, told = (int(v), chain), _origin(origin, visibility)
        return Opened(by.decode(), visibility.decode(), base, later, head, told, origin is not None)


def head(facts: Sequence[Any] | None) -> Head | None:
    with contextlib.suppress(Damaged), taking_apart("a head"):
        v, chain, visibility, by = facts or ()
        return Head(int(v), chain[:4].hex(), visibility.decode(), by.decode())
    return None


def entries(game_id: str, version: int, found: Sequence[tuple[bytes, Mapping[bytes, bytes]]]) -> list[Entry]:
    """The entries after `version`. Raises Damaged when one is missing or cannot be read."""
    entries = []
    for expected, (entry_id, fields) in enumerate(found, version + 1):
        at, _, v = entry_id.decode().partition("-")
        if int(v) != expected:
            raise Damaged(f"the log of game {game_id} has entry {v} where {expected} belongs")
        entries.append(Entry(expected, int(at), parse_stored(fields.get(b"e", b"").decode(errors="replace"))))
    return entries


def _origin(text: bytes | None, visibility: bytes) -> Origin | None:
    """What the field `from` of a game says: `ID V`, `ID V hidden`, or `file`.

    The lists would tell everybody the id of a hidden game, which is the way to it.
    """
    g, *version = (text or b"").decode().split(" ")
    if not version or (version[1:] == ["hidden"] and visibility == b"public"):
        return None
    return Origin(g, int(version[0]))
