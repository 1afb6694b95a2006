"""The connection to Redis (or Valkey), and patience with it: what is tried again, for how long, and when to give up."""

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import redis.asyncio
import redis.exceptions
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from simplesimon import sentinels
from simplesimon.errors import CannotStart, Damaged, Unavailable

Redis = redis.asyncio.Redis
T = TypeVar("T")

FORMAT = "1"
"""Of all that is stored: a store of another format is not touched."""

APPEND_WITHIN_S = 15.0
"""Covers a failover of some seconds, as docs/RELIABILITY.md promises."""
READ_WITHIN_S = 3.0
CONNECTIONS = 32
"""Of one worker; who needs one more waits for it."""

_CLUSTER = "redis+cluster://"
_REDIRECTIONS = 3
TIMEOUT_S = 5.0
"""For which the store may be silent to one trip, or to one connecting."""
_LONGEST_DELAY_S = 1.0
# Not connection errors to the library, but the store saying that it takes no writes now; it may again in a moment.
_PASSING = (
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.ReadOnlyError,
    redis.exceptions.ClusterDownError,
    redis.exceptions.ClusterError,
    redis.exceptions.RedisClusterException,  # also when no node of it answers
    redis.exceptions.AskError,
    redis.exceptions.TryAgainError,
    OSError,
)
LOST = (
    *(redis.exceptions.RedisError, redis.exceptions.RedisClusterException, OSError),
    *(AttributeError, RuntimeError),  # see `is_closed_already`
)
"""What a connection that is lost may raise, whatever was asked of it."""
_STREAM = ("writelines", "drain", "read")
_PASSING_CODES = ("MISCONF", "NOREPLICAS", "BUSY")  # for which the library has no class
_WRONG = ("WRONGTYPE", "value is not an integer")


def connect(url: str) -> Redis:
    """A client of the server that the URL names: `redis://`, `rediss://`, `unix://`, `redis+cluster://` for a cluster,
    or `redis+sentinel://` (`rediss+sentinel://`) for the primary that sentinels name.

    It connects when first used. The library's own retries are off: an append that is sent again must say so
    (`append.lua`). In a cluster some are needed, to go where a redirection leads. Raises ValueError for what is no
    such URL.
    """
    options: dict[str, Any] = {
        "max_connections": CONNECTIONS,
        "socket_timeout": TIMEOUT_S,
        "socket_connect_timeout": TIMEOUT_S,
        "health_check_interval": 0,
        "client_name": "simplesimon",
        "protocol": 2,  # in which a store says nothing that it was not asked
    }
    if url.startswith(_CLUSTER):
        retry = Retry(NoBackoff(), _REDIRECTIONS)
        cluster = redis.asyncio.RedisCluster.from_url("redis://" + url.removeprefix(_CLUSTER), retry=retry, **options)
        return cast(Redis, cluster)  # it has all that is used here
    options |= {"timeout": READ_WITHIN_S, "retry": Retry(NoBackoff(), 0)}
    if url.partition("://")[0] in sentinels.SCHEMES:
        return sentinels.connect(url, options)
    return redis.asyncio.Redis.from_pool(redis.asyncio.BlockingConnectionPool.from_url(url, **options))


def is_cluster(client: Redis) -> bool:
    """Whether the client is one of a cluster."""
    return isinstance(client, redis.asyncio.RedisCluster)


def is_passing(error: BaseException) -> bool:
    """Whether the same request may succeed a moment later."""
    if isinstance(error, _PASSING) or is_closed_already(error):
        return True
    return _said(error).startswith(_PASSING_CODES)


def is_closed_already(error: BaseException) -> bool:
    """Whether the library used a connection that another task of its own had just closed.

    It has no error for that: it calls None, or uvloop tells it so.
    """
    if isinstance(error, AttributeError):
        return error.obj is None and error.name in _STREAM
    return isinstance(error, RuntimeError) and "the handler is closed" in str(error)


def named(error: Exception) -> Exception:
    """The error as it is told: Damaged where the key of something has something else."""
    return Damaged("something else stands in the place of what was stored") if is_wrong_kind(error) else error


def is_wrong_kind(error: object) -> bool:
    return isinstance(error, redis.exceptions.ResponseError) and _said(error).startswith(_WRONG)


def _said(error: BaseException) -> str:
    """In a pipeline the library puts the command before what the store said, and that into quotes and brackets."""
    return str(error).rpartition("caused error: ")[2].lstrip("('\"")


async def patiently(call: Callable[[int], Awaitable[T]], within_s: float) -> T:
    """What `call` gives; it gets the number of the try, from 0. Raises Unavailable when no try within the time did,
    Damaged where the key of something has something else.

    The delays between tries are fully random and grow, so that many callers do not come back all at once.
    """
    deadline = time.monotonic() + within_s
    attempt = 0
    while True:
        try:
            return await call(attempt)
        except Exception as error:
            if not is_passing(error):
                raise named(error) from error.__cause__
            longest = min(_LONGEST_DELAY_S, 0.05 * 2**attempt)
            delay = random.uniform(0, longest)  # noqa: S311 - no secret
            if time.monotonic() + delay > deadline:
                raise no_answer() from error
            await asyncio.sleep(delay)
            attempt += 1


def no_answer() -> Unavailable:
    """What is told when all tries were in vain."""
    return Unavailable("the store does not answer; please try again")


async def ask(call: Callable[[], Any]) -> Any:
    """What one request gives that may be made twice. Raises Unavailable when no try that began within 3 s was answered;
    one over the library's own connections may take 5 s to say so.
    """
    return await patiently(lambda _: call(), READ_WITHIN_S)


async def check_format(client: Redis) -> None:
    """Marks an empty store with our format. Raises CannotStart for a store of another one, Unavailable for none."""
    try:
        await ask(lambda: client.set("simplesimon:format", FORMAT, nx=True))
        found = (await ask(lambda: client.get("simplesimon:format"))).decode(errors="replace")
    except redis.exceptions.RedisError as error:
        raise CannotStart(f"the store refuses its format: {error}") from None
    if found != FORMAT:
        raise CannotStart(f"the store has format {found[:20]!r}, and this version of simplesimon reads {FORMAT}")


async def durability(client: Redis) -> str:
    """How the store keeps an acknowledged event: `fsync`, `second` or `none`; `unknown` where it does not tell."""
    try:
        kept = await client.config_get("append*")
    except redis.exceptions.ResponseError:
        return "unknown"
    if kept.get("appendonly") != "yes":
        return "none"
    return {"always": "fsync", "everysec": "second"}.get(str(kept.get("appendfsync")), "none")


async def weaknesses(client: Redis) -> list[str]:
    """What in the settings of the store may lose games, a line each; none where it may not be asked."""
    found = []
    kept = await durability(client)
    if kept in ("second", "none"):
        found.append(f"the store does not sync every write to disk (durability: {kept}): a power cut may lose moves")
    with contextlib.suppress(redis.exceptions.ResponseError):
        policy = (await client.config_get("maxmemory-policy")).get("maxmemory-policy", "noeviction")
        if policy != "noeviction":
            found.append(f"the store may throw games away when it is full: its maxmemory-policy is {policy}")
    return found
