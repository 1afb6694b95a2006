"""What came after a version that has left the memory: read once for all who ask, while the game goes on."""

import asyncio
from itertools import pairwise

import pytest
from logs import FACTS, new_id, write
from stories import SORTED, to_and_fro

from simplesimon.backend import Backend
from simplesimon.config import Config
from simplesimon.eventlog import EventLog
from simplesimon.hotgames import SINCE_LIMIT
from simplesimon.messages import StateMessage

LAST = 2 * SINCE_LIMIT


@pytest.fixture
async def backend(store_url):
    async with Backend(Config(redis_url=store_url)).running() as backend:
        yield backend


@pytest.fixture
async def written(client):
    game = new_id()
    return game, await write(EventLog(client), game, [SORTED, *to_and_fro(LAST - 1)])


@pytest.fixture
async def game(backend, written):
    """At hand, as it is after a restart: without the frames of its last versions."""
    game, _ = written
    await backend.service.state(game, None)
    return game


@pytest.fixture
def moves_meanwhile(backend, client, game, written, monkeypatch):
    """One move is made elsewhere, and told here, while the versions before are read."""
    open_log = EventLog.open

    async def open_then_move(self, *which):
        found = await open_log(self, *which)
        if which[0] != game:
            return found  # the lists of deals are made meanwhile, from the games of other tests
        monkeypatch.setattr(EventLog, "open", open_log)
        *_, event = to_and_fro(LAST)
        await write(EventLog(client), game, [event], written[1])
        assert (await backend.service.catch_up(game))[0] == LAST + 1
        return found

    monkeypatch.setattr(EventLog, "open", open_then_move)


@pytest.mark.usefixtures("moves_meanwhile")
async def test_a_game_at_hand_is_not_put_back_behind_what_was_told_while_older_versions_were_read(backend, game):
    told = await backend.service.since(game, None, LAST - 10, None)
    assert [frame.v for frame in told] == list(range(LAST - 10, LAST + 2))
    assert all(frame.wire for frame in told[1:])
    assert all(after.before == before.c for before, after in pairwise(told))


@pytest.mark.usefixtures("moves_meanwhile")
async def test_who_is_too_far_behind_by_then_gets_the_state(backend, game):
    answer = await backend.service.since(game, None, LAST - SINCE_LIMIT, None)
    assert isinstance(answer, StateMessage)
    assert (answer.v, answer.set_back) == (LAST + 1, False)


async def test_many_who_come_back_at_once_share_the_readings_of_what_they_missed(backend, client, game):
    await client.config_resetstat()
    since = range(LAST - SINCE_LIMIT, LAST - SINCE_LIMIT + 50)
    told = await asyncio.gather(*(backend.service.since(game, FACTS["by"], v, None) for v in since))
    assert [[frame.v for frame in frames] for frames in told] == [list(range(v, LAST + 1)) for v in since]
    assert (await client.info("commandstats"))["cmdstat_xrange"]["calls"] <= 4, "two for where it is, two for before"
