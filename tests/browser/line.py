"""A line to the server that a test can cut and mend: connections break without a goodbye, as they do in life."""

import socket
import socketserver
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

CHUNK = 65536


class Line:
    def __init__(self, port: int) -> None:
        self._port = port
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False
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

    def mend(self) -> None:
        with self._lock:
            self._is_cut = False

    def _carry(self, caller: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", self._port)) as called:
            with self._lock:
                if self._is_cut:
                    return
                self._ends |= {caller, called}
            back = threading.Thread(target=pump, args=(called, caller), daemon=True)
            back.start()
            pump(caller, called)
            back.join()
            with self._lock:
                self._ends -= {caller, called}


def pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        receive: Callable[[], bytes] = lambda: source.recv(CHUNK)  # noqa: E731
        for chunk in iter(receive, b""):
            target.sendall(chunk)
    hang_up(target)


def hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
