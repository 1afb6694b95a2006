"""The servers that are measured: ours, as people start it, and small, fair ones of the same game on other grounds."""

import contextlib
import http.client
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import redis

from bench.build import BUILD, PEERS, compiled, node
from bench.load import Game, Load
from bench.processes import CPUS, SERVER, STORE, cpu_s, family, memory_kib, move_to, name, on
from simplesimon import embedded
from simplesimon.rules.deal import deal_from_code

CODE = "SS1-S4-PIX6EA6"
TO_AND_FRO = [(0, 1, 8), (8, 1, 9), (9, 1, 8)]
"""In this deal one card may go to and fro for ever: after the last move comes the one at index 1."""

READY_WITHIN_S = 20
MAKERS = 16
numbers = itertools.count(10_000)


@dataclass(frozen=True, slots=True)
class Server:
    """One that runs. `pids` are its own processes, `stores` those of its Redis; workers come after their parent."""

    port: int
    pids: list[int]
    stores: list[int]
    make_game: Callable[[int], tuple[str, str]]
    store_url: str = ""

    def games(self, load: Load, count: int) -> list[Game]:
        """New games, each with its player connected."""
        with ThreadPoolExecutor(MAKERS) as makers:
            made = list(makers.map(self.make_game, [self.port] * count))
        games = [load.game(game_id, TO_AND_FRO, 1, headers) for game_id, headers in made]
        load.play(games)
        return games

    @property
    def cpu_s(self) -> float:
        return cpu_s(self.pids)

    @property
    def memory_kib(self) -> int:
        return memory_kib(self.pids)


Starting = contextlib.AbstractContextManager[Server]
Storing = contextlib.AbstractContextManager[tuple[str, list[int]]]


@contextlib.contextmanager
def ours(workers: int = 1) -> Iterator[Server]:
    """`simplesimon serve` with its own store, which syncs every write to the disk; only the rate limits are off."""
    command = [sys.executable, "-m", "simplesimon", "serve", "--port", "0", "--no-limits", "--workers", str(workers)]
    with tempfile.TemporaryDirectory(prefix="simplesimon-bench-") as folder:
        with on(CPUS[:workers]), _words() as said:
            line = [*command, "--data-dir", folder]
            process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=said, text=True)
        with process, _ended(process):
            assert process.stdout
            port = int(process.stdout.readline().rsplit(":", 1)[1])
            make_game(port)  # it listens before it is ready
            stores = [pid for pid in family(process.pid) if name(pid).endswith("-server")]
            move_to(stores[0], STORE)
            pids = [pid for pid in family(process.pid) if pid not in stores]
            yield Server(port, pids, stores, make_game, f"unix://{folder}/store.sock")


def make_game(port: int, headers: str = "", **asked: object) -> tuple[str, str]:
    """A game at our server: its id, and the headers of its player, who is a new one where no headers are given."""
    given = {"Content-Type": "application/json"} | dict(line.split(": ", 1) for line in headers.splitlines())
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=READY_WITHIN_S)
    connection.request("POST", "/api/games", json.dumps(asked or {"code": CODE}), given)
    with contextlib.closing(connection), connection.getresponse() as answer:
        cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
        return json.load(answer)["g"], headers or f"Cookie: {cookie}\n"


def _named(_: int) -> tuple[str, str]:
    return f"game{next(numbers)}", ""


@contextlib.contextmanager
def _peer(command: Callable[[], Sequence[str]], has_store: bool = False) -> Iterator[Server]:
    storing: Storing = _store() if has_store else contextlib.nullcontext(("", []))
    with storing as (url, stores):
        port = _free_port()
        given = {"PORT": str(port), "DEAL": "\n".join(deal_from_code(CODE).lines), "NODE_ENV": "production"}
        line = command()
        with on(SERVER), _words() as said:
            process = subprocess.Popen(line, env=os.environ | given | ({"STORE": url} if url else {}), stderr=said)
        with process, _ended(process):
            _wait_for(port, process)
            yield Server(port, family(process.pid), stores, _named)


@contextlib.contextmanager
def _store() -> Iterator[tuple[str, list[int]]]:
    """A Redis that keeps nothing on disk: the servers beside ours need not wait for a sync."""
    before = set(family(os.getpid()))
    with (
        tempfile.TemporaryDirectory(prefix="simplesimon-bench-") as folder,
        on(STORE),
        embedded.running(Path(folder)) as url,
        redis.Redis.from_url(url) as client,
    ):
        client.config_set("appendonly", "no")
        yield url, [pid for pid in family(os.getpid()) if pid not in before]


def _words() -> IO[str]:
    """What servers say on the terminal is kept: it explains a run that failed."""
    BUILD.mkdir(exist_ok=True)
    return (BUILD / "servers.log").open("a")


@contextlib.contextmanager
def _ended(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(READY_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"{process.args!r} does not listen")


def _python(file: str) -> list[str]:
    return [sys.executable, str(PEERS / file)]


OURS, UVLOOP, EPOLL = "simplesimon", "limit: uvloop", "limit: C"
SERVERS: dict[str, Callable[[], Starting]] = {
    OURS: ours,
    "ws": lambda: _peer(lambda: [node(), str(PEERS / "ws.mjs")]),
    "ws, XADD": lambda: _peer(lambda: [node(), str(PEERS / "ws.mjs")], has_store=True),
    "Starlette": lambda: _peer(lambda: _python("naive.py")),
    "Starlette, XADD": lambda: _peer(lambda: _python("naive.py"), has_store=True),
    UVLOOP: lambda: _peer(lambda: _python("raw.py")),
    EPOLL: lambda: _peer(lambda: [str(compiled(PEERS / "raw.c"))]),
}
