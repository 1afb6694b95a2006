"""How much one caller may ask for, with the figures of FAULTS.md. All of it is off with `--no-limits`."""

import time

MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 10, 40
MESSAGES_LATE = 8
"""So many more wait for their turn:

who sends one message after each answer is slowed down, and never told `too_fast`.
"""
STRIKES, STRIKES_WITHIN_S = 3, 60.0


class Pace:
    """The messages of one socket: 10 a second, 40 at once. Three refused within a minute is flooding."""

    __slots__ = ("_busy_until", "_is_limited", "_strikes")

    def __init__(self, is_limited: bool) -> None:
        self._is_limited = is_limited
        self._busy_until = 0.0  # when all messages so far would have come, had they come evenly
        self._strikes: tuple[float, ...] = ()

    def delay(self) -> float | None:
        """Seconds until one more message may be handled; None when it is too much.

        (The algorithm is GCRA, ITU-T I.371.)
        """
        if not self._is_limited:
            return 0
        now = time.monotonic()
        busy_until = max(self._busy_until, now) + 1 / MESSAGES_A_SECOND
        wait = busy_until - now - MESSAGES_AT_ONCE / MESSAGES_A_SECOND
        if wait > MESSAGES_LATE / MESSAGES_A_SECOND:
            self._strikes = (*self._strikes, now)[-STRIKES:]
            return None
        self._busy_until = busy_until
        return max(0.0, wait)

    @property
    def is_flooding(self) -> bool:
        """Whether the last three strikes came within a minute."""
        return len(self._strikes) == STRIKES and self._strikes[-1] - self._strikes[0] < STRIKES_WITHIN_S
