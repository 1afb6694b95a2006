"""What all clients of one run asked and were told, and how it goes with them."""

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable

from clients import GUARD_S
from system.checker import Asked, Connection, Fault, Told
from system.patience import Patience


class Run:
    """What all clients of one run asked and were told. Clients come to any of `urls`, which may change meanwhile."""

    def __init__(self, urls: list[str], seed: int) -> None:
        self.urls = urls
        self.chances = random.Random(seed)
        self.asked: list[Asked] = []
        self.told: dict[Connection, list[Told]] = {}
        self.patience: list[Patience] = []  # of each client
        self.lost: set[str] = set()  # who is cut off just now
        self.away: list[float] = []  # seconds from a loss of the connection to live again
        self.closes: Counter[int | None] = Counter()
        self.refusals: Counter[str] = Counter()
        self.acknowledged = 0
        self.moved: Counter[str] = Counter()  # of those, how many in each game
        self.found: list[Fault] = []
        self.behind_s = 0.0  # the longest from an acknowledgement until somebody who follows the game had it, too
        self._acknowledged_at: dict[tuple[str, int], float] = {}  # by game and version
        self.goes_on = asyncio.Event()  # cleared: players only listen
        self.goes_on.set()
        self.resting: set[str] = set()  # the games whose players do
        self.is_over = asyncio.Event()
        self.more = asyncio.Event()

    def acknowledge(self, g: str, v: int) -> None:
        self.acknowledged += 1
        self._acknowledged_at[g, v] = time.monotonic()
        self.moved[g] += 1
        self.more.set()

    def told_after(self, g: str, v: int) -> None:
        """Somebody who had a game up to a version is told of a later one."""
        missed_at = self._acknowledged_at.get((g, v + 1))
        if missed_at:
            self.behind_s = max(self.behind_s, time.monotonic() - missed_at)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        """Returns when it is so; where it never is, the test says how all stood."""
        try:
            async with asyncio.timeout(2 * GUARD_S):
                while not is_so():
                    self.more.clear()
                    await self.more.wait()
        except TimeoutError:
            told = f"lost are {sorted(self.lost)}; {self.acknowledged} acknowledged, {len(self.resting)} at rest"
            raise AssertionError(f"{told}; {self.closes}, {self.refusals}") from None

    async def some_moves(self, least: int = 20, most: int = 80) -> None:
        """Returns when so many more commands, at random, have been acknowledged, and nobody is cut off."""
        wanted = self.acknowledged + self.chances.randint(least, most)
        await self._until(lambda: self.acknowledged >= wanted and not self.lost)

    async def one_more(self) -> None:
        """Returns when the next command has been acknowledged."""
        before = self.acknowledged
        await self._until(lambda: self.acknowledged > before)

    async def everybody_moves(self) -> None:
        """Returns when every game has gone on by a few moves."""
        wanted = {g: count + 3 for g, count in self.moved.items()}
        await self._until(lambda: all(self.moved[g] >= count for g, count in wanted.items()))

    @contextlib.asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Nothing is asked for meanwhile, but what everybody follows."""
        self.goes_on.clear()
        try:
            await self._until(lambda: len(self.resting) == len(self.moved))
            yield
        finally:
            self.goes_on.set()

    async def nobody_lost(self) -> None:
        """Returns when everybody who knows of being cut off is back."""
        await self._until(lambda: not self.lost)

    def forget_delays(self) -> None:
        """The next strike finds everybody as after half a minute of health, which would be long to wait for."""
        for patience in self.patience:
            patience.forget()
