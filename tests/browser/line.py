"""A line to the server that a test can cut, mend and slow down: connections break without a goodbye, as in life."""

import socket
import socketserver
import threading
from collections.abc import Callable
from contextlib import suppress
from time import sleep
from types import TracebackType

CHUNK = 65536
SLOW_CHUNK, SLOW_CHUNK_S = 4096, 0.02
"""Of a throttled line, which carries 1.6 Mbit/s: what page speed tools call "Fast 3G"."""


class Line:
    def __init__(self, port: int) -> None:
        self._port = port
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False
        self._is_throttled = False
        carry = self._carry

        class Caller(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                carry(self.request)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Caller)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "Line":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self.cut()
        self._server.server_close()

    def cut(self) -> None:
        """All connections break now, and new ones as soon as they are made."""
        with self._lock:
            self._is_cut = True
            ends, self._ends = self._ends, set()
        for end in ends:
            hang_up(end)

    def throttle(self) -> None:
        """New connections are slow."""
        self._is_throttled = True

    def mend(self) -> None:
        with self._lock:
            self._is_cut = False

    def _carry(self, caller: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", self._port)) as called:
            with self._lock:
                if self._is_cut:
                    return
                self._ends |= {caller, called}
            back = threading.Thread(target=pump, args=(called, caller, self._is_throttled), daemon=True)
            back.start()
            pump(caller, called, self._is_throttled)
            back.join()
            with self._lock:
                self._ends -= {caller, called}


def pump(source: socket.socket, target: socket.socket, is_throttled: bool) -> None:
    with suppress(OSError):
        receive: Callable[[], bytes] = lambda: source.recv(SLOW_CHUNK if is_throttled else CHUNK)  # noqa: E731
        for chunk in iter(receive, b""):
            if is_throttled:
                sleep(SLOW_CHUNK_S)
            target.sendall(chunk)
    hang_up(target)


def hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
