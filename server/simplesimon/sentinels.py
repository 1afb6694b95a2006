"""A store whose primary is named by sentinels: `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/SERVICE`."""

import asyncio
import contextlib
from typing import Any
from urllib.parse import unquote, urlsplit

import redis.asyncio
import redis.exceptions
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

PORT = 26379
ASK_EVERY_S = 1.0
_ANSWERS_WITHIN_S = 1.0


class _Pool(SentinelConnectionPool, redis.asyncio.BlockingConnectionPool):
    """Connections to whoever is the primary; who needs one more than there may be waits for it."""

    _followed: tuple[str, int] | None = None

    async def follow(self) -> None:
        """Leaves a primary that is none any more: one that was only frozen would go on as if nothing had happened."""
        before = self._followed or self.master_address  # each new connection sets that, and leaves those in use
        with contextlib.suppress(redis.exceptions.RedisError, OSError):  # asked again soon
            address = await self.get_master_address()  # type: ignore[no-untyped-call]
            if before not in (None, address):
                await self.disconnect()
            self._followed = address

    async def aclose(self) -> None:
        await super().aclose()
        await self.sentinel_manager.aclose()


def connect(url: str, options: dict[str, Any]) -> redis.asyncio.Redis:
    """A client of the primary; the login of the URL is the store's. Raises ValueError for what is no such URL."""
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    name, _, password = map(unquote, login.partition(":"))
    service = unquote(parts.path.strip("/"))
    if not service or not hosts:
        raise ValueError("it names sentinels and a service: redis+sentinel://host:port,host:port/service")
    patience = {"socket_timeout": _ANSWERS_WITHIN_S, "socket_connect_timeout": _ANSWERS_WITHIN_S}
    sentinels = Sentinel(
        [_address(host) for host in hosts.split(",")], sentinel_kwargs=patience | {"retry": Retry(NoBackoff(), 0)}
    )
    return sentinels.master_for(  # type: ignore[no-any-return]
        service, connection_pool_class=_Pool, username=name or None, password=password or None, **options
    )


async def follow(client: redis.asyncio.Redis) -> None:
    """Keeps a client with the primary that the sentinels name, until cancelled; one of another kind is left alone."""
    pool = getattr(client, "connection_pool", None)  # which a client of a cluster has not
    while True:
        await asyncio.sleep(ASK_EVERY_S)
        if isinstance(pool, _Pool):
            await pool.follow()


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    return (host.strip("[]"), int(port)) if colon and not port.endswith("]") else (text.strip("[]"), PORT)
