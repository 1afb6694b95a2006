"""Many games, played and watched at once through the public contract by clients that come back when they are cut off.
All that they ask and are told is kept for the checker. Which actions, and when, comes from one seed, which is printed.
"""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from clients import BACK, COLUMNS, GUARD_S, SUBPROTOCOL, THERE, Device
from system.checker import SINCE, STATE, Asked, Fault, Told, faults
from system.patience import HANDSHAKE_WITHIN_S, Patience
from system.run import Run
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

THINKS_S = 0.02

Message = dict[str, Any]


class Client:
    """A device that follows games, and comes back whenever its socket is lost, with all that it knows."""

    def __init__(self, run: Run, name: str, games: Sequence[str], sid: str = "") -> None:
        self.run = run
        self.name = name
        self.known: dict[str, tuple[int, str]] = dict.fromkeys(games, (0, ""))
        self.sid = sid
        self.chances = random.Random(run.chances.random())
        self._patience = Patience(self.chances)
        run.lost.add(name)
        run.patience.append(self._patience)
        self.news = asyncio.Event()
        self._connections = 0

    async def live(self) -> None:
        """Follows the games until it is told to end."""
        lost_at = None
        while True:
            try:
                async with self._connected() as socket:
                    await self._follow(socket)
                    self.run.lost.discard(self.name)
                    self.run.more.set()
                    if lost_at is not None:
                        self.run.away.append(time.monotonic() - lost_at)
                        lost_at = None
                    await self.act(socket)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError) as error:
                self.run.lost.add(self.name)
                lost_at = time.monotonic() if lost_at is None else lost_at
                self.run.closes[error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else None] += 1
                await asyncio.sleep(self._patience.delay_s())

    async def act(self, socket: ClientConnection) -> None:
        while True:
            await self.hear(socket)

    async def reach(self, g: str, version: int, c: str) -> None:
        """Returns when it is there in a game."""
        while self.known[g] != (version, c):
            self.news.clear()
            await self.news.wait()

    async def hear(self, socket: ClientConnection) -> Message:
        """The next message; what it tells of a game is kept."""
        message: Message = json.loads(await socket.recv())
        if message["t"] in ("state", "move", "undo", "redo"):
            self.run.told_after(message["g"], self.known[message["g"]][0])
            self._keep(message["g"], message["v"], message["c"], STATE if message["t"] == "state" else "diff")
            self.learn(message)
            self.news.set()
        return message

    def learn(self, message: Message) -> None:
        """What a state or a diff tells beside its version."""

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[ClientConnection]:
        url = self.chances.choice(self.run.urls).replace("http", "ws") + "/ws"
        headers = {"Cookie": f"sid={self.sid}"} if self.sid else {}
        plain: dict[str, Any] = {"compression": None, "ping_interval": None, "max_queue": None, "proxy": None}
        plain |= {"open_timeout": HANDSHAKE_WITHIN_S, "close_timeout": 1, "subprotocols": [Subprotocol(SUBPROTOCOL)]}
        async with connect(url, additional_headers=headers, **plain) as socket:
            self._patience.greeted()
            self._connections += 1
            self.run.told[self.name, self._connections] = []
            yield socket

    async def _follow(self, socket: ClientConnection) -> None:
        for g, (v, c) in self.known.items():
            since = {"since": v, "c": c} if v else {}
            if v:
                self._keep(g, v, c, SINCE)
            await socket.send(json.dumps({"t": "watch", "g": g} | since))
        waiting = set(self.known)
        while waiting:
            message = await self.hear(socket)
            if message["t"] == "synced":
                waiting.discard(message["g"])
            elif message["t"] == "error":
                await socket.close()  # the store does not answer: all over again

    def _keep(self, g: str, v: int, c: str, kind: str) -> None:
        self.run.told[self.name, self._connections].append(Told(g, v, c, kind))
        self.known[g] = (v, c)


class Player(Client):
    """Plays a game of its own: moves, undo, redo, restart. A command without an answer is sent again."""

    def __init__(self, run: Run, name: str, g: str, sid: str) -> None:
        super().__init__(run, name, [g], sid)
        self.g = g
        run.moved[g] = 0
        self._is_home = True
        self.is_done = asyncio.Event()
        self._command: Message | None = None  # sent, and not answered

    def learn(self, message: Message) -> None:
        match message:
            case {"t": "state", "columns": columns}:
                self._is_home = columns == COLUMNS
            case {"t": "undo", "m": m}:
                self._is_home = m == THERE
            case {"m": m}:
                self._is_home = m == BACK

    async def act(self, socket: ClientConnection) -> None:
        while self._command or not self.run.is_over.is_set():
            if self._command is None and not self.run.goes_on.is_set():
                await self._rest(socket)
            await self._do(socket)
            await asyncio.sleep(self.chances.uniform(0, THINKS_S))
        self.is_done.set()
        await super().act(socket)

    async def _rest(self, socket: ClientConnection) -> None:
        """Only listens, until the games go on."""
        listening = asyncio.create_task(super().act(socket))
        going_on = asyncio.create_task(self.run.goes_on.wait())
        self.run.resting.add(self.g)
        self.run.more.set()
        try:
            await asyncio.wait([listening, going_on], return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                await listening
        finally:
            self.run.resting.discard(self.g)
            listening.cancel()
            going_on.cancel()
            await asyncio.wait([listening, going_on])

    async def _do(self, socket: ClientConnection) -> None:
        asked = self.known[self.g][0]
        if self._command and self._command["v"] != asked:  # it was done, as the log tells
            self._command = None
            return
        if self._command is None:
            self._command = {"t": self.chances.choices(["move", "undo", "redo", "restart"], [12, 4, 2, 1])[0]}
            self._command |= {"g": self.g, "v": asked}
            if self._command["t"] == "move":
                self._command["m"] = THERE if self._is_home else BACK
        action = " ".join([self._command["t"], *map(str, self._command.get("m", []))])
        self.run.asked.append(Asked(self.g, asked, action))
        await socket.send(json.dumps(self._command))
        while True:
            message = await self.hear(socket)
            if message["t"] in ("refused", "stale"):
                self._command = None
                self.run.refusals[message["t"]] += 1
                return
            if message["t"] == "error":  # it may have been done all the same, and is asked for again
                self.run.refusals[message["code"]] += 1
                return
            if self.known[self.g][0] == asked + 1:
                self._command = None
                self.run.acknowledge(self.g, asked + 1)
                return


@contextlib.asynccontextmanager
async def playing(
    urls: list[str], seed: int, games: int, spectators: int, *, watched: int | None = None, is_safe: bool = True
) -> AsyncIterator[Run]:
    """A run of games, each with a player, and of spectators of all or of so many each; nothing may be wrong, where the
    store `is_safe`.
    """
    print(f"\nseed {seed}")
    run = Run(urls, seed)
    players = [await _player(run, f"player {number}") for number in range(games)]
    ids = [player.g for player in players]
    watching = [
        Client(run, f"spectator {number}", run.chances.sample(ids, watched or games)) for number in range(spectators)
    ]
    tasks = [asyncio.create_task(client.live()) for client in (*players, *watching)]
    try:
        await run.some_moves(0, 0)
        yield run
        run.is_over.set()
        run.found = await _end(run, players, watching)
        assert not any(task.done() for task in tasks), [task.exception() for task in tasks if task.done()]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert not (is_safe and run.found)


async def _player(run: Run, name: str) -> Player:
    async with Device(run.chances.choice(run.urls)) as device:
        await device.me()
        g = (await device.new_game(columns=COLUMNS))["g"]
        return Player(run, name, g, device.http.cookies["sid"])


async def _end(run: Run, players: Sequence[Player], watching: Sequence[Client]) -> list[Fault]:
    """What is wrong, once everybody has had the time to come to the end."""
    logs: dict[str, Any] = {}
    async with asyncio.timeout(GUARD_S), Device(run.urls[0]) as device:
        for player in players:
            await player.is_done.wait()
            logs[player.g] = await device.get(f"/api/games/{player.g}/log")
    with contextlib.suppress(TimeoutError):  # the checker says who is behind
        async with asyncio.timeout(GUARD_S):
            for client in (*players, *watching):
                for g in client.known:
                    await client.reach(g, len(logs[g]["events"]), logs[g]["chain"][:8])
    lines = {g: [event["line"] for event in log["events"]] for g, log in logs.items()}
    return faults(run.asked, run.told, lines, {g: log["chain"] for g, log in logs.items()})
