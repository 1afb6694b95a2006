"""The sockets that the server listens on."""

import errno
import os
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from simplesimon.errors import CannotStart

BACKLOG = 2048
PORT_WITHIN_S = 7.0
"""The workers of a killed server finish what is in hand before they free it: 0.3 s, and more where all are busy."""
TAKEN_WITHIN_S = 15
"""As long as a pong may be late."""
UNSENT_BYTES = 64 * 1024
"""The kernel would take megabytes for a reader that takes nothing, and we would not hear of it."""


def listening(host: str, port: int) -> socket.socket:
    """The socket to serve on. It waits a little for a port in use: the workers of a killed server are about to end.

    Raises CannotStart.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + PORT_WITHIN_S
    while True:
        try:
            return _frugal(socket.create_server((host, port), family=family, backlog=BACKLOG))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
                raise CannotStart(f"cannot listen on {host} port {port}: {reason}") from None
        time.sleep(0.1)


def _frugal(listener: socket.socket) -> socket.socket:
    """The kernel, too, keeps little for a connection whose other end takes nothing, and gives it up; who is accepted
    inherits both.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKEN_WITHIN_S * 1000)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # on Linux and macOS
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
    return listener


def one_more(listener: socket.socket) -> Iterator[Any]:
    """What becomes, in each worker, a second socket of the same address, to which the kernel gives an even share.

    From the one that all share, who is quick takes most: of 2,000 who came at once up to two thirds. It stays, because
    whoever comes while no worker is ready waits there.
    """
    if sys.platform == "linux":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # not before it was known to be free
        yield _OneMore(listener.family, listener.getsockname())


class _OneMore(NamedTuple):
    family: socket.AddressFamily
    address: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return _listening_too, tuple(self)


def _listening_too(family: socket.AddressFamily, address: tuple[Any, ...]) -> socket.socket:
    """It has the address, and is given connections only once the worker is ready and listens."""
    own = socket.socket(family)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if family == socket.AF_INET6:
        own.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # as the one of all has it
    own.bind(address)
    return _frugal(own)
