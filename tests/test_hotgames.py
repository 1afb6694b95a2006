"""Games at hand: who comes at once shares a reading, and never one that began before they came."""

import asyncio

import pytest
from logs import copy_of, new_id, set_back, write
from stories import SORTED, to_and_fro

from simplesimon import hotgames
from simplesimon.errors import NoSuchGame
from simplesimon.eventlog import SNAPSHOT_EVERY, EventLog
from simplesimon.hotgames import BARE_GAME, SINCE_LIMIT, HotGames
from simplesimon.players import Players


@pytest.fixture
async def log(client):
    return EventLog(client)


@pytest.fixture
async def games(client, log):
    return HotGames(log, Players(client, lambda: 0), tell=lambda _: None, set_back=lambda _: None)


async def test_many_who_come_at_once_are_two_readings(games, log, client):
    await write(log, game := new_id(), [SORTED])
    await client.config_resetstat()
    read = await asyncio.gather(*(games.load(game) for _ in range(200)))
    assert {hot.history.version for hot in read} == {1}
    assert (await client.info("commandstats"))["cmdstat_xrange"]["calls"] <= 2


async def test_many_who_come_one_after_another_while_nobody_moves_are_one_reading(games, log, client):
    history = await write(log, game := new_id(), [SORTED])
    await client.config_resetstat()
    for _ in range(20):
        assert (await games.load(game)).history == history
    assert (await client.info("commandstats"))["cmdstat_xrange"]["calls"] == 1


async def test_many_who_come_back_from_long_ago_are_two_readings(games, log, client):
    history = await write(log, game := new_id(), [SORTED, *to_and_fro(SNAPSHOT_EVERY + 20)])
    await client.config_resetstat()
    await games.load(game)
    for _ in range(3):
        read = await asyncio.gather(*(games.reach_back(game) for _ in range(20)))
        assert {hot.frames[0].v for hot in read} == {history.version - SINCE_LIMIT}
    assert (await client.info("commandstats"))["cmdstat_xrange"]["calls"] == 2


async def test_who_comes_while_a_game_is_read_gets_what_was_written_before_they_came(games, log):
    history = await write(log, game := new_id(), [SORTED])
    for event in to_and_fro(30):
        reading = asyncio.create_task(games.load(game))
        await asyncio.sleep(0)
        history = await write(log, game, [event], history)
        assert (await games.load(game)).history == history
        await reading


async def test_who_goes_while_a_game_is_read_takes_nothing_from_the_others(games, log):
    history = await write(log, game := new_id(), [SORTED])
    going, staying = (asyncio.create_task(games.load(game)) for _ in range(2))
    await asyncio.sleep(0)  # both wait for one reading
    going.cancel()
    await asyncio.wait([staying])
    assert not staying.cancelled()
    assert staying.result().history == history


async def test_a_game_that_is_set_back_in_the_middle_of_a_reading_is_not_damaged(games, log, client, monkeypatch):
    history = await write(log, game := new_id(), [SORTED])
    copy = await copy_of(client, game)
    await write(log, game, to_and_fro(SNAPSHOT_EVERY), history)
    read_snapshots = client.hgetall

    async def read_then_set_back(*which):
        found = await read_snapshots(*which)
        await set_back(client, copy)
        return found

    monkeypatch.setattr(client, "hgetall", read_then_set_back)
    assert (await games.load(game)).history == history


async def test_a_game_that_is_not_there_is_told_to_all_who_asked(games):
    answers = await asyncio.gather(*(games.load(new_id()) for _ in range(3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [NoSuchGame] * 3
    same = new_id()
    answers = await asyncio.gather(*(games.load(same) for _ in range(3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [NoSuchGame] * 3


async def test_a_game_that_is_played_stays_at_hand_while_others_are_looked_at(games, log, monkeypatch):
    monkeypatch.setattr(hotgames, "HOT_WEIGHT", 3 * (BARE_GAME + 1))
    await write(log, played := new_id(), [SORTED])
    await games.load(played)
    others = [new_id() for _ in range(5)]
    for other in others:
        await write(log, other, [SORTED])
        await games.load(other)
        assert games.get(played)
    assert [games.get(other) is not None for other in others] == [False, False, False, True, True]


async def test_a_game_that_grows_takes_the_place_of_others(games, log, monkeypatch):
    monkeypatch.setattr(hotgames, "HOT_WEIGHT", 4 * (BARE_GAME + 1))
    oldest, newer, played = (new_id() for _ in range(3))
    for game in (oldest, newer, played):
        await write(log, game, [SORTED])
        await games.load(game)
    await write(log, played, to_and_fro(5), games.get(played).history)
    await games.load(played)
    assert games.get(played).history.version == 6
    assert (games.get(oldest), games.get(newer) is not None) == (None, True)
    await write(log, played, to_and_fro(500)[5:], games.get(played).history)
    await games.load(played)
    assert games.get(played), "the only one that is left stays, however much it weighs"
    assert games.get(newer) is None


async def test_a_snapshot_of_events_that_a_failover_lost_does_no_harm(games, log):
    history = await write(log, game := new_id(), [SORTED, *to_and_fro(SNAPSHOT_EVERY - 2)])
    *_, lost = to_and_fro(SNAPSHOT_EVERY - 1)
    await log.keep_snapshot(game, history.then(lost, history.at + 500))
    assert (await games.load(game)).history == history
