"""Logs in a real store, for tests: written as fast as the store takes them, or entry by entry as somebody left them."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

from stories import Story, told

from simplesimon.entries import Opened
from simplesimon.eventlog import SNAPSHOT_EVERY, EventLog, channel
from simplesimon.game import Event
from simplesimon.history import History
from simplesimon.store import Redis

FACTS = {"by": "aaaaaaaaaaaa", "visibility": "public"}


def new_id() -> str:
    return secrets.token_hex(6)


def steps(events: Story, after: History | None = None) -> list[tuple[History | None, Event, History]]:
    """Each event with the history before and after it."""
    found: list[tuple[History | None, Event, History]] = []
    for event in events:
        later = after.then(event, after.at + 500) if after else told([event])
        found.append((after, event, later))
        after = later
    return found


async def append(log: EventLog, game_id: str, step: tuple[History | None, Event, History], frame: bytes = b"") -> bool:
    before, event, after = step
    return await log.append(game_id, before, event, after, frame, None if before else FACTS)


async def write(log: EventLog, game_id: str, events: Story, after: History | None = None) -> History:
    """The history of the events, once all are in the log. They are sent at once, and keep their order."""
    found = steps(events, after)
    appends = [
        log.append(game_id, before, event, history, b"", FACTS if before is None else None)
        for before, event, history in found
    ]
    assert all(await asyncio.gather(*appends))
    for _, _, history in found:
        if history.version % SNAPSHOT_EVERY == 0:
            await log.keep_snapshot(game_id, history)
    return found[-1][2]


def history_of(opened: Opened) -> History:
    history = opened.base
    for entry in opened.entries:
        history = history.then(entry.event, entry.at)
    return history


async def of_another_kind(client: Redis, key: str) -> None:
    """Puts a list, which nothing of ours is, in place of a key."""
    await client.delete(key)
    await client.rpush(key, "nonsense")


async def leave(client: Redis, log: Sequence[tuple[str, str]], chain: bytes, version: int | None = None) -> str:
    """The id of a game whose log somebody left in the store, entry by entry."""
    game_id = new_id()
    for entry_id, text in log:
        await client.xadd(f"{channel(game_id)}:log", {"e": text}, id=entry_id)
    head: dict[Any, Any] = {"v": version or len(log), "chain": chain}
    await client.hset(channel(game_id), mapping=head | FACTS)
    return game_id


async def copy_of(client: Redis, game_id: str) -> dict[str, Any]:
    """The keys of a game as a copy of the store has them."""
    return {key: await client.dump(key) for key in (channel(game_id), f"{channel(game_id)}:log")}


async def set_back(client: Redis, copy: dict[str, Any]) -> None:
    """Makes the store what it was when the copy was made; at once, for servers look at it meanwhile."""
    async with client.pipeline(transaction=True) as pipe:
        for key, content in copy.items():
            pipe.restore(key, 0, content, replace=True)
        await pipe.execute()
