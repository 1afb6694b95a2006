"""Real processes for the tests: servers, as the command line starts them, and stores of a test's own.

A server is asked at once after its start: it listens before it is ready, so the first request waits for it.
"""

import contextlib
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from simplesimon.embedded import _binary

GUARD_S = int(os.environ.get("GUARD_S", "60"))
"""No test is timed: this only ends one that hangs."""


SERVE = ("-m", "simplesimon")
PLAINLY = ("-c", "from simplesimon import __main__ as it; it.TakeOverProtocol = 'websockets-sansio'; it.main()")
"""The same, on sockets of plain ASGI."""


class Server:
    """`simplesimon serve`, with what it says. `url` is where it listens."""

    def __init__(
        self,
        arguments: Sequence[str],
        words: Path,
        environment: Mapping[str, str] | None = None,
        how: Sequence[str] = SERVE,
    ) -> None:
        self._words = words
        command = [sys.executable, *how, "serve", *arguments]
        with words.open("a") as said:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=said, text=True, env={**os.environ, **(environment or {})}
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the server did not start: {self.words}"
        self.url = line.rsplit(" ", 1)[1].strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """A test that failed leaves no server behind: the next one would be told of it."""
        if self.process.returncode is None:
            self.kill()

    @property
    def words(self) -> str:
        """What it wrote to the terminal beside its address; what of that went to standard output, once it has ended."""
        return self._words.read_text()

    @property
    def port(self) -> str:
        return self.url.rsplit(":", 1)[1]

    @property
    def children(self) -> list[int]:
        """The process ids of all that it started."""
        parent = self.process.pid
        return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]

    @property
    def workers(self) -> list[int]:
        """Those of its workers, where it has several (not of what only tracks their resources)."""
        return [pid for pid in self.children if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]

    @property
    def memory(self) -> int:
        """Bytes that it has just now."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> int:
        """The exit status."""
        self.process.terminate()
        return self.wait()

    def kill(self) -> None:
        self.process.kill()
        self.wait()

    def wait(self) -> int:
        status = self.process.wait(GUARD_S)
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)  # whoever outlives it may have it open
        with contextlib.suppress(BlockingIOError), self._words.open("ab") as said:
            said.write(os.read(self.process.stdout.fileno(), 2**20))
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def serving(
    words: Path, *arguments: str, environment: Mapping[str, str] | None = None, how: Sequence[str] = SERVE
) -> Iterator[Server]:
    """A server on a free port; when the block ends it is stopped, and must not have met a fault of ours."""
    with Server(["--port", "0", *arguments], words, environment, how) as server:
        try:
            yield server
        finally:
            if server.process.returncode is None:
                server.stop()
            print(server.words)  # shown where a test fails
        assert "simplesimon/" not in server.words, server.words  # a traceback that leads through our code


def freeze(pid: int) -> None:
    """Returns when the process has stopped where it was: the signal alone may come too late for what is under way."""
    os.kill(pid, signal.SIGSTOP)
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        pass


@contextlib.contextmanager
def frozen(pid: int) -> Iterator[None]:
    """It does nothing while the block lasts."""
    freeze(pid)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


class Store:
    """A Valkey of the test's own, which can be killed, frozen and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "own.sock"
        self._command = [
            *(_binary(), "--port", "0", "--unixsocket", str(self._socket), "--dir", str(folder)),
            *("--appendonly", "yes", "--appendfsync", "always", "--save", "", "--logfile", "own.log"),
        ]

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    def start(self) -> None:
        """It may not answer yet: who asks it is patient."""
        # a file that may not grow shall be an error to it, and not its end: that signal stays ignored, as it is here
        self.process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, restore_signals=False)

    def fill_disk(self) -> None:
        """From now on its log cannot grow by more than a few moves."""
        [log] = self._folder.glob("appendonlydir/*.incr.aof")
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size + 500, resource.RLIM_INFINITY))

    def free_disk(self) -> None:
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(GUARD_S)


@contextlib.contextmanager
def storing(folder: Path) -> Iterator[Store]:
    store = Store(folder)
    store.start()
    try:
        yield store
    finally:
        store.kill()
