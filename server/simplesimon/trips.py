"""Trips to the store: what is asked in one turn of the event loop leaves together, over connections kept at hand."""

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import hiredis
import redis.exceptions

from simplesimon.store import TIMEOUT_S, Redis, ask, is_cluster, is_wrong_kind

_Commands = Sequence[tuple[tuple[Any, ...], Mapping[str, Any]]]

_SPARE = 2
_spare: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()
"""Connections of a pool that are kept at hand: to give one back, and to get it again, costs a third of a trip."""
_turns: WeakKeyDictionary[Redis, tuple[list[Any], asyncio.Task[list[Any]]]] = WeakKeyDictionary()


async def trip(client: Redis, fill: Callable[[Any], object], *, is_lenient: bool = False) -> list[Any]:
    """The answers to all that `fill` puts into a pipeline, in one trip; `is_lenient`: None for a key that has something
    else, so that one of many harms none of the others.

    Raises Unavailable after 3 s without an answer.
    """

    async def run() -> list[Any]:
        pipe = client.pipeline(transaction=False)
        fill(pipe)
        if is_cluster(client):
            answers = await pipe.execute(raise_on_error=False)
        else:
            answers = await _shared(client, pipe.command_stack)
        return _sound([None if is_lenient and is_wrong_kind(answer) else answer for answer in answers])

    return list(await ask(run))


async def run(client: Redis, command: tuple[Any, ...]) -> Any:
    """The answer to one command, once."""
    if is_cluster(client):
        return await client.execute_command(*command)
    return _sound(await _answers(client, [(command, {})]))[0]


async def _shared(client: Redis, commands: _Commands) -> list[Any]:
    """The answers to these; whatever else is asked in the same turn of the event loop leaves in the same trip."""
    turn = _turns.get(client)
    if turn is None:
        asked: list[Any] = []
        turn = _turns[client] = asked, asyncio.create_task(_send(client, asked))
        turn[1].add_done_callback(lambda sent: sent.cancelled() or sent.exception())  # perhaps nobody waits any more
    asked, sent = turn
    first = len(asked)
    asked += commands
    return (await asyncio.shield(sent))[first : first + len(commands)]


async def _send(client: Redis, commands: _Commands) -> list[Any]:
    del _turns[client]
    return await _answers(client, commands)


async def _answers(client: Redis, commands: _Commands) -> list[Any]:
    """As the library's pipeline, but packed in C: its packing of a long command costs more than the trip."""
    pool = client.connection_pool
    spare = _spare.setdefault(pool, [])
    connection = spare.pop() if spare else await pool.get_connection()
    is_sound = False
    try:
        answers = await _talk(client, connection, commands)
        is_sound = len(spare) < _SPARE and connection.is_connected
    finally:
        if is_sound:
            spare.append(connection)
        else:  # the library looks whether all was read
            await pool.release(connection)
    return answers


async def _talk(client: Redis, connection: Any, commands: _Commands) -> list[Any]:
    answers: list[Any] = []
    await connection.send_packed_command(b"".join([hiredis.pack_command(command) for command, _ in commands]))
    async with asyncio.timeout(TIMEOUT_S):  # one for all: the library's, for each, costs more than the reading
        for command, options in commands:
            try:
                if command[0] in client.response_callbacks:
                    answer = await client.parse_response(connection, command[0], **options)
                else:
                    answer = await connection.read_response(timeout=math.inf)
                answers.append(answer)
            except redis.exceptions.ResponseError as error:
                answers.append(error)  # the answers after it must be read, too
    return answers


def _sound(answers: Sequence[Any]) -> list[Any]:
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return list(answers)
