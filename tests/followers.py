"""A follower of the hub, for its tests: it writes down what it is given."""

import asyncio

from clients import GUARD_S

from simplesimon.diffs import Frame

G = "AAAAAAAAAAAA"


def frame(v, c=None, before=None):
    return Frame(G, v, c or f"{v:08x}", f"diff {v}".encode(), before=before or f"{v - 1:08x}")


class Follower:
    """Writes down what it is given."""

    player_id = None

    def __init__(self):
        self.heard = []
        self.written = []  # what its socket was given, one item a write
        self.hears = asyncio.Event()

    def write(self, frames):
        self.written.append(frames)

    def write_state(self, frame):
        self.written.append("own state")

    def offer(self, frame):
        self._hear(frame.v)
        return False

    def say(self, payload):
        self._hear(payload.decode())

    def reseed(self, *, set_back=False):
        self._hear("set back" if set_back else "anew")

    def _hear(self, what):
        self.heard.append(what)
        self.hears.set()

    async def next(self):
        while not self.heard:
            self.hears.clear()
            await asyncio.wait_for(self.hears.wait(), GUARD_S)
        return self.heard.pop(0)
