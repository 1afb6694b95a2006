"""What devices do in `test_contract`: to the real servers, to the model, and to what is due on each socket."""

from typing import Any

from clients import WIN, Device, Message
from model import Played, View
from system.checker import chain
from wires import Hall, Wire

from simplesimon.game import Command, Play
from simplesimon.rules.position import Move

PLAYERS = (0, 0, 1, None, None)
"""Whose the devices are."""


def frame_of(command: Command) -> Message:
    match command:
        case Play(move):
            return {"t": "move", "m": [move.source, move.count, move.target]}
    return {"t": type(command).__name__.lower()}


class Attack:
    """One example: its games and sockets. The devices and their cookies are those of all examples."""

    def __init__(self, devices: list[Device]) -> None:
        self.devices = devices
        self.hall = Hall()
        self.games: list[Played] = []
        self.wires: dict[int, Wire] = {}
        self.known: dict[tuple[int, str], int] = {}  # the version that a device has of a game

    async def settle(self) -> None:
        """Returns when everybody was told what they must be told."""
        await self.hall.settle()
        for device, wire in self.wires.items():
            self.known |= {(device, g): view.v for g, view in wire.views.items()}

    async def wire(self, device: int) -> Wire:
        if device not in self.wires:
            socket = await self.devices[device].socket()
            self.wires[device] = Wire(self.hall, f"device {device}", PLAYERS[device], socket)
        return self.wires[device]

    async def deal(self, device: int, wanted: dict[str, Any], visibility: str) -> None:
        owner = PLAYERS[device]
        assert owner is not None
        self.games.append(Played(await self.devices[device].new_game(**wanted, visibility=visibility), owner))

    async def watch(self, device: int, game: Played, since: str) -> None:
        wire, known = await self.wire(device), self.known.get((device, game.g), 0)
        asked: dict[str, Any] = {}
        if since == "beyond":
            asked = {"since": game.v + 3}
        elif since and known:
            asked = {"since": 1} if since == "first" else {"since": known, "c": game.c(known)}
            asked |= {"c": "00000000"} if since == "wrong" else {}
        wire.views.pop(game.g, None)
        await wire.send("watch", g=game.g, **asked)
        if game.is_seen_by(wire.player):
            is_lost = bool(asked) and since in ("wrong", "beyond")
            wire.views[game.g] = View(game, wire.player, 0 if is_lost else asked.get("since", 0), is_lost=is_lost)
            wire.due.append({"t": "synced", "g": game.g, "v": game.v})
        else:
            wire.due.append({"t": "error", "code": "no_such_game", "g": game.g})

    async def leave(self, device: int, game: Played) -> None:
        wire = await self.wire(device)
        wire.views.pop(game.g, None)
        await wire.send("leave", g=game.g)

    async def commands(self, device: int, game: Played, choices: list[int], ago: int) -> None:
        wire, v = await self.wire(device), game.v - ago
        for ahead, choice in enumerate(choices):
            await self._command(wire, game, game.command(choice), v + ahead)
            if ago:  # what was built on a version that is gone may fail with it
                await self.settle()

    async def _command(self, wire: Wire, game: Played, command: Command, v: int) -> None:
        await wire.send(**frame_of(command), g=game.g, v=v)
        answer = game.answer(command, v, wire.player)
        if answer is None and game.g not in wire.views:
            answer = {"t": game.kind(game.v), "g": game.g, "v": game.v}
        wire.due += [answer] if answer else []

    async def win(self, device: int, game: Played) -> None:
        wire = await self.wire(device)
        for move in WIN:
            await self._command(wire, game, Play(Move(*move)), game.v)

    async def race(self, game: Played, commands: list[Command]) -> None:
        rivals = [await self.wire(device) for device in (0, 1)]
        for wire, command in zip(rivals, commands, strict=True):
            await wire.send(**frame_of(command), g=game.g, v=game.v)

        stale = {"t": "stale", "g": game.g, "v": game.v + 1}

        await self.hall.until(lambda: any(stale in wire.inbox for wire in rivals))
        [won] = (await self.devices[0].get(f"/api/games/{game.g}/log", since=game.v))["events"]
        game.learn(won)
        for wire in rivals:
            if stale in wire.inbox:
                wire.due.append(stale)
            elif game.g not in wire.views:
                wire.due.append({"t": game.kind(game.v), "g": game.g, "v": game.v})

    async def again(self, device: int, game: Played, command: Command, at_once: bool) -> None:
        v, known = game.v, self.known.get((device, game.g))
        wire = await self.wire(device)
        await wire.send(**frame_of(command), g=game.g, v=v)
        await self.wires.pop(device).end(with_a_word=False)
        wire = await self.wire(device)
        await wire.send("watch", g=game.g, **({"since": known, "c": game.c(known)} if known else {}))
        wire.views[game.g] = View(game, wire.player, known or 0)
        if not at_once:
            await self.hall.until(lambda: any(message["t"] == "synced" for message in wire.inbox))
        await wire.send(**frame_of(command), g=game.g, v=v)
        game.answer(command, v, wire.player)
        wire.due.append({"t": "synced", "g": game.g})
        wire.may.append({"t": "stale", "g": game.g})  # when the first was done; perhaps much later

    async def show(self, game: Played, visibility: str, device: int) -> None:
        answer = await self.devices[device].http.patch(f"/api/games/{game.g}", json={"visibility": visibility})
        if PLAYERS[device] != game.owner:
            assert answer.status_code == (403 if game.is_seen_by(PLAYERS[device]) else 404)
            return
        game.visibility = visibility
        game.check(answer.json())
        for wire in self.hall.wires:
            if game.g in wire.views and game.is_seen_by(wire.player):
                wire.views[game.g].states_due += 1
            elif wire.views.pop(game.g, None):
                wire.due.append({"t": "error", "code": "no_such_game", "g": game.g})

    async def read(self, device: int, game: Played) -> None:
        answer = await self.devices[device].http.get(f"/api/games/{game.g}")
        assert answer.status_code == (200 if game.is_seen_by(PLAYERS[device]) else 404)
        if answer.is_success:
            assert answer.json()["v"] == game.v
            game.check(answer.json())

    async def babble(self, device: int, text: str) -> None:
        wire = await self.wire(device)
        await wire.say(text)
        wire.due.append({"t": "error", "code": "bad_message"})

    async def drop(self, device: int, with_a_word: bool) -> None:
        await self.wires.pop(device).end(with_a_word=with_a_word)

    async def end(self) -> None:
        """Everybody goes; the logs must have what was told."""
        for wire in list(self.hall.wires):
            await wire.end(with_a_word=True)
        for game in self.games:
            log = await self._owner(game).get(f"/api/games/{game.g}/log")
            game.check_log(log, chain([event["line"] for event in log["events"]]))

    def _owner(self, game: Played) -> Device:
        return self.devices[PLAYERS.index(game.owner)]
