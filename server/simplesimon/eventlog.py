"""The log of each game: append, read, snapshots, watch. With its scripts the only file that knows the keys of a game.

A game has two keys, in one slot of a cluster: the stream `{game:ID}:log`, whose entries are `AT-V` with one field `e`
(the event as `history.stored` has it), and the hash `{game:ID}` with its head (`v`, `chain`), its facts, and
snapshots. What the log does not hold did not happen.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from importlib import resources
from typing import Any

from simplesimon import store
from simplesimon.appends import Append, Appends, Done
from simplesimon.entries import Entry, Head, Opened, entries, head, opened
from simplesimon.errors import Damaged, NoSuchGame, Unavailable
from simplesimon.game import Dealt, Event
from simplesimon.history import History, begin, stored
from simplesimon.messages import Origin
from simplesimon.replicas import Replicas
from simplesimon.snapshots import newest, snapshot
from simplesimon.tasks import Tasks, settle
from simplesimon.telling import channel as channel  # whoever knows of logs may know where they are told
from simplesimon.telling import game_of, publish
from simplesimon.trips import trip

_COPY = resources.files("simplesimon").joinpath("copy.lua").read_text()

SNAPSHOT_EVERY = 256
"""Events; opening a game reads at most one snapshot and this many events. Most games are won before the first one:
it holds up to a hundred states, and they cost as much to make again as those events."""
SNAPSHOTS_KEPT = 2
"""So that the log can be read from 256 versions back (what `since` may ask for) without its beginning."""

_FACTS = ("by", "visibility", "from", "v", "chain", "kept")


class EventLog:
    """The logs of all games in one store."""

    def __init__(
        self,
        client: store.Redis,
        is_heard: Callable[[str], bool] = lambda _: False,
        replicas: int = 0,
        in_hand: Tasks | None = None,
    ) -> None:
        """`is_heard` says of a game whether what others publish of it comes to this process. Appends on their way
        are `in_hand`.

        So many `replicas` must have an event before anybody hears of it: then it is published by a trip of its own, and
        who reads of it earlier waits for them as well.
        """
        self._client = client
        self._is_heard = is_heard
        self._replicas = Replicas(client, replicas) if replicas else None
        self._appends = Appends(client, in_hand or Tasks(), self._replicas, self._tell if replicas else None)
        self._is_cluster = store.is_cluster(client)

    def append(
        self,
        game_id: str,
        before: History | None,
        event: Event,
        after: History,
        frame: bytes = b"",
        facts: Mapping[str, str] | None = None,
    ) -> asyncio.Future[bool]:
        """`send`, for who waits for the answer."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.send(game_id, before, event, after, partial(settle, answer), frame, facts)
        return answer

    def send(
        self,
        game_id: str,
        before: History | None,
        event: Event,
        after: History,
        done: Done,
        frame: bytes = b"",
        facts: Mapping[str, str] | None = None,
    ) -> None:
        """Appends the event that leads from `before` to `after`, and publishes `frame` to who follows the game.

        The answer is true when the log holds it, as durably as the store is set to; false when the game is not at
        `before` any more; or Unavailable after 15 s without an answer: then it may or may not be in the log. Appends
        are made, and answered, in the order of the calls.
        """
        version, chain = (before.version, before.chain) if before else (0, b"")
        entry_id = f"{after.at}-{after.version}"
        by, visibility = (facts["by"], facts["visibility"]) if facts else ("", "")
        told = "none" if self._replicas else "all" if self._is_cluster else int(self._is_heard(game_id))
        args = (version, chain, after.chain, entry_id, stored(event), frame, told, by, visibility)
        self._appends.add((_log_key(game_id), channel(game_id)), args, done)

    async def write(
        self,
        game_id: str,
        entries: Sequence[Entry],
        history: History,
        snapshots: Sequence[History],
        facts: Mapping[str, str],
        origin: Origin | None = None,
        *,
        is_hidden: bool = False,
    ) -> bool:
        """Writes the whole log of a new game, which leads to `history`, in one step; false when the id is taken.

        Where the game that it is from `is_hidden`, that one is not told while the new game is public.
        """
        fields: dict[str, Any] = {"v": history.version, "chain": history.chain, **facts}
        fields["from"] = f"{origin.g} {origin.v}{' hidden' if is_hidden else ''}" if origin else "file"
        fields |= {_snapshot_field(kept): snapshot(kept) for kept in snapshots}
        pairs = [part for field in fields.items() for part in field]
        lines = [part for entry in entries for part in (f"{entry.at}-{entry.version}", stored(entry.event))]
        args = (_log_key(game_id), channel(game_id), len(pairs), *pairs, *lines)
        return bool(await store.patiently(lambda _: self._client.eval(_COPY, 2, *args), store.APPEND_WITHIN_S) == 1)

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
        facts, found = await self._read_after(game_id, base)
        later = entries(game_id, base.version if base else 0, found)
        if base is None:
            first = later.pop(0) if later else None
            if first is None or not isinstance(first.event, Dealt):
                raise Damaged(f"the log of game {game_id} does not begin with a deal")
            base = begin(first.event, first.at)
        return opened(game_id, facts, base, later)

    async def refresh(self, game_id: str, known: History) -> Opened | None:
        """What came after a history that was read before; None when it is no longer part of the game's log.

        The log itself is read only where the head is another one: of those who come back all at once, most ask for a
        game that nobody moved.
        """
        [[*facts, _]] = await trip(self._client, lambda pipe: pipe.hmget(channel(game_id), *_FACTS))
        found: Any = ()
        if facts[-2:] != [b"%d" % known.version, known.chain]:
            facts, found = await self._read_after(game_id, known)
        with contextlib.suppress(Damaged):
            read = opened(game_id, facts, known, entries(game_id, known.version, found))
            if read.head[0] > known.version or read.head[1] == known.chain:
                return read
        return None

    async def read(self, game_id: str, version: int, at: int, since: int) -> list[Entry]:
        """The entries after version `since` and up to `version`, which the log is known to have, of the time `at`."""
        if since >= version:
            return []
        last, count = f"{at}-{version}", version - since
        found = await store.ask(lambda: self._client.xrevrange(_log_key(game_id), last, count=count))
        return entries(game_id, since, found[::-1])

    async def ids(self, at_once: int = 100) -> AsyncIterator[list[str]]:
        """The ids of all games, in no order, so many at once."""
        found: list[str] = []
        async for key in self._client.scan_iter(match=channel("*"), count=1000):
            found.append(game_of(key.decode()))
            if len(found) == at_once:
                yield found
                found = []
        yield found

    async def heads(self, game_ids: Sequence[str]) -> list[Head | None]:
        """Where the log of each game is, in one trip; None for a game that is not there, or damaged."""
        found = await trip(
            self._client,
            lambda pipe: [pipe.hmget(channel(game_id), "v", "chain", "visibility", "by") for game_id in game_ids],
            is_lenient=True,
        )
        return [head(facts) for facts in found]

    async def _read_after(self, game_id: str, known: History | None) -> tuple[list[Any], Any]:
        """The facts and the head of a game, and its entries after `known`: all of it as durable as an append."""
        commands = [
            ("HMGET", channel(game_id), *_FACTS),
            ("XRANGE", _log_key(game_id), _after(known), "+"),
        ]
        (*facts, chain, kept), found = await trip(
            self._client, lambda pipe: [pipe.execute_command(*command) for command in commands]
        )
        if self._replicas and kept != chain:  # written, and perhaps not by all who must have it
            have = partial(self._replicas.have, channel(game_id), *commands, ("HINCRBY", channel(game_id), "v", 0))
            (*facts, chain, _), found, _ = await store.ask(have)
            await self._keep({game_id: chain})
        return [*facts, chain], found

    async def _tell(self, stored: Sequence[Append]) -> None:
        """The replicas have these: everybody may know, and who reads them need not ask again."""
        with contextlib.suppress(Unavailable):  # both are found out in time
            await publish(self._client, [(game_of(append.game), append.frame) for append in stored])
            await self._keep({game_of(append.game): append.chain for append in stored})

    async def _keep(self, chains: Mapping[str, bytes]) -> None:
        """Notes of some games the chain value up to which the replicas have them."""
        await trip(self._client, lambda pipe: [pipe.hset(channel(g), "kept", chain) for g, chain in chains.items()])

    async def keep_snapshot(self, game_id: str, history: History) -> None:
        """Keeps a snapshot in place of the oldest one."""
        await store.ask(lambda: self._client.hset(channel(game_id), _snapshot_field(history), snapshot(history)))


def _log_key(game_id: str) -> str:
    return f"{channel(game_id)}:log"


def _after(history: History | None) -> str:
    """The beginning of a range of the stream: after a history, or all of it."""
    return f"({history.at}-{history.version}" if history else "-"


def _snapshot_field(history: History) -> str:
    return f"snapshot{history.version // SNAPSHOT_EVERY % SNAPSHOTS_KEPT}"


def _newest_snapshot(fields: Mapping[bytes, bytes], since: int | None) -> History | None:
    return newest([content for name, content in fields.items() if name.startswith(b"snapshot")], since)
