"""Trips to the store: requests leave as they are made, and nobody waits for the answers of others to leave.

The library makes the connection (address, TLS, login, sentinels) and gives it up; in between what goes over it is ours,
because its own way of asking costs several times as much as the trip. In a cluster the library does all of it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import hiredis
import redis.exceptions

from simplesimon.store import READ_WITHIN_S, TIMEOUT_S, Redis, ask, is_cluster, is_wrong_kind, no_answer
from simplesimon.tasks import look_at, settle

Told = Callable[[list[Any] | Exception], None]
"""Hears the answers to a trip, errors among them, or why there are none."""

_CLOSED_WITHIN_S = 1.0
_FATAL = (redis.exceptions.ConnectionError, redis.exceptions.ReadOnlyError)
"""Answers after which a connection is of no use: it would have to log in again, or to lead elsewhere."""


async def trip(client: Redis, fill: Callable[[Any], object], *, is_lenient: bool = False) -> list[Any]:
    """The answers to all that `fill` puts into a pipeline, in one trip; `is_lenient`: None for a key that has something
    else, so that one of many harms none of the others.

    Raises Unavailable after 3 s without an answer, or as long as it takes to find that there is no connection.
    """

    async def attempt() -> list[Any]:
        pipe = client.pipeline(transaction=False)
        fill(pipe)
        if is_cluster(client):
            answers = await pipe.execute(raise_on_error=False)
        else:
            answers = await _pipelined(client, pipe.command_stack)
        found = [None if is_lenient and is_wrong_kind(answer) else answer for answer in answers]
        _raise_first(found)
        return found

    return list(await ask(attempt))


async def _pipelined(client: Redis, asked: Sequence[tuple[tuple[Any, ...], Mapping[str, Any]]]) -> list[Any]:
    """The answers as the library gives them, errors among them."""
    answers = await _ways(client).requests.ask([command for command, _ in asked])
    for at, ((command, options), answer) in enumerate(zip(asked, answers, strict=True)):
        if command[0] in client.response_callbacks and not isinstance(answer, Exception):
            known = {name: option for name, option in options.items() if name != "keys"}
            answers[at] = client.response_callbacks[command[0]](answer, **known)
    return answers


async def run(client: Redis, command: tuple[Any, ...]) -> Any:
    """The answer to one command, once; it has a connection of its own, so that no other waits until it is on disk."""
    if is_cluster(client):
        return await client.execute_command(*command)
    answers = await _ways(client).appends.ask([command])
    _raise_first(answers)
    return answers[0]


def run_at_once(client: Redis, command: tuple[Any, ...], told: Callable[[Any], None]) -> bool:
    """`run`, for who hears by a callback: the answer, or the error in its place. False where the library asks, or a
    connection has to be made first.
    """

    def hear(answers: list[Any] | Exception) -> None:
        told(answers if isinstance(answers, Exception) else answers[0])

    return not is_cluster(client) and _ways(client).appends.ask_at_once(command, hear)


async def close(client: Redis) -> None:
    """Closes a client for good: a reading that somebody shares may go on behind, and would connect once more."""
    if not is_cluster(client):
        await _ways(client).requests.close()
        await _ways(client).appends.close()
    await client.aclose()


def _raise_first(answers: Sequence[Any]) -> None:
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer


class _Way:
    """A way to the store: a connection, made when it is needed, and again when it was lost or silent for too long."""

    def __init__(self, pool: Any, within_s: float) -> None:
        self._pool = pool
        self._within_s = within_s
        self._line: _Line | None = None
        self._connecting: asyncio.Task[_Line] | None = None
        self._is_closed = False

    async def ask(self, commands: list[tuple[Any, ...]]) -> list[Any]:
        """The answers, errors among them. Raises what the library does where there is no connection, or it is lost."""
        if not commands:
            return []
        line = self._line
        if line is None or not line.is_open:
            line = await self._connected()
        return await line.ask(b"".join([hiredis.pack_command(command) for command in commands]), len(commands))

    def ask_at_once(self, command: tuple[Any, ...], told: Told) -> bool:
        """Asks on a connection that is there; false where there is none."""
        if self._line is None or not self._line.is_open:
            return False
        self._line.send(hiredis.pack_command(command), 1, told)
        return True

    async def close(self) -> None:
        """Nothing is asked any more. A connection that is being made is waited for: the library closes it, too."""
        self._is_closed = True
        if self._connecting:
            await asyncio.wait([self._connecting], timeout=_CLOSED_WITHIN_S)

    async def _connected(self) -> "_Line":
        if self._is_closed:
            raise no_answer()
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
            self._connecting.add_done_callback(self._settle)
        return await asyncio.shield(self._connecting)

    def _settle(self, connecting: asyncio.Task["_Line"]) -> None:
        self._connecting = None
        look_at(connecting)

    async def _connect(self) -> "_Line":
        lost, self._line = self._line, None
        if lost:
            lost.abort()  # else the pool could hand the connection out again before it is quite closed
            try:
                await lost.connection.disconnect(nowait=True)
            finally:
                await self._pool.release(lost.connection)
        self._line = _Line(await self._pool.get_connection(), self._within_s)
        return self._line


class _Trip:
    """So many requests on their way, made at once."""

    __slots__ = ("answers", "count", "due", "told")

    def __init__(self, count: int, due: float, told: Told) -> None:
        self.count = count
        self.due = due
        self.told = told
        self.answers: list[Any] = []


class _Line(asyncio.Protocol):
    """A connection that the library has made. What is private to it is touched here alone."""

    def __init__(self, connection: Any, within_s: float) -> None:
        self.connection = connection
        self._within_s = within_s
        self._loop = asyncio.get_running_loop()
        self._transport = connection._writer.transport  # noqa: SLF001 - every test that reads notices when it moves
        self._reader = connection._parser._reader  # noqa: SLF001 - as above; it knows the library's errors
        self._nothing = self._reader.gets()
        self._trips: deque[_Trip] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._library = self._transport.get_protocol()
        self._transport.set_protocol(self)

    @property
    def is_open(self) -> bool:
        return not self._transport.is_closing()

    async def ask(self, packed: bytes, count: int) -> list[Any]:
        if not self.is_open:  # lost before it was used
            raise _lost()
        told: asyncio.Future[list[Any]] = self._loop.create_future()
        self.send(packed, count, partial(settle, told))
        return await told

    def send(self, packed: bytes, count: int, told: Told) -> None:
        """Asks on a connection that is open."""
        trip = _Trip(count, self._loop.time() + self._within_s, told)
        self._transport.write(packed)
        self._trips.append(trip)
        if self._timer is None:
            self._timer = self._loop.call_at(trip.due, self._end_if_late)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (answer := self._reader.gets()) is not self._nothing:
            trip = self._trips[0]
            trip.answers.append(answer)
            if _is_fatal(answer):
                self.abort()
            if len(trip.answers) == trip.count:
                self._trips.popleft()
                trip.told(trip.answers)

    def abort(self) -> None:
        self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._library.connection_lost(error)
        while self._trips:
            self._trips.popleft().told(_lost())

    def _end_if_late(self) -> None:
        """A store that is silent for too long is given up, with all that it owes."""
        self._timer = None
        if self._trips and self._loop.time() >= self._trips[0].due:
            self.abort()
        elif self._trips:
            self._timer = self._loop.call_at(self._trips[0].due, self._end_if_late)


def _is_fatal(answer: Any) -> bool:
    first = answer[0] if isinstance(answer, list) and answer else answer  # of several appends to one primary
    return isinstance(first, _FATAL)


def _lost() -> Exception:
    return redis.exceptions.ConnectionError("the connection to the store was lost")


class _Ways:
    """Of one client. Appends have their own: what is read need not wait until they are on disk."""

    def __init__(self, client: Redis) -> None:
        self.requests = _Way(client.connection_pool, READ_WITHIN_S)
        self.appends = _Way(client.connection_pool, TIMEOUT_S)


_of_clients: WeakKeyDictionary[Redis, _Ways] = WeakKeyDictionary()


def _ways(client: Redis) -> _Ways:
    ways = _of_clients.get(client)
    if ways is None:
        ways = _of_clients[client] = _Ways(client)
    return ways
