"""Play on from here: what a game begins with that goes its own way from a version of another, or from a file. No I/O:
it only pauses.

Law: the first events of both logs are the same, line for line, and so is the chain.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from simplesimon.bodies import GameFile
from simplesimon.entries import Entry
from simplesimon.errors import Damaged, Refused
from simplesimon.eventlog import SNAPSHOT_EVERY, SNAPSHOTS_KEPT
from simplesimon.game import Dealt
from simplesimon.gamefile import replay
from simplesimon.history import History, begin, line, link
from simplesimon.messages import Origin, Visibility

_AT_ONCE = 256
"""Events between two pauses: a long game is read without holding up the others."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first events of another game, the history that they make, the snapshots that go with it; of which game and
    version this is, if it is here, and who may see that one."""

    origin: Origin | None
    visibility: Visibility
    entries: Sequence[Entry]
    history: History
    snapshots: Sequence[History]


async def beginning(origin: Origin, visibility: Visibility, entries: Sequence[Entry], chain: bytes) -> Beginning:
    """The beginning that `origin` names of a log of these `entries`, whose last version has this `chain` value.

    Raises Damaged when they do not lead there.
    """
    kept = entries[: origin.v]
    history: History | None = None
    snapshots: list[History] = []
    async for entry in _unhurried(kept):
        history = _then(origin.g, history, entry)
        if history.version % SNAPSHOT_EVERY == 0:
            snapshots = [*snapshots, history][-SNAPSHOTS_KEPT:]
    leads_to = history.chain if history else b""
    async for entry in _unhurried(entries[origin.v :]):
        leads_to = link(leads_to, line(entry.version, entry.at, entry.event))
    if history is None or leads_to != chain:
        raise Damaged(f"the log of game {origin.g} does not lead to the chain value that it was written with")
    return Beginning(origin, visibility, kept, history, snapshots)


async def brought_back(file: GameFile, latest: int) -> Beginning:
    """The beginning that a file holds; none of its events may be after `latest`. Raises BadFile."""
    entries: list[Entry] = []
    snapshots: list[History] = []
    for event, history in replay(file, latest):
        entries.append(Entry(history.version, history.at, event))
        if history.version % SNAPSHOT_EVERY == 0:
            snapshots = [*snapshots, history][-SNAPSHOTS_KEPT:]
        if history.version % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return Beginning(None, "public", entries, history, snapshots)


def _then(game_id: str, before: History | None, entry: Entry) -> History:
    try:
        if before:
            return before.then(entry.event, entry.at)
        if isinstance(entry.event, Dealt):
            return begin(entry.event, entry.at)
    except (Refused, ValueError, IndexError) as error:
        raise Damaged(f"entry {entry.version} of game {game_id} cannot follow the one before") from error
    raise Damaged(f"the log of game {game_id} does not begin with a deal")


async def _unhurried(entries: Sequence[Entry]) -> AsyncIterator[Entry]:
    for entry in entries:
        if entry.version % _AT_ONCE == 0:
            await asyncio.sleep(0)
        yield entry
