"""One worker, one player, some spectators, over real sockets; every spectator must get every version, in order, once.

The clients are Python and share the machine with the server: the figures tell how long people wait, not what a server
could do.
"""

import asyncio
import json
import statistics
import time
from collections.abc import Iterator
from itertools import cycle

import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from simplesimon.config import Config
from simplesimon.transport import TakeOverProtocol
from simplesimon.web import application

MOVES = 50
HOST = "127.0.0.1"


async def fan_out(redis_url: str, spectators: int, code: str) -> float:
    """Median ms from the sending of a move until the last spectator has it."""
    config = uvicorn.Config(
        application(Config(redis_url=redis_url, has_limits=False)), HOST, 0, ws=TakeOverProtocol, log_level="warning"
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - it has no event for that
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        return await _measure(port, spectators, code)
    finally:
        server.should_exit = True
        await serving


async def _measure(port: int, spectators: int, code: str) -> float:
    game, cookie = await _new_game(port, code)
    player = await _watching(port, game, Cookie=cookie)
    others = [await _watching(port, game) for _ in range(spectators)]
    times = []
    for version, move in zip(range(1, MOVES + 1), _moves(), strict=False):
        started = time.perf_counter()
        await player.send(json.dumps({"t": "move", "g": game, "v": version, "m": move}))
        await asyncio.gather(*(_sees(socket, version + 1) for socket in [player, *others]))
        times.append(time.perf_counter() - started)
    for socket in [player, *others]:
        await socket.close()
    return statistics.median(times) * 1e3


async def _sees(socket: ClientConnection, version: int) -> None:
    while (message := json.loads(await socket.recv()))["t"] == "watching":
        pass
    if (message["t"], message["v"]) != ("move", version):
        raise AssertionError(f"version {version} was to come, not {message}")


async def _watching(port: int, game: str, **headers: str) -> ClientConnection:
    protocol = [Subprotocol("simplesimon.v1")]
    socket = await connect(
        f"ws://{HOST}:{port}/ws", additional_headers=headers, subprotocols=protocol, compression=None
    )
    await socket.send(json.dumps({"t": "watch", "g": game}))
    while json.loads(await socket.recv())["t"] != "synced":
        pass
    return socket


async def _new_game(port: int, code: str) -> tuple[str, str]:
    reader, writer = await asyncio.open_connection(HOST, port)
    body = json.dumps({"code": code})
    request = f"POST /api/games HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(f"{request}{body}".encode())
    head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    cookie = next(line for line in head.decode().split("\r\n") if line.lower().startswith("set-cookie"))
    return json.loads(answer)["g"], cookie.split(": ")[1].split(";")[0]


def _moves() -> Iterator[list[int]]:
    yield [0, 1, 8]
    yield from cycle([[8, 1, 9], [9, 1, 8]])
