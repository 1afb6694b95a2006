"""Group commit: while one trip to the store is under way appends queue, and the next trip takes them all.

An append on an idle store leaves at once; on a busy one the store syncs once for many. In a cluster each game has a
queue of its own, so that a primary that is away holds up only its own games.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from itertools import chain
from typing import Any, cast

import redis.exceptions
from msgspec import Struct

from simplesimon import store
from simplesimon.replicas import Replicas
from simplesimon.tasks import Tasks, settle
from simplesimon.trips import run, run_at_once

AT_ONCE = 128
"""Appends in one call of the script, during which the store does nothing else."""

Argument = int | bytes | str
Done = Callable[[bool | Exception], None]
"""Hears what became of an append: true when the log holds it, false on a clash; or Unavailable after 15 s."""

log = logging.getLogger(__name__)

_SCRIPT = resources.files("simplesimon").joinpath("append.lua").read_text()
_SHA = hashlib.sha1(_SCRIPT.encode()).hexdigest()  # noqa: S324 - the name that Redis gives to a script


class Append(Struct, gc=False):
    """An append on its way: its two keys and its arguments as `append.lua` takes them, who waits for the answer, and
    since when (by the monotonic clock)."""

    keys: tuple[str, str]
    args: tuple[Argument, ...]
    done: Done
    since: float

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


@dataclass(slots=True)
class _Queue:
    """Appends that wait for their trip; `emptied` when there is none, and none under way."""

    name: str
    emptied: asyncio.Future[None]
    waiting: list[Append] = field(default_factory=list)


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
        self._queues: dict[str, _Queue] = {}

    def add(self, keys: tuple[str, str], args: tuple[Argument, ...], done: Done) -> None:
        """Made and answered in the order of the calls."""
        name = keys[1] if self._is_cluster else ""
        queue = self._queues.get(name)
        if queue is None:
            loop = asyncio.get_running_loop()
            queue = self._queues[name] = _Queue(name, loop.create_future())
            self._in_hand.keep(queue.emptied)
            loop.call_soon(self._send_next, queue)  # with all that comes in this turn
        queue.waiting.append(Append(keys, args, done, time.monotonic()))

    def _send_next(self, queue: _Queue) -> None:
        """Without a task where there is a connection and the first try succeeds, which is nearly always: a lone move
        costs a sixth less."""
        batch = queue.waiting[:AT_ONCE]
        del queue.waiting[:AT_ONCE]
        if not batch:
            del self._queues[queue.name]
            settle(queue.emptied, None)
        elif not self._send_at_once(queue, batch):
            self._in_hand.spawn(self._send_patiently(queue, batch))

    def _send_at_once(self, queue: _Queue, batch: Sequence[Append]) -> bool:
        if self._replicas or self._is_cluster:
            return False
        try:
            return run_at_once(self._client, self._script(batch, is_retry=False), partial(self._hear, queue, batch))
        except Exception:  # noqa: BLE001 - the task will meet it, too, and tell it
            return False

    def _hear(self, queue: _Queue, batch: Sequence[Append], answers: Any) -> None:
        if _fault(batch, answers):
            self._in_hand.spawn(self._send_patiently(queue, batch, tries=1))
        else:
            self._answer(batch, answers)
            self._send_next(queue)

    async def _send_patiently(self, queue: _Queue, batch: Sequence[Append], tries: int = 0) -> None:
        answers: Sequence[Any]
        left_s = store.APPEND_WITHIN_S - (time.monotonic() - batch[0].since)
        try:
            if left_s < 0:  # all of it went by behind others
                raise store.no_answer()
            answers = await store.patiently(partial(self._send, batch, tries), left_s)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer to those who wait
            answers = [error] * len(batch)
        self._answer(batch, answers)
        if self._tell:
            try:
                await self._tell([item for item, answer in zip(batch, answers, strict=True) if answer == 1])
            except Exception:
                log.exception("events are stored, and could not be told")
        self._send_next(queue)

    def _answer(self, batch: Sequence[Append], answers: Sequence[Any]) -> None:
        for item, answer in zip(batch, answers, strict=True):
            try:
                item.done(store.named(answer) if isinstance(answer, Exception) else answer == 1)
            except Exception:
                log.exception("an append was answered, and the answer led to a fault")

    async def _send(self, batch: Sequence[Append], tries: int, attempt: int) -> list[Any]:
        script = self._script(batch, is_retry=tries + attempt > 0)
        try:
            answers = await self._run(*script)
        except redis.exceptions.NoScriptError:
            answers = await self._run("EVAL", _SCRIPT, *script[2:])
        fault = _fault(batch, answers)
        if fault:
            raise fault
        return answers

    def _script(self, batch: Sequence[Append], *, is_retry: bool) -> tuple[Any, ...]:
        keys = list(chain.from_iterable(item.keys for item in batch))
        args = list(chain.from_iterable(item.args for item in batch))
        is_retry |= self._is_cluster  # there the library itself may send it again
        return "EVALSHA", _SHA, len(keys), *keys, int(is_retry), *args

    async def _run(self, *command: Any) -> list[Any]:
        if self._replicas:
            return list((await self._replicas.have(command[3], command))[0])
        return list(await run(self._client, command))


def _fault(batch: Sequence[Append], answers: Any) -> Exception | None:
    """Why these are no answers: there are none, one is missing, or is an error that may be none a moment later."""
    if isinstance(answers, Exception):
        return answers
    if not isinstance(answers, list) or len(answers) != len(batch):
        return RuntimeError(f"{len(batch)} appends had other answers: {str(answers)[:80]}")
    return next((a for a in answers if isinstance(a, Exception) and store.is_passing(a)), None)
