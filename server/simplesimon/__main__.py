"""The command line: `simplesimon serve`, `simplesimon deal CODE` and `simplesimon replay FILE`."""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
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
from simplesimon.listening import listening, one_more
from simplesimon.rules.deal import deal_from_code
from simplesimon.transport import TakeOverProtocol
from simplesimon.wire import MESSAGE_LIMIT

CLOSED_WITHIN_S = 2


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
    with (
        _stoppable(),
        listening(config.host, config.port) as listener,
        _store(config) as url,
        tempfile.TemporaryDirectory() as shared,
    ):
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


async def _preflight(url: str) -> None:
    before, _, options = url.partition("?")
    # without logins, of the store and of sentinels; an @ after the ? is of a login that was not encoded
    name = "the given address" if "@" in options else before.rpartition("@")[2]
    try:
        client = store.connect(url)
    except ValueError as error:
        reason = "" if "@" in url else f": {error}"  # which may repeat a part of the login
        raise CannotStart(f"{name!r} is no Redis URL{reason}") from None
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
        Workers(server, [listener, *one_more(listener)]).run()


class Workers(Multiprocess):
    """uvicorn's parent of workers, without its copies of their ends of the pipes.

    With them it would wait 5 s for a sign of life of a worker that dies while it is asked for one.
    """

    def init_processes(self) -> None:
        super().init_processes()
        self._let_go()

    def keep_subprocess_alive(self) -> None:
        super().keep_subprocess_alive()
        self._let_go()

    def _let_go(self) -> None:
        for process in self.processes:
            process.child_conn.close()


if __name__ == "__main__":
    sys.exit(main())
