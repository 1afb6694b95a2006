"""Games as one process has them, without sockets: its service on a real store, and what it told."""

from logs import FACTS, new_id

from simplesimon.clock import StoreClock
from simplesimon.deals import Deals
from simplesimon.diffs import Frame
from simplesimon.eventlog import EventLog
from simplesimon.players import Players
from simplesimon.service import Service
from simplesimon.tasks import Tasks
from simplesimon.watching import WatchingCounts

BY = FACTS["by"]


class Worker:
    """One process's service, and what it told: frames, and the games that were set back."""

    def __init__(self, client):
        self.clock = StoreClock(client)
        self.told: list[Frame] = []
        self.in_hand = Tasks()
        self.set_back: list[str] = []
        players = Players(client, self.clock.now)
        self.service = Service(
            EventLog(client),
            players,
            Deals(client),
            self.clock,
            WatchingCounts(client, self.clock, new_id()),
            *(self.told.append, self.set_back.append, self.in_hand),
        )

    async def play(self, g, *commands, v=1):
        return [await self.service.command(BY, g, version, command) for version, command in enumerate(commands, v)]
