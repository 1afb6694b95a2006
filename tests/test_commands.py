"""Commands that are sent on before it is known what others did: what two workers make of one game."""

import asyncio

import pytest
from logs import FACTS, new_id, write
from stories import SORTED, command_for, moved

from simplesimon import store
from simplesimon.backend import Backend
from simplesimon.config import Config
from simplesimon.errors import StaleVersion, Unavailable
from simplesimon.eventlog import EventLog
from simplesimon.game import Restart, Undo

BY = FACTS["by"]
THERE, BACK = [command_for(event) for event in moved("9 1 0, 0 1 9")]


@pytest.fixture
async def here(store_url):
    async with Backend(Config(redis_url=store_url)).running() as backend:
        yield backend.service


@pytest.fixture
async def elsewhere(store_url):
    async with Backend(Config(redis_url=store_url)).running() as backend:
        yield backend.service


@pytest.fixture
async def game(here, client):
    """At hand here."""
    await write(EventLog(client), game := new_id(), [SORTED])
    await here.state(game, BY)
    return game


async def test_a_command_is_done_that_names_the_version_of_the_game_after_one_that_does_not(here, elsewhere, game):
    await elsewhere.command(BY, game, 1, THERE)
    told = await asyncio.gather(
        *(here.command(BY, game, v, command) for v, command in [(1, THERE), (2, BACK), (3, THERE), (9, BACK)]),
        return_exceptions=True,
    )
    assert [getattr(each, "v", type(each)) for each in told] == [StaleVersion, 3, 4, StaleVersion]


async def test_what_the_rules_forbid_on_a_version_that_is_gone_is_stale(here, elsewhere, game):
    await elsewhere.command(BY, game, 1, THERE)
    with pytest.raises(StaleVersion):
        await here.command(BY, game, 1, BACK)


async def test_a_state_that_is_told_says_who_may_see_the_game_now(here, elsewhere, game):
    first = await here.command(BY, game, 1, Restart())
    assert first.state.visibility == "public"
    await elsewhere.set_visibility(game, BY, "unlisted")
    undone = await here.command(BY, game, 2, Undo())
    again = await here.since(game, BY, 1, None)
    assert [frame.state.visibility for frame in (undone, *again[1:])] == ["unlisted"] * 3


async def test_a_command_that_waited_for_a_reading_is_stale_once_what_came_first_is_told(here, client, game):
    await client.client_pause(600_000, all=False)  # nothing is written, and all can be read
    restarting, moving = [asyncio.create_task(here.command(BY, game, 1, command)) for command in (Restart(), THERE)]
    try:
        await asyncio.sleep(0)  # both have begun
        for _ in range(3):
            await here.catch_up(game)  # the restart's reading is over, and was shared by nobody who came later
    finally:
        await client.client_unpause()
    with pytest.raises(StaleVersion) as stale:
        await restarting
    assert (await moving).v == stale.value.version == 2


async def test_what_the_store_does_not_confirm_is_not_acknowledged(here, client, game, monkeypatch):
    monkeypatch.setattr(store, "APPEND_WITHIN_S", 0.1)
    await client.config_set("maxmemory", 1)
    try:
        with pytest.raises(Unavailable):
            await here.command(BY, game, 1, THERE)
    finally:
        await client.config_set("maxmemory", 0)
    assert (await here.state(game, BY)).v == 1
