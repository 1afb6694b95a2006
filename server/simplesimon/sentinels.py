"""A store whose primary is named by sentinels: `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/SERVICE`.

The login is the store's; that of the sentinels is `?sentinel_username=…&sentinel_password=…`. With `rediss+sentinel://`
both are reached through TLS.
"""

import asyncio
import contextlib
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import redis.asyncio
import redis.exceptions
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

SCHEMES = _, _SECURE = "redis+sentinel", "rediss+sentinel"
PORT = 26379
ASK_EVERY_S = 1.0
_ANSWERS_WITHIN_S = 1.0
_LOGIN = {"sentinel_username": "username", "sentinel_password": "password"}
_TLS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")  # as redis-py names them, and for both


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
    """A client of the primary. Raises ValueError for what is no such URL."""
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    name, _, password = map(unquote, login.partition(":"))
    service = unquote(parts.path.strip("/"))
    if not service or not hosts:
        raise ValueError("it names sentinels and a service: redis+sentinel://host:port,host:port/service")
    theirs, secure = _asked(parts)
    patience = {"socket_timeout": _ANSWERS_WITHIN_S, "socket_connect_timeout": _ANSWERS_WITHIN_S}
    sentinels = Sentinel(
        [_address(host) for host in hosts.split(",")],
        sentinel_kwargs=patience | {"retry": Retry(NoBackoff(), 0)} | theirs | secure,
    )
    return sentinels.master_for(  # type: ignore[no-any-return]
        service, connection_pool_class=_Pool, username=name or None, password=password or None, **options, **secure
    )


def _asked(parts: SplitResult) -> tuple[dict[str, Any], dict[str, Any]]:
    """The login of the sentinels, and how to reach them and the store through TLS."""
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    theirs = {name: asked.pop(given) for given, name in _LOGIN.items() if given in asked}
    is_secure = parts.scheme == _SECURE
    unknown = asked.keys() - (_TLS if is_secure else ())
    if unknown:
        raise ValueError(f"{parts.scheme} has no option {', '.join(sorted(unknown))}")
    return theirs, {"ssl": True, **asked} if is_secure else {}


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
