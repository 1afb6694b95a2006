"""A store whose machine can lose its power: what was written and not synced is gone."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from servers import Store

SHIM = Path(__file__).with_name("synced.c")


class UnderPower(Store):
    """A Valkey with a preloaded shim that notes each sync. (kill -9 alone shows nothing: the system keeps writing.)"""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._files = folder / "appendonlydir"
        self._notes = folder / "synced"
        self._library = folder / "synced.so"
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library), str(SHIM), "-ldl"]
        subprocess.run(command, check=True)

    def start(self) -> None:
        environment = {**os.environ, "LD_PRELOAD": str(self._library), "SYNCED": str(self._notes)}
        self.process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, env=environment)

    def cut(self) -> int:
        """The power goes. How many bytes of the log went with it."""
        self.kill()
        lost = 0
        for file in self._files.glob("*.incr.aof"):
            kept = self._synced(file)
            lost += file.stat().st_size - kept
            os.truncate(file, kept)
        return lost

    def _synced(self, file: Path) -> int:
        notes = [note.split(" ", 1) for note in self._notes.read_text().splitlines()]
        return next((int(length) for length, path in reversed(notes) if path == str(file)), 0)


@contextlib.contextmanager
def powering(folder: Path) -> Iterator[UnderPower]:
    store = UnderPower(folder)
    store.start()
    try:
        yield store
    finally:
        store.kill()
