"""TLS in front of a store or a sentinel: not every build of one speaks it."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import trustme


def secure(host: str, authority_file: Path) -> ssl.SSLContext:
    """What makes a server `host` for who trusts the authority of that file."""
    authority, context = trustme.CA(), ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.cert_pem.write_to_path(str(authority_file))
    authority.issue_cert(host).configure_cert(context)
    return context


@contextlib.asynccontextmanager
async def fronted(port: int, context: ssl.SSLContext) -> AsyncIterator[int]:
    """The port at which what listens on another one is reached through TLS, and not otherwise."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, on = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(_copy(reader, on), _copy(back, writer))

    async with await asyncio.start_server(pass_on, "127.0.0.1", 0, ssl=context) as front:
        yield front.sockets[0].getsockname()[1]


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
