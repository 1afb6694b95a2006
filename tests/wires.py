"""Sockets of `test_contract`: all that comes on one is taken in order, and must be what the model says."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from clients import GUARD_S, Device, Message, Socket
from model import View
from websockets.exceptions import ConnectionClosed


class Hall:
    """Where all sockets of an example are; it is known here when something came on one of them."""

    def __init__(self) -> None:
        self.wires: list[Wire] = []
        self.news = asyncio.Event()
        self.patience_s: float = GUARD_S

    async def until(self, happened: Callable[[], bool]) -> None:
        """Returns when it has happened; it is looked for whenever something came."""
        try:
            async with asyncio.timeout(self.patience_s):
                while not happened():
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            lacking = {wire.name: wire.lacks for wire in self.wires if wire.lacks}
            raise AssertionError(f"not told in {self.patience_s} s: {lacking}") from None

    async def settle(self) -> None:
        """Returns when everybody was told all that is due; whatever comes beside that is a fault."""
        for wire in self.wires:
            await wire.ping()
        await self.until(self._is_settled)

    def _is_settled(self) -> bool:
        for wire in self.wires:
            wire.take_all()
        return not any(wire.lacks for wire in self.wires)


class Wire:
    """A socket of a player's device (None: of nobody's), and what it must still be told beside the diffs."""

    def __init__(self, hall: Hall, name: str, player: int | None, socket: Socket) -> None:
        self.name, self.player = name, player
        self.views: dict[str, View] = {}
        self.due: list[Message] = []
        self.may: list[Message] = []  # what may come, once
        self.inbox: list[Message] = []
        self._hall, self._socket = hall, socket
        self._pings = 0
        self._reading = asyncio.create_task(self._read())
        hall.wires.append(self)

    @classmethod
    async def connect(cls, hall: Hall, name: str, player: int | None, device: Device) -> "Wire":
        return cls(hall, name, player, await device.socket())

    @property
    def lacks(self) -> list[Any]:
        """What is due and has not come."""
        behind = [(g, view.v, view.game.v, view.states_due) for g, view in self.views.items() if not view.is_level]
        return [*self.due, *behind]

    async def send(self, t: str, **fields: Any) -> None:
        await self._socket.send(t, **fields)

    async def say(self, text: str) -> None:
        await self._socket.connection.send(text)

    async def ping(self) -> None:
        self._pings += 1
        self.due.append({"t": "pong", "n": self._pings})
        await self.send("ping", n=self._pings)

    async def end(self, *, with_a_word: bool) -> None:
        """The socket closes, or its line breaks."""
        self._hall.wires.remove(self)
        if with_a_word:
            await self._socket.connection.close()
        else:
            self._socket.connection.transport.abort()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reading

    def take_all(self) -> None:
        """Holds all that came against what is promised."""
        while self.inbox:
            message = self.inbox.pop(0)
            try:
                self._take(message)
            except AssertionError as error:
                raise AssertionError(f"{self.name} was told {message}: {error}") from error

    def _take(self, message: Message) -> None:
        view = self.views.get(message.get("g", ""))
        if message["t"] == "watching":
            assert message["n"] >= 0
        elif view and message["t"] in ("state", "move", "undo", "redo"):
            view.take(message)
        else:
            self._answer(message, view)

    def _answer(self, message: Message, view: View | None) -> None:
        same = [due for due in self.due if due.get("g") == message.get("g")]
        if same and _is(message, same[0]):
            self.due.remove(same[0])
            assert not view or message["t"] not in ("stale", "synced") or view.v == message["v"], f"it has {view.v}"
        else:
            place = next((may for may in self.may if _is(message, may)), None)
            assert place, f"due is {same}, perhaps {self.may}"
            self.may.remove(place)

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.inbox.append(json.loads(await self._socket.connection.recv()))
                self._hall.news.set()


def _is(message: Message, due: Message) -> bool:
    return all(message.get(name) == value for name, value in due.items())
