"""When a page whose connection was lost tries again; the figures are those of `client/socket.js`."""

import random
import time

FIRST_S, LONGEST_S, GROWS = 0.2, 10.0, 1.5
HEALTHY_S = 30.0
HANDSHAKE_WITHIN_S = 6.0


class Patience:
    """Of one client: fully random delays that grow, forgotten after a while of health."""

    def __init__(self, chances: random.Random) -> None:
        self._chances = chances
        self._longest_s = FIRST_S
        self._live_at: float | None = None

    def greeted(self) -> None:
        """There is a connection."""
        self._live_at = time.monotonic()

    def forget(self) -> None:
        """As after a while of health."""
        self._longest_s = FIRST_S

    def delay_s(self) -> float:
        """There is none, or none any more."""
        if self._live_at is not None and time.monotonic() - self._live_at > HEALTHY_S:
            self.forget()
        self._live_at = None
        delay = self._chances.uniform(0, self._longest_s)
        self._longest_s = min(GROWS * self._longest_s, LONGEST_S)
        return delay
