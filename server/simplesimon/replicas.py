"""Waiting for replicas, where the operator asks for it: nobody hears of an event, and no player of a change of what is
theirs, before so many of them have it.

WAIT waits for what its own connection wrote, so that command and WAIT go together on one connection; and a command
that may have written nothing, since it is a second try or a reading, writes something that changes nothing first.
"""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import redis.exceptions
from redis.asyncio.cluster import PipelineCommand

from simplesimon import store
from simplesimon.trips import trip

WAIT_MS = 1000
"""Less than the connection's patience: what this is not enough for is tried again."""

_A_MOMENT_MS = 1000

Command = tuple[Any, ...]


class Replicas:
    """The `number` of replicas that must have an event before anybody hears of it."""

    def __init__(self, client: store.Redis, number: int) -> None:
        self._client: Any = client
        self._number = number
        self._is_cluster = store.is_cluster(client)

    async def have(self, key: str, *commands: Command) -> list[Any]:
        """The answers to commands of one primary, that of `key`, given when the replicas have all that was there.

        One of the commands must write. Raises the first error among the answers, and an error that may pass when too
        few replicas have it within a second, or when it was no primary.
        """
        asked = [*commands, ("WAIT", self._number, WAIT_MS)]
        *answers, count = await (self._ask_node(key, asked) if self._is_cluster else self._ask(asked))
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        if isinstance(count, Exception) or count < self._number:
            raise redis.exceptions.ResponseError(f"NOREPLICAS of {self._number} that should have it: {count}")
        return answers

    async def _ask(self, commands: Sequence[Command]) -> list[Any]:
        pipe = self._client.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        return list(await pipe.execute(raise_on_error=False))

    async def _ask_node(self, key: str, commands: Sequence[Command]) -> list[Any]:
        """The library's own pipelines follow redirections command by command: WAIT would stay behind."""
        await self._client.initialize()
        node = self._client.get_node_from_key(key)
        answers = await _ask(node, commands)
        error = next((answer for answer in answers if isinstance(answer, Exception)), None)
        if type(error) is redis.exceptions.AskError and (other := self._client.get_node(error.host, error.port)):
            return (await _ask(other, [("ASKING",), *commands]))[1:]
        if error and store.is_passing(error):  # who has the key now is learned before the next try
            await self._client.nodes_manager.initialize(last_failed_node_name=node.name)
        return answers


async def write(client: store.Redis, replicas: Replicas | None, *commands: Command) -> None:
    """Does what may be done twice; those of one key stand together. Raises Unavailable, as `ask` does for each key.

    Where replicas are waited for, they have it when this returns. A second try may find nothing left to write, so each
    writes something beside.
    """
    if replicas is None:
        await trip(client, lambda pipe: [pipe.execute_command(*command) for command in commands])
        return
    for key, together in groupby(commands, itemgetter(1)):
        beside = ("SET", f"{{{key}}}:written", "", "PX", _A_MOMENT_MS)
        await store.ask(partial(replicas.have, key, *together, beside))


async def _ask(node: Any, commands: Sequence[Command]) -> list[Any]:
    asked = [PipelineCommand(number, *command) for number, command in enumerate(commands)]
    await node.execute_pipeline(asked)
    return [command.result for command in asked]
