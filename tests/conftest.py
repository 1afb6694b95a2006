"""What the tests run on: one real store for all, real servers on it, and devices that talk to them.

Nothing is cleared between tests: each plays games of its own.
"""

from collections.abc import AsyncIterator, Iterator

import pytest
from clients import Device
from servers import Server, serving

from simplesimon import embedded, store


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with embedded.running(tmp_path_factory.mktemp("store")) as url:
        yield url


@pytest.fixture(scope="session")
def server(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits."""
    with serving(tmp_path_factory.mktemp("server") / "words", "--redis-url", store_url, "--no-limits") as server:
        yield server


@pytest.fixture(scope="session")
def limited(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A second server on the same store, with the limits that everybody meets."""
    with serving(tmp_path_factory.mktemp("limited") / "words", "--redis-url", store_url) as server:
        yield server


@pytest.fixture
async def client(store_url: str) -> AsyncIterator[store.Redis]:
    """The store itself."""
    async with store.connect(store_url) as client:
        yield client


@pytest.fixture
async def player(server: Server) -> AsyncIterator[Device]:
    async with Device(server.url) as device:
        await device.me()
        yield device


@pytest.fixture
async def stranger(server: Server) -> AsyncIterator[Device]:
    """Somebody without a session."""
    async with Device(server.url) as device:
        yield device
