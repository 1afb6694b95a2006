"""Group commit: while one trip to the store is under way appends queue, and the next trip takes them all.

An append on an idle store leaves at once; on a busy one the store syncs once for many. In a cluster each game has a
queue of its own, so that a primary that is away holds up only its own games.
"""

import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from importlib import resources
from itertools import chain
from typing import Any, cast

import redis.exceptions
from msgspec import Struct

from simplesimon import store
from simplesimon.replicas import Replicas
from simplesimon.tasks import Tasks
from simplesimon.trips import run

AT_ONCE = 128
"""Appends in one call of the script, during which the store does nothing else."""

Argument = int | bytes | str
Done = Callable[[bool | Exception], None]
"""Hears what became of an append: true when the log holds it, false on a clash; or Unavailable after 15 s."""

log = logging.getLogger(__name__)

_SCRIPT = resources.files("simplesimon").joinpath("append.lua").read_text()
_SHA = hashlib.sha1(_SCRIPT.encode()).hexdigest()  # noqa: S324 - the name that Redis gives to a script


class Append(Struct, gc=False):
    """An append on its way: its two keys and its arguments as `append.lua` takes them, and who waits for the answer."""

    keys: tuple[str, str]
    args: tuple[Argument, ...]
    done: Done

    @property
    def game(self) -> str:
        """The name of the game's hash and channel."""
        return self.keys[1]

    @property
    def chain(self) -> bytes:
        """The chain value that it leads to."""
        return cast(bytes, self.args[2])

    @property
    def frame(self) -> bytes:
        """What is published of it."""
        return cast(bytes, self.args[5])


class Appends:
    """The appends of one process that are on their way."""

    def __init__(
        self,
        client: store.Redis,
        in_hand: Tasks,
        replicas: Replicas | None = None,
        tell: Callable[[Sequence[Append]], Awaitable[None]] | None = None,
    ) -> None:
        """With `replicas`, those must have an event before it counts as stored; `tell` comes after that."""
        self._client = client
        self._in_hand = in_hand
        self._replicas = replicas
        self._tell = tell
        self._is_cluster = store.is_cluster(client)
        self._queues: dict[str, list[Append]] = {}

    def add(self, keys: tuple[str, str], args: tuple[Argument, ...], done: Done) -> None:
        """Made and answered in the order of the calls."""
        name = keys[1] if self._is_cluster else ""
        queue = self._queues.get(name)
        if queue is None:
            queue = self._queues[name] = []
            self._in_hand.spawn(self._send_all(name, queue))
        queue.append(Append(keys, args, done))

    async def _send_all(self, name: str, queue: list[Append]) -> None:
        while queue:
            batch = queue[:AT_ONCE]
            del queue[:AT_ONCE]
            answers: Sequence[Any]
            try:
                answers = await store.patiently(partial(self._send, batch), store.APPEND_WITHIN_S)
                if len(answers) != len(batch):
                    raise RuntimeError(f"{len(batch)} appends had {len(answers)} answers")
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer to those who wait
                answers = [error] * len(batch)
            for item, answer in zip(batch, answers, strict=True):
                try:
                    item.done(store.named(answer) if isinstance(answer, Exception) else answer == 1)
                except Exception:
                    log.exception("an append was answered, and the answer led to a fault")
            if self._tell:
                try:
                    await self._tell([item for item, answer in zip(batch, answers, strict=True) if answer == 1])
                except Exception:
                    log.exception("events are stored, and could not be told")
        del self._queues[name]

    async def _send(self, batch: Sequence[Append], attempt: int) -> list[Any]:
        keys = list(chain.from_iterable(item.keys for item in batch))
        args = list(chain.from_iterable(item.args for item in batch))
        is_retry = "1" if attempt or self._is_cluster else "0"  # there the library itself may send it again
        try:
            answers = await self._run("EVALSHA", _SHA, len(keys), *keys, is_retry, *args)
        except redis.exceptions.NoScriptError:
            answers = await self._run("EVAL", _SCRIPT, len(keys), *keys, is_retry, *args)
        passing = next((a for a in answers if isinstance(a, Exception) and store.is_passing(a)), None)
        if passing:
            raise passing
        return answers

    async def _run(self, *command: Any) -> list[Any]:
        if self._replicas:
            return list((await self._replicas.have(command[3], command))[0])
        return list(await run(self._client, command))
