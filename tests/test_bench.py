"""The bench can be trusted: its load generator notices what a server does wrong, and the others know the rules."""

import asyncio
import importlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bench.build import PEERS
from bench.cases import QUICK
from bench.load import Faulty, Result, loading
from bench.ours import MISSED, ways_in
from bench.servers import OURS, TO_AND_FRO, UVLOOP, ours
from bench.table import Record, lines
from clients import GUARD_S

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="the load generator is compiled, and asks Linux"
)

SHAKEN = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"
MOVES, SPECTATORS = 20, 3
WRONG_AT = 10
GOLDEN = Path(__file__).parent / "golden"

Told = Callable[[int], list[int]]
"""Which versions a spectator is told when one comes."""


def frame(**message: object) -> bytes:
    text = json.dumps(message, separators=(",", ":")).encode()
    return bytes((0x81, len(text))) + text


class Teller(asyncio.Protocol):
    """A server of one game that tells its spectators what `told` says, and the player, who came first, the truth."""

    def __init__(self, told: Told, followers: list[asyncio.Transport]) -> None:
        self._told, self._followers = told, followers
        self._is_shaken, self._unread = False, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if not self._is_shaken:
            self._is_shaken = True
            return self._transport.write(SHAKEN)
        self._unread += data
        while len(self._unread) > 6 and len(self._unread) >= (end := 6 + (self._unread[1] & 127)):
            asked, self._unread = json.loads(self._unread[6:end]), self._unread[end:]
            self._asked(asked)
        return None

    def _asked(self, asked: dict[str, Any]) -> None:
        if asked["t"] == "watch":
            self._followers.append(self._transport)
            self._transport.write(frame(t="state", g="g", v=1, c="00000000") + frame(t="synced", g="g", v=1))
            return
        player, *spectators = self._followers
        version = asked["v"] + 1
        player.write(frame(t="move", g="g", v=version))
        for spectator in spectators:
            spectator.write(b"".join(frame(t="move", g="g", v=v) for v in self._told(version)))


async def played(told: Told, patience_s: float = GUARD_S) -> Result:
    """What the load generator makes of such a server."""
    followers: list[asyncio.Transport] = []
    loop = asyncio.get_running_loop()
    async with await loop.create_server(lambda: Teller(told, followers), "127.0.0.1", 0) as server:
        return await asyncio.to_thread(play, server.sockets[0].getsockname()[1], patience_s)


def play(port: int, patience_s: float) -> Result:
    with loading(port, patience_s) as load:
        game = load.game("g", TO_AND_FRO, 1)
        load.play([game])
        load.watch(game, SPECTATORS)
        return load.advance(game, MOVES, under_way=4)


async def test_a_server_that_tells_everybody_everything_is_measured():
    result = await played(lambda version: [version])
    assert (result.moves, result.messages) == (MOVES, MOVES * SPECTATORS)
    assert result.bytes == SPECTATORS * sum(len(frame(t="move", g="g", v=v)) for v in range(2, MOVES + 2))


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (lambda version: [version] if version != WRONG_AT else [], "gaps"),
        (lambda version: [version] * (1 + (version == WRONG_AT)), "repeats"),
        (lambda version: {WRONG_AT: [], WRONG_AT + 1: [WRONG_AT + 1, WRONG_AT]}.get(version, [version]), "repeats"),
    ],
    ids=["lost", "doubled", "in another order"],
)
async def test_a_server_that_does_not_is_found_out(told, fault):
    with pytest.raises(Faulty, match=fault):
        await played(told)


async def test_the_last_version_must_come_too():
    with pytest.raises(Faulty, match="missing"):
        await played(lambda version: [version] if version <= MOVES else [], patience_s=0.2)


def test_our_server_is_measured_as_people_start_it():
    with ours() as server, loading(server.port, GUARD_S) as load:
        [game] = server.games(load, 1)
        load.watch(game, SPECTATORS)
        assert load.advance(game, MOVES).messages == MOVES * SPECTATORS
        ways = ways_in(load, game, QUICK)
        assert {way.version for way in ways["join"]} == {MOVES + 1}
        assert {way.version for way in ways["resume"]} == {MOVES + 1 + MISSED}
        assert min(server.cpu_s, server.memory_kib) > 0


def test_the_servers_beside_ours_know_the_rules(monkeypatch):
    golden = json.loads((GOLDEN / "example-win.json").read_text())
    monkeypatch.setenv("DEAL", "\n".join(golden["columns"]))
    monkeypatch.syspath_prepend(PEERS)
    game = importlib.import_module("simple").Game("g")
    moves = [step["command"]["m"] for step in golden["steps"] if step["command"]["t"] == "move"]
    assert game.move(1, 0, 1, 1) is None
    diffs = [json.loads(game.move(version, *move)) for version, move in enumerate(moves, 1)]
    assert (diffs[-1]["v"], diffs[-1]["score"], diffs[-1]["moves"]) == (60, 841, 59)
    assert [diff["off"] for diff in diffs if "off" in diff] == ["C", "H", "D", "S"]
    assert game.columns == [[]] * 10


def test_the_table_says_what_was_missed():
    rounds: list[Record] = [
        {"round": at, "server": name, "figures": {"fan-out 1000": figure, "idle": figure / 100}, "others": 0}
        for at, ours_has, limit_has in ((1, 300, 300), (2, 270, 300), (3, 290, 290))
        for name, figure in ((OURS, ours_has), (UVLOOP, limit_has))
    ]
    head, _, fan_out, idle = lines(rounds)
    assert head == f"| what | ours | × {UVLOOP} | wanted | |"
    assert fan_out.endswith(f"| 290 (270 to 300) | 1 (0.9 to 1) | at least 0.95 × {UVLOOP} | reached |")
    assert idle.endswith("| 2.9 (2.7 to 3) | 1 (1 to 1.11) | at most 4 | reached |")
    missed = [record for record in rounds if record["round"] == 2]
    assert list(lines(missed))[2].endswith("**missed** |")
