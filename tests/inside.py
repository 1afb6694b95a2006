"""A server inside the process of a test, so that what it keeps can be looked at."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import uvicorn

from simplesimon.config import Config
from simplesimon.web import application

BUFFER = 4096
"""Bytes that the system keeps on either side of a socket here, so that one that is not read is full soon."""


@contextlib.asynccontextmanager
async def serving(store_url: str, protocol: Any) -> AsyncIterator[tuple[str, Any]]:
    """Its address, and the application, which has its parts (`state.backend`) once it has answered."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        app = application(Config(redis_url=store_url, has_limits=False))
        server = uvicorn.Server(uvicorn.Config(app, ws=protocol, log_level="warning", timeout_graceful_shutdown=1))
        running = asyncio.create_task(server.serve([listener]))
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", app
        server.should_exit = True
        await running
