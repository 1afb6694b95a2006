"""A line to the store that loses answers, when a test asks for it."""

import asyncio
import contextlib


class Line:
    """A line to the store that can lose the next answer on its way, as networks do."""

    def __init__(self, store_url, folder):
        self.url, self._to = f"unix://{folder}/line", store_url.removeprefix("unix://")
        self.loses_next, self.lost = False, 0

    async def __aenter__(self):
        self._server = await asyncio.start_unix_server(self._serve, self.url.removeprefix("unix://"))
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _serve(self, reader, writer):
        to_reader, to_writer = await asyncio.open_unix_connection(self._to)
        asking = asyncio.create_task(self._pass_on(reader, to_writer))
        with contextlib.closing(writer), contextlib.closing(to_writer):
            while answer := await to_reader.read(65536):
                if self.loses_next:
                    self.loses_next, self.lost = False, self.lost + 1
                    break
                writer.write(answer)
        asking.cancel()

    async def _pass_on(self, reader, writer):
        while asked := await reader.read(65536):
            writer.write(asked)
