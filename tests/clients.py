"""A small client for the tests: a device of a player, over HTTP and the socket, that knows only the contract."""

import asyncio
import contextlib
import json
import os
from types import TracebackType
from typing import Any, Self

import httpx
from stories import SORTED, SORTED_WIN
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from simplesimon.game import Moved

GUARD_S = int(os.environ.get("GUARD_S", "40"))
"""No test is timed: this only ends one that hangs."""
SUBPROTOCOL = "simplesimon.v1"

Message = dict[str, Any]

COLUMNS = SORTED.deal.lines
"""A deal that six moves win."""
WIN = [[moved.move.source, moved.move.count, moved.move.target] for moved in SORTED_WIN]
THERE, BACK = [9, 1, 0], [0, 1, 9]
"""A first move in COLUMNS, and one that leads back to where it was."""


def triple(moved: Moved) -> list[int]:
    return [moved.move.source, moved.move.count, moved.move.target]


class Socket:
    """One socket of a device. What it hears out of turn, the number of spectators, is passed over unless asked for."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, t: str, **fields: Any) -> None:
        await self.connection.send(json.dumps({"t": t, **fields}))

    async def hear(self) -> Message:
        """The next message, whatever it is."""
        message = json.loads(await asyncio.wait_for(self.connection.recv(), GUARD_S))
        assert isinstance(message, dict)
        return message

    async def next(self) -> Message:
        """The next message about what was asked or done."""
        while (message := await self.hear())["t"] == "watching":
            pass
        return message

    async def until(self, t: str, **having: Any) -> list[Message]:
        """All messages up to the first of kind `t` that has these fields."""
        heard: list[Message] = []
        wanted = {"t": t, **having}
        async with asyncio.timeout(GUARD_S):
            while not heard or any(heard[-1].get(name) != value for name, value in wanted.items()):
                heard.append(await self.hear())
        return heard

    async def ask(self, t: str, **fields: Any) -> Message:
        await self.send(t, **fields)
        return await self.next()

    async def watch(self, g: str, **since: Any) -> list[Message]:
        """What a `watch` brings, `synced` the last."""
        await self.send("watch", g=g, **since)
        return [message for message in await self.until("synced", g=g) if message["t"] != "watching"]

    async def play(self, g: str, v: int, *moves: list[int]) -> list[Message]:
        """Plays move after move from version `v` on, each after the answer to the one before."""
        return [await self.ask("move", g=g, v=version, m=move) for version, move in enumerate(moves, v)]

    async def closed(self) -> int:
        """The code with which the server closes it; what was said before is passed over."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.wait_for(self.connection.recv(), GUARD_S)
        assert self.connection.close_code, "the connection was lost without a word"
        return self.connection.close_code


class Device:
    """A browser, as far as a server can tell: it keeps its cookie, and may have sockets open."""

    def __init__(self, url: str, **headers: str) -> None:
        self._ws_url = url.replace("http", "ws") + "/ws"
        soon = httpx.Limits(
            keepalive_expiry=2
        )  # the server closes what was idle for five seconds: never use that again
        self.http = httpx.AsyncClient(
            base_url=url, headers=headers, timeout=GUARD_S, limits=soon, trust_env=False, verify=False
        )
        self._sockets: list[Socket] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type | None, error: BaseException | None, where: TracebackType | None) -> None:
        for socket in self._sockets:
            await socket.connection.close()
        await self.http.aclose()

    async def get(self, path: str, **query: Any) -> Any:
        answer = await self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, **body: Any) -> Any:
        answer = await self.http.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def patch(self, path: str, **body: Any) -> Any:
        answer = await self.http.patch(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def new_game(self, **wanted: Any) -> Message:
        """The state of a new game: of COLUMNS, if nothing else is wanted."""
        state = await self.post("/api/games", **wanted or {"columns": COLUMNS})
        assert isinstance(state, dict)
        return state

    async def me(self) -> Any:
        return await self.get("/api/me")

    async def connect(self, **how: Any) -> Socket:
        """A socket that has heard nothing yet."""
        sid = self.http.cookies.get("sid")
        headers = ({"Cookie": f"sid={sid}"} if sid else {}) | how.pop("headers", {})
        plain = {"subprotocols": [Subprotocol(SUBPROTOCOL)], "compression": None, "ping_interval": None}
        no_bounds = {"max_queue": None, "proxy": None}  # else what is not read would hold up the closing
        socket = Socket(await connect(self._ws_url, additional_headers=headers, **plain | no_bounds | how))
        self._sockets.append(socket)
        return socket

    def forget(self, socket: Socket) -> None:
        """One that is closed."""
        self._sockets.remove(socket)

    async def socket(self) -> Socket:
        """A socket that was greeted."""
        socket = await self.connect()
        assert (await socket.hear())["t"] == "hello"
        return socket

    async def watching(self, g: str) -> Socket:
        """A socket that follows a game and has its state."""
        socket = await self.socket()
        assert [message["t"] for message in await socket.watch(g)] == ["state", "synced"]
        return socket
