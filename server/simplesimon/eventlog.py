"""The log of each game: append, read, snapshots, watch. With `append.lua` the only file that knows the keys of a game.

A game has two keys, in one slot of a cluster: the stream `{game:ID}:log`, whose entries are `AT-V` with one field `e`
(the event as `history.stored` has it), and the hash `{game:ID}` with its head (`v`, `chain`), its facts, and
snapshots. What the log does not hold did not happen.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any

import redis.exceptions

from simplesimon import store
from simplesimon.errors import Damaged, NoSuchGame
from simplesimon.game import Dealt, Event
from simplesimon.history import History, begin, parse_stored, stored
from simplesimon.snapshots import restore, snapshot, version_of

SNAPSHOT_EVERY = 128
"""Events; opening a game reads at most one snapshot and this many events."""
SNAPSHOTS_KEPT = 3
"""So that the log can be read from 256 versions back (what `since` may ask for) without its beginning."""

APPENDS_AT_ONCE = 128
"""In one call of the script, which the store does nothing else meanwhile."""

_SCRIPT = resources.files("simplesimon").joinpath("append.lua").read_text()


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
    """A game as it was read: its player's id, who may see it, a history, the entries that came after that, and the
    version and chain value that the log says it is at."""

    by: str
    visibility: str
    base: History
    entries: list[Entry]
    head: tuple[int, bytes]


@dataclass(slots=True)
class _Append:
    """An append on its way: its two keys, its arguments as `append.lua` takes them, and its answer."""

    keys: tuple[str, str]
    args: tuple[int | bytes | str, ...]
    done: asyncio.Future[bool]


class EventLog:
    """The logs of all games in one store."""

    def __init__(self, client: store.Redis, is_heard: Callable[[str], bool] = lambda _: False) -> None:
        """`is_heard` says of a game whether what others publish of it comes to this process."""
        self._client = client
        self._is_heard = is_heard
        self._script = client.register_script(_SCRIPT)
        self._waiting: list[_Append] = []
        self._flushing: asyncio.Task[None] | None = None

    def append(
        self,
        game_id: str,
        before: History | None,
        event: Event,
        after: History,
        frame: bytes = b"",
        facts: Mapping[str, str] | None = None,
    ) -> asyncio.Future[bool]:
        """Appends the event that leads from `before` to `after`, and publishes `frame` to who follows the game.

        The answer is true when the log holds it, as durably as the store is set to; false when the game is not at
        `before` any more; or Unavailable after 15 s without an answer: then it may or may not be in the log. Appends
        are made, and answered, in the order of the calls.
        """
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        version, chain = (before.version, before.chain) if before else (0, b"")
        entry_id = f"{after.at}-{after.version}"
        by, visibility = (facts["by"], facts["visibility"]) if facts else ("", "")
        told = int(self._is_heard(game_id))  # who appends knows, and need not be told
        args = (version, chain, after.chain, entry_id, stored(event), frame, told, by, visibility)
        self._waiting.append(_Append((_log_key(game_id), channel(game_id)), args, done))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        return done

    async def _flush(self) -> None:
        """Group commit: while one trip to the store is under way appends queue, and the next trip takes them all."""
        while self._waiting:
            batch, self._waiting = self._waiting[:APPENDS_AT_ONCE], self._waiting[APPENDS_AT_ONCE:]
            answers: Sequence[Any]
            try:
                answers = await store.patiently(partial(self._send, batch), store.APPEND_WITHIN_S)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer to those who wait
                answers = [error] * len(batch)
            for item, answer in zip(batch, answers, strict=True):
                if item.done.done():
                    continue  # nobody waits any more
                if isinstance(answer, Exception):
                    item.done.set_exception(answer)
                else:
                    item.done.set_result(answer == 1)
        self._flushing = None

    async def _send(self, batch: Sequence[_Append], attempt: int) -> list[Any]:
        keys = [key for item in batch for key in item.keys]
        args = [arg for item in batch for arg in item.args]
        is_retry = "1" if attempt else "0"
        try:
            answers = await self._client.evalsha(self._script.sha, len(keys), *keys, is_retry, *args)
        except redis.exceptions.NoScriptError:
            answers = await self._client.eval(_SCRIPT, len(keys), *keys, is_retry, *args)
        passing = next((a for a in answers if isinstance(a, Exception) and store.is_passing(a)), None)
        if passing:
            raise passing
        return list(answers)

    async def set_visibility(self, game_id: str, visibility: str) -> None:
        """Changes who may see a game that exists."""
        await store.ask(lambda: self._client.hset(channel(game_id), "visibility", visibility))

    async def open(self, game_id: str, since: int | None = None) -> Opened:
        """A game from the log: from the newest snapshot, or from one that is not after version `since`.

        Raises NoSuchGame, or Damaged when the log is not what was written.
        """
        fields = await store.ask(lambda: self._client.hgetall(channel(game_id)))
        if not fields:
            raise NoSuchGame(f"there is no game {game_id[:40]!r}")
        base = _newest_snapshot(fields, since)
        found = await store.ask(lambda: self._client.xrange(_log_key(game_id), _after(base)))
        entries = _entries(game_id, base.version if base else 0, found)
        if base is None:
            first = entries.pop(0) if entries else None
            if first is None or not isinstance(first.event, Dealt):
                raise Damaged(f"the log of game {game_id} does not begin with a deal")
            base = begin(first.event, first.at)
        head = int(fields[b"v"]), fields[b"chain"]
        return Opened(fields[b"by"].decode(), fields[b"visibility"].decode(), base, entries, head)

    async def refresh(self, game_id: str, known: History) -> Opened | None:
        """What came after a history that was read before; None when it is no longer part of the game's log."""

        def fill(pipe: Any) -> None:
            pipe.hmget(channel(game_id), "by", "visibility", "v", "chain")
            pipe.xrange(_log_key(game_id), _after(known))

        (by, visibility, v, chain), found = await store.trip(self._client, fill)
        if v is None or int(v) < known.version or (int(v) == known.version and chain != known.chain):
            return None
        entries = _entries(game_id, known.version, found)
        return Opened(by.decode(), visibility.decode(), known, entries, (int(v), chain))

    async def read(self, game_id: str, version: int, since: int) -> list[Entry]:
        """The entries after version `since` and up to `version`, which the log is known to have."""
        found = await store.ask(lambda: self._client.xrange(_log_key(game_id)))
        return _entries(game_id, since, found[since:version])

    async def heads(self, game_ids: Sequence[str]) -> list[Head | None]:
        """Where the log of each game is, in one trip; None for a game that is not there."""
        found = await store.trip(
            self._client,
            lambda pipe: [pipe.hmget(channel(game_id), "v", "chain", "visibility") for game_id in game_ids],
        )
        return [Head(int(v), chain[:4].hex(), visibility.decode()) if v else None for v, chain, visibility in found]

    async def keep_snapshot(self, game_id: str, history: History) -> None:
        """Keeps a snapshot in place of the oldest one."""
        field = f"snapshot{history.version // SNAPSHOT_EVERY % SNAPSHOTS_KEPT}"
        await store.ask(lambda: self._client.hset(channel(game_id), field, snapshot(history)))


def channel(game_id: str) -> str:
    """The name of the channel on which the store tells of a game's events: that of the game's hash."""
    return f"{{game:{game_id}}}"


def game_of(channel_name: str) -> str:
    """The id of the game whose channel it is."""
    return channel_name.removeprefix("{game:").removesuffix("}")


def _log_key(game_id: str) -> str:
    return f"{channel(game_id)}:log"


def _after(history: History | None) -> str:
    """The beginning of a range of the stream: after a history, or all of it."""
    return f"({history.at}-{history.version}" if history else "-"


def _entries(game_id: str, version: int, found: Sequence[tuple[bytes, Mapping[bytes, bytes]]]) -> list[Entry]:
    """The entries after `version`. Raises Damaged when one is missing or cannot be read."""
    entries = []
    for expected, (entry_id, fields) in enumerate(found, version + 1):
        at, _, v = entry_id.decode().partition("-")
        if int(v) != expected:
            raise Damaged(f"the log of game {game_id} has entry {v} where {expected} belongs")
        entries.append(Entry(expected, int(at), parse_stored(fields.get(b"e", b"").decode(errors="replace"))))
    return entries


def _newest_snapshot(fields: Mapping[bytes, bytes], since: int | None) -> History | None:
    """The newest one that is not after version `since`; one that cannot be read is as good as none."""
    kept = [(version_of(content), content) for name, content in fields.items() if name.startswith(b"snapshot")]
    for version, content in sorted(kept, reverse=True):
        if since is None or version <= since:
            with contextlib.suppress(Damaged):
                return restore(content)
    return None
