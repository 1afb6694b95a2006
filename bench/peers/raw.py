"""A limit: uvloop, a handshake by heart, a frame made once, `transport.write` for each follower; no rules."""

import asyncio
import json
import os

import uvloop

SHAKEN = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: simplesimon.v1\r\n\r\n"
)
followers: dict[str, set[asyncio.Transport]] = {}
versions: dict[str, int] = {}


def frame(text):
    length = len(text)
    head = bytes((0x81, length)) if length < 126 else b"\x81\x7e" + length.to_bytes(2, "big")
    return head + text.encode()


class Connection(asyncio.Protocol):
    """Takes short frames whose mask is zero, as the load generator sends them."""

    def connection_made(self, transport):
        self.transport = transport
        self.buffer = None
        self.game = ""

    def data_received(self, chunk):
        if self.buffer is None:  # its handshake, in one piece
            self.buffer = b""
            self.transport.write(SHAKEN)
            return
        buffer = self.buffer + chunk
        while len(buffer) >= 6 and len(buffer) >= (end := 6 + (buffer[1] & 127)):
            self.told(json.loads(buffer[6:end]))
            buffer = buffer[end:]
        self.buffer = buffer

    def told(self, asked):
        game = asked["g"]
        if asked["t"] == "watch":
            self.game = game
            version = versions.setdefault(game, 1)
            columns = DEAL
            state = json.dumps({"t": "state", "g": game, "v": version, "columns": columns}, separators=(",", ":"))
            self.transport.write(frame(state) + frame(f'{{"t":"synced","g":"{game}","v":{version}}}'))
            followers.setdefault(game, set()).add(self.transport)
        elif asked["v"] == versions[game]:
            version = versions[game] = versions[game] + 1
            m = ",".join(map(str, asked["m"]))
            diff = frame(
                f'{{"t":"move","g":"{game}","v":{version},"m":[{m}],"score":{501 - version},"moves":{version - 1}}}'
            )
            for transport in followers[game]:
                transport.write(diff)

    def connection_lost(self, _):
        followers.get(self.game, set()).discard(self.transport)


DEAL = os.environ["DEAL"].splitlines()


async def main():
    server = await asyncio.get_running_loop().create_server(
        Connection, "127.0.0.1", int(os.environ["PORT"]), backlog=4096
    )
    await server.serve_forever()


uvloop.run(main())
