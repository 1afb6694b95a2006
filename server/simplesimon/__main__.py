"""The command line: `simplesimon serve`, `simplesimon deal CODE` and `simplesimon replay FILE`."""

import argparse
import asyncio
import contextlib
import errno
import os
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import uvicorn
from uvicorn.supervisors import Multiprocess

from simplesimon import __version__, embedded, store
from simplesimon.config import METRICS_DIRECTORY, Config, is_site
from simplesimon.drain import SIGNALS
from simplesimon.errors import BadDealCode, BadFile, CannotStart, Unavailable
from simplesimon.gamefile import parse_file, replay
from simplesimon.rules.deal import deal_from_code
from simplesimon.transport import TakeOverProtocol
from simplesimon.wire import MESSAGE_LIMIT

CLOSED_WITHIN_S = 2
PORT_WITHIN_S = 7.0
"""The workers of a killed server finish what is in hand (3 s) and close their sockets (2 s) before they free it."""
TAKEN_WITHIN_S = 15
"""As long as a pong may be late."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Exit status 2, and one line on the terminal, for what cannot be done as it was asked."""
    asked = _parser().parse_args(arguments)
    try:
        return int(asked.run(asked))
    except (CannotStart, BadDealCode, BadFile) as error:
        print(f"simplesimon: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("simplesimon", description="Simple Simon, played and watched live.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    deal = commands.add_parser("deal", help="print a deal as ten lines of cards")
    deal.add_argument("code", nargs="+", help="a deal code, like SS1-S4-AAAAABD")
    deal.set_defaults(run=_deal)

    replayed = commands.add_parser(
        "replay",
        help="check a game that was taken along as a file",
        description="Checks every step with the rules, and prints how the game ended.",
    )
    replayed.add_argument("file", help="the file, or - for standard input")
    replayed.set_defaults(run=_replay)

    serve = commands.add_parser(
        "serve", help="serve the game", description="Every flag is also an environment variable: SIMPLESIMON_PORT."
    )
    serve.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to listen on (default 8000)")
    serve.add_argument("--workers", type=int, help="worker processes, which share the games (default 1)")
    serve.add_argument(
        "--redis-url", help="a redis:// or other URL, see the README (default: an own store in the data directory)"
    )
    serve.add_argument(
        "--replicas", type=int, help="how many replicas of the store must have a move before it is told (default 0)"
    )
    serve.add_argument("--data-dir", type=Path, help="where the own store keeps the games")
    serve.add_argument(
        "--public-url", help="where others reach this server, for links that are passed on: https://example.org"
    )
    serve.add_argument(
        "--no-limits", dest="has_limits", action="store_false", default=None, help="no rate limits, for load tests"
    )
    serve.set_defaults(run=_serve)
    return parser


def _deal(asked: argparse.Namespace) -> int:
    print("\n".join(deal_from_code(" ".join(asked.code)).lines))
    return 0


def _replay(asked: argparse.Namespace) -> int:
    try:
        content = sys.stdin.buffer.read() if asked.file == "-" else Path(asked.file).read_bytes()
    except OSError as error:
        raise BadFile(f"cannot read {asked.file}: {error.strerror}") from None
    [(_, last)] = deque(replay(parse_file(content)), maxlen=1)
    state, ended = last.game.state, "won" if last.game.state.is_won else "not finished"
    print(f"{state.score} points, {state.moves} move{'s' * (state.moves != 1)}, {ended} (version {last.version})")
    return 0


def _serve(asked: argparse.Namespace) -> int:
    config = _config(asked)
    with _stoppable(), _listening(config) as listener, _store(config) as url, tempfile.TemporaryDirectory() as shared:
        asyncio.run(_preflight(url))
        os.environ |= replace(config, redis_url=url).environment() | {METRICS_DIRECTORY: shared}
        host, port = listener.getsockname()[:2]
        print(f"Simple Simon live on http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)
        _run_workers(config, listener)
    return 0


def _store(config: Config) -> contextlib.AbstractContextManager[str]:
    return contextlib.nullcontext(config.redis_url) if config.redis_url else embedded.running(config.data_dir)


def _config(asked: argparse.Namespace) -> Config:
    given = {name: value for name, value in vars(asked).items() if name != "run" and value is not None}
    try:
        config = replace(Config.from_environment(os.environ), **given)
    except ValueError as error:
        raise CannotStart(str(error)) from None
    if config.public_url and not is_site(config.public_url):
        raise CannotStart(f"the public URL {config.public_url!r} is none: it is like https://example.org")
    if not 0 <= config.port <= 65535:
        raise CannotStart(f"port {config.port} is none: 0 to 65535")
    if not 1 <= config.workers <= 64:
        raise CannotStart(f"{config.workers} workers cannot be: 1 to 64")
    if config.replicas < 0 or (config.replicas and not config.redis_url):
        raise CannotStart(f"there cannot be {config.replicas} replicas: name a store that has some with --redis-url")
    return config


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM and SIGINT end the block as an exception would, so that what was started is stopped."""

    def stop(_: int, __: object) -> None:
        raise SystemExit(0)

    for number in SIGNALS:
        signal.signal(number, stop)
    yield


def _listening(config: Config) -> socket.socket:
    """The socket to serve on. It waits a little for a port in use: the workers of a killed server are about to end."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    deadline = time.monotonic() + PORT_WITHIN_S
    while True:
        try:
            return _patient_for_so_long(socket.create_server((config.host, config.port), family=family, backlog=2048))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
                raise CannotStart(f"cannot listen on {config.host} port {config.port}: {reason}") from None
        time.sleep(0.1)


def _patient_for_so_long(listener: socket.socket) -> socket.socket:
    """The kernel, too, gives up a connection whose other end takes nothing any more; who is accepted inherits it."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKEN_WITHIN_S * 1000)
    return listener


async def _preflight(url: str) -> None:
    name = url.rsplit("@", 1)[-1]  # without user and password
    try:
        client = store.connect(url)
    except ValueError as error:
        raise CannotStart(f"{name!r} is no Redis URL: {error}") from None
    async with client:
        try:
            await store.check_format(client)
            for weakness in await store.ask(lambda: store.weaknesses(client)):
                print(f"simplesimon: warning: {weakness}", file=sys.stderr)
        except Unavailable as error:
            raise CannotStart(f"Redis at {name} does not answer: {error.__cause__}") from None


def _run_workers(config: Config, listener: socket.socket) -> None:
    server = uvicorn.Config(
        "simplesimon.web:create",
        factory=True,
        workers=config.workers,
        ws=TakeOverProtocol,
        ws_max_size=MESSAGE_LIMIT,
        ws_per_message_deflate=False,  # frames of 70 bytes do not shrink
        timeout_graceful_shutdown=CLOSED_WITHIN_S,
        access_log=False,
        log_level="warning",
        server_header=False,
    )
    if config.workers == 1:
        uvicorn.Server(server).run([listener])
    else:
        Multiprocess(server, [listener]).run()


if __name__ == "__main__":
    sys.exit(main())
