"""A line to the store that loses answers, or brings others in their place, when a test asks for it."""

import asyncio
import contextlib


class Line:
    """A line to the store that can lose the next answer on its way, as networks do, or bring `instead`."""

    def __init__(self, store_url, folder):
        self.url, self._to = f"unix://{folder}/line", store_url.removeprefix("unix://")
        self.loses_next, self.lost = False, 0
        self.instead = b""
        self._serving = []

    async def __aenter__(self):
        self._server = await asyncio.start_unix_server(self._serve, self.url.removeprefix("unix://"))
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for serving in self._serving:
            await serving

    async def _serve(self, reader, writer):
        self._serving.append(asyncio.current_task())
        to_reader, to_writer = await asyncio.open_unix_connection(self._to)
        asking = asyncio.create_task(self._pass_on(reader, to_writer))
        while answer := await to_reader.read(65536):
            if self.loses_next:
                self.loses_next, self.lost = False, self.lost + 1
                break
            writer.write(self.instead or answer)
            self.instead = b""
        asking.cancel()
        await closed(writer, to_writer)

    async def _pass_on(self, reader, writer):
        while asked := await reader.read(65536):
            writer.write(asked)
        writer.close()  # who asked is gone


async def closed(*writers):
    """Closes connections, and returns when they are."""
    for writer in writers:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
