"""The load generator: WebSocket clients that follow and play games on one server, and check each frame that they get.

Written in C, to drive more than any server here can serve; one at a time in a process. Times are in seconds.
"""

import contextlib
import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.build import compiled

JOINED_WITHIN_S = 60.0
CLIENTS_AT_ONCE = 100
CHAIN_LENGTH = 8

Moves = Sequence[tuple[int, int, int]]
"""From column, number of cards, to column."""


class Result(ctypes.Structure):
    """What came of a measurement. `bytes` are those of the diffs to spectators, headers of frames included."""

    seconds: float
    late: float
    moves: int
    messages: int
    bytes: int
    _fields_ = (
        *((name, ctypes.c_double) for name in ("seconds", "late")),
        *((name, ctypes.c_long) for name in ("moves", "messages", "bytes")),
        *((name, ctypes.c_long) for name in ("gaps", "repeats", "missing", "reseeded", "refused", "closed")),
    )

    @property
    def faults(self) -> dict[str, int]:
        """Nothing, if every follower had every version, in order, once; otherwise how many of each kind."""
        names = ("gaps", "repeats", "missing", "reseeded", "refused", "closed")
        return {name: count for name in names if (count := getattr(self, name))}


class Faulty(Exception):
    """A server lost, doubled or reordered a version, refused a move, or closed a connection."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game on the server and in the generator, with what its player sends to be known, and who follows it."""

    number: int
    id: str
    headers: str


@dataclass(frozen=True, slots=True)
class Join:
    """What one spectator's way in cost; `version` and `chain` are those of the state that it got, if it got one."""

    handshake_s: float
    seconds: float
    bytes: int
    version: int
    chain: str


class Load:
    """Clients of the server on a port of this machine. Use `loading`."""

    def __init__(self, port: int) -> None:
        self._library = _library()
        self._port = port
        self._clients = 0
        self._sleep = ctypes.c_double(0.001)  # adapted from turn to turn

    def game(self, game_id: str, moves: Moves, again: int, headers: str = "") -> Game:
        """A game at version 1. Its player asks for `moves`, and after the last goes on at index `again`."""
        numbers = [number for move in moves for number in move]
        flat = (ctypes.c_int * len(numbers))(*numbers)
        return Game(self._library.load_game(game_id.encode(), flat, len(moves), again), game_id, headers)

    def play(self, games: Sequence[Game]) -> None:
        """The games' players come, some at a time."""
        for at, game in enumerate(games, 1):
            self._client(game, is_player=True)
            if at % CLIENTS_AT_ONCE == 0 or at == len(games):
                self._wait()

    def watch(self, game: Game, spectators: int) -> None:
        """So many more spectators come, some at a time."""
        for at in range(1, spectators + 1):
            self._client(game)
            if at % CLIENTS_AT_ONCE == 0 or at == spectators:
                self._wait()

    def join(self, game: Game, since: int = 0, chain: str = "") -> Join:
        """One spectator comes, alone, and goes; with `since`, one who had been there until that version."""
        client = self._client(game, since=since, chain=chain)
        self._wait()
        handshake, total, size, version = ctypes.c_double(), ctypes.c_double(), ctypes.c_long(), ctypes.c_long()
        text = ctypes.create_string_buffer(CHAIN_LENGTH + 1)
        self._library.load_join(client, handshake, total, size, version, text)
        self._library.load_leave(client)
        self._clients -= 1
        return Join(handshake.value, total.value, size.value, version.value, text.value.decode())

    def listen(self, seconds: float) -> None:
        """Nothing is asked for; what comes is read."""
        self._library.load_listen(seconds)

    def closed(self, games: Sequence[Game], seconds: float, under_way: int = 1) -> Result:
        """Each game has so many moves under way at any time: the next goes out when all its followers have one."""
        return self._run("closed", *_ends(games), under_way, seconds)

    def turns(self, games: Sequence[Game], seconds: float) -> Result:
        """A move in each game, then silence until all have it: server and generator are never busy at once."""
        return self._run("turns", *_ends(games), seconds, self._sleep)

    def advance(self, game: Game, moves: int, under_way: int = 8) -> Result:
        """So many moves of one game, as fast as they go."""
        return self._run("play", game.number, under_way, moves)

    def paced(self, game: Game, rate: float, moves: int, spectators: int) -> tuple[Result, list[float]]:
        """Moves at a pace of their own, and how long after it was due each spectator had each, shortest first."""
        times = (ctypes.c_double * (moves * spectators))()
        result = self._run("paced", game.number, rate, moves, times)
        return result, sorted(times[: result.messages])

    def _client(self, game: Game, since: int = 0, chain: str = "", *, is_player: bool = False) -> int:
        place = f'"since":{since},"c":"{chain}"' if since else ""
        watch = f'{{"t":"watch","g":"{game.id}"{place and "," + place}}}'
        request = REQUEST.format(port=self._port, headers=game.headers if is_player else "").replace("\n", "\r\n")
        client = int(
            self._library.load_client(game.number, self._port, request.encode(), watch.encode(), since, is_player)
        )
        if client < 0:
            raise Faulty(self._said())
        self._clients += 1
        return client

    def _wait(self) -> None:
        joined = self._library.load_joined(self._clients, JOINED_WITHIN_S)
        if joined < self._clients:
            raise Faulty(f"{joined} of {self._clients} have joined: {self._said()}")

    def _run(self, name: str, *arguments: Any) -> Result:
        result = Result()
        getattr(self._library, f"load_{name}")(*arguments, result)
        if result.faults:
            raise Faulty(f"{result.faults} {self._said()}")
        return result

    def _said(self) -> str:
        return str(self._library.load_said().decode(errors="replace"))


REQUEST = """\
GET /ws HTTP/1.1
Host: 127.0.0.1:{port}
Upgrade: websocket
Connection: Upgrade
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
Sec-WebSocket-Version: 13
Sec-WebSocket-Protocol: simplesimon.v1
{headers}
"""
"""The key is that of RFC 6455 section 1.3: a server that only measures a limit may know its answer by heart."""


@contextlib.contextmanager
def loading(port: int, patience_s: float = 15.0) -> Iterator[Load]:
    """The generator, for as long as the block lasts: then all its clients go. So long may nothing come."""
    load = Load(port)
    _library().load_begin(patience_s)
    try:
        yield load
    finally:
        _library().load_reset()


def _ends(games: Sequence[Game]) -> tuple[int, int]:
    return games[0].number, games[-1].number + 1


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(compiled(Path(__file__).with_name("load.c"), "-shared", "-fPIC")))
    number, real, text, place = ctypes.c_int, ctypes.c_double, ctypes.c_char_p, ctypes.c_void_p
    count, result = ctypes.c_long, ctypes.POINTER(Result)
    for name, arguments, answer in (
        ("begin", (real,), None),
        ("said", (), text),
        ("game", (text, place, number, number), number),
        ("client", (number, number, text, text, count, number), number),
        ("joined", (number, real), number),
        ("listen", (real,), None),
        ("leave", (number,), None),
        ("join", (number, ctypes.POINTER(real), ctypes.POINTER(real), *[ctypes.POINTER(count)] * 2, text), None),
        ("closed", (number, number, number, real, result), None),
        ("play", (number, number, count, result), None),
        ("turns", (number, number, real, ctypes.POINTER(real), result), None),
        ("paced", (number, real, number, place, result), None),
        ("reset", (), None),
    ):
        function = getattr(library, f"load_{name}")
        function.argtypes, function.restype = arguments, answer
    return library
