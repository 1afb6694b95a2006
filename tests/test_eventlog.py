"""The log in a real store: append once, in order; snapshots that only save time."""

import asyncio

import pytest
from logs import FACTS, append, history_of, leave, new_id, steps, write
from servers import GUARD_S, storing
from stories import SORTED, SPADES_LEAVE, to_and_fro, told

from simplesimon import store
from simplesimon.entries import Head
from simplesimon.errors import Damaged, NoSuchGame, Unavailable
from simplesimon.eventlog import SNAPSHOT_EVERY, SNAPSHOTS_KEPT, EventLog, channel
from simplesimon.game import Restarted, Undone
from simplesimon.tasks import Tasks


@pytest.fixture
def log(client):
    return EventLog(client)


async def test_what_was_appended_is_read_again(log):
    g, events = new_id(), [SORTED, SPADES_LEAVE, Undone(), Restarted()]
    history = await write(log, g, events)
    opened = await log.open(g)
    assert (opened.by, opened.visibility) == (FACTS["by"], "public")
    assert opened.base == told([SORTED])
    assert [(entry.version, entry.event) for entry in opened.entries] == list(enumerate(events, 1))[1:]
    assert opened.head == (4, history.chain)
    assert [entry.version for entry in await log.read(g, 4, history.at, 2)] == [3, 4]
    assert [entry.version for entry in await log.read(g, 3, told(events[:3]).at, 1)] == [2, 3]
    assert await log.read(g, 4, history.at, 4) == await log.read(g, 4, history.at, 99) == []
    assert await log.heads([g, new_id()]) == [Head(4, history.c, "public", FACTS["by"]), None]


async def test_a_version_is_appended_once_and_the_second_is_a_clash(log, client):
    g = new_id()
    deal, first, second = steps([SORTED, *to_and_fro(2)])
    assert await append(log, g, deal)
    assert not await append(log, g, deal), "the id is taken"
    assert await append(log, g, first)
    assert not await append(log, g, first)
    assert not await append(log, g, deal)
    assert not await append(log, g, (told([SORTED, SPADES_LEAVE]), *second[1:])), "the same version, another history"
    assert await client.xlen(f"{channel(g)}:log") == 2
    assert await append(log, g, second)


async def test_an_append_to_a_game_whose_version_was_changed_is_a_clash(log, client):
    g = new_id()
    deal, first = steps([SORTED, *to_and_fro(1)])
    assert await append(log, g, deal)
    await client.hset(channel(g), "v", 7)
    assert not await append(log, g, first), "nothing is guessed of what a bad hand changed"


async def test_of_many_that_race_for_a_version_one_wins(client):
    g = new_id()
    deal, first = steps([SORTED, *to_and_fro(1)])
    logs = [EventLog(client) for _ in range(10)]
    assert await append(logs[0], g, deal)
    won = await asyncio.gather(*[append(log, g, first) for log in logs for _ in range(3)])
    assert sorted(won) == [False] * 29 + [True]


async def test_appends_to_many_games_share_their_trips_and_each_has_its_own_answer(log):
    games = [new_id() for _ in range(100)]
    deal, first = steps([SORTED, *to_and_fro(1)])
    assert all(await asyncio.gather(*[append(log, g, deal) for g in games]))
    assert all(await asyncio.gather(*[append(log, g, first) for g in games[::2]]))
    assert await asyncio.gather(*[append(log, g, first) for g in games]) == [False, True] * 50


async def test_a_published_event_is_heard_where_the_game_is_followed(log, client):
    g = new_id()
    async with client.pubsub() as heard:
        await heard.ssubscribe(channel(g))
        assert (await heard.get_message(timeout=None))["type"] == "ssubscribe"
        for step in steps([SORTED, *to_and_fro(2)]):
            assert await append(log, g, step, b"version %d" % step[2].version)
            assert not await append(log, g, step, b"a clash")
        assert [(await heard.get_message(timeout=None))["data"] for _ in range(3)] == [
            b"version 1",
            b"version 2",
            b"version 3",
        ]


async def test_a_store_that_forgot_the_script_is_taught_it_again(log, client):
    g = new_id()
    for step in steps([SORTED, *to_and_fro(3)]):
        await client.script_flush()
        assert await append(log, g, step)


async def test_an_event_is_acknowledged_though_nobody_can_be_told_of_it(client, store_url):
    await client.acl_setuser("quiet", enabled=True, nopass=True, keys="*", commands=["+@all", "-pubsub", "-spublish"])
    async with store.connect(store_url) as quiet:
        await quiet.execute_command("AUTH", "quiet", "")
        history = await write(EventLog(quiet), g := new_id(), [SORTED, SPADES_LEAVE])
    await client.acl_deluser("quiet")
    assert await EventLog(client).heads([g]) == [Head(2, history.c, "public", FACTS["by"])]


async def test_a_full_store_acknowledges_nothing_until_it_has_room_again(log, client):
    g = new_id()
    deal, first = steps([SORTED, *to_and_fro(1)])
    assert await append(log, g, deal)
    await client.config_set("maxmemory", 1)
    try:
        appending = asyncio.create_task(append(log, g, first))
        while "errorstat_OOM" not in await client.info("errorstats"):
            assert not appending.done()
        assert (await log.heads([g]))[0].version == 1
    finally:
        await client.config_set("maxmemory", 0)
    assert await appending


async def test_what_is_on_its_way_is_in_hand(client):
    in_hand = Tasks()
    log = EventLog(client, in_hand=in_hand)
    games = [new_id() for _ in range(300)]  # of several trips
    deal, first = steps([SORTED, *to_and_fro(1)])
    for step in (deal, first):  # by a new connection, and by one that is there
        appended = [asyncio.ensure_future(append(log, g, step)) for g in games]
        await asyncio.sleep(0)
        await in_hand.wait(GUARD_S)
        assert all(answer.done() and answer.result() for answer in appended)


async def test_a_store_that_is_away_too_long_is_unavailable_and_has_nothing(tmp_path, monkeypatch):
    g = new_id()
    deal, first = steps([SORTED, *to_and_fro(1)])
    with storing(tmp_path) as own:
        async with store.connect(own.url) as client:
            log = EventLog(client)
            await store.check_format(client)
            assert await append(log, g, deal)
            own.kill()
            with monkeypatch.context() as impatient:
                impatient.setattr(store, "APPEND_WITHIN_S", 0.3)
                with pytest.raises(Unavailable):
                    await asyncio.wait_for(append(log, g, first), GUARD_S)
            own.start()
            assert await store.ask(lambda: client.xlen(f"{channel(g)}:log")) == 1
            assert await append(log, g, first)


async def test_a_long_game_opens_from_its_newest_snapshot(log, client):
    g = new_id()
    history = await write(log, g, [SORTED, *to_and_fro(1999)])
    opened = await log.open(g)
    assert opened.base.version == 1792
    assert len(opened.entries) <= SNAPSHOT_EVERY
    for behind in (0, 10, 256):
        since = await log.open(g, history.version - behind)
        assert since.base.version <= history.version - behind
        assert len(since.entries) <= SNAPSHOT_EVERY + behind
    assert len([field for field in await client.hkeys(channel(g)) if field.startswith(b"snapshot")]) == 2


async def test_snapshots_only_save_time(log, client):
    g = new_id()
    history = await write(log, g, [SORTED, SPADES_LEAVE, Restarted(), *to_and_fro(600)])
    assert history_of(await log.open(g)) == history
    for damage in (b"", b"{}", b"nonsense", b"[1,2,3]"):
        await client.hset(channel(g), f"snapshot{512 // SNAPSHOT_EVERY % SNAPSHOTS_KEPT}", damage)  # the newest
        assert history_of(await log.open(g)) == history
    await client.hdel(channel(g), "snapshot0", "snapshot1")
    opened = await log.open(g)
    assert (opened.base.version, history_of(opened)) == (1, history)


async def test_a_game_that_was_read_is_refreshed_with_what_came_after(log):
    g = new_id()
    known = await write(log, g, [SORTED, *to_and_fro(4)])
    assert (await log.refresh(g, known)).entries == []
    history = await write(log, g, to_and_fro(4)[1:3], known)
    refreshed = await log.refresh(g, known)
    assert history_of(refreshed) == history
    assert refreshed.head == (7, history.chain)
    assert await log.refresh(new_id(), known) is None
    assert await log.refresh(g, told([SORTED, SPADES_LEAVE, *to_and_fro(5)])) is None


async def test_a_game_that_is_not_there(log):
    with pytest.raises(NoSuchGame):
        await log.open(new_id())


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [("1-1", "undo")],
        [("1-1", "1 deal SS1-S1-AAAAABD"), ("2-3", "undo")],
        [("1-2", "1 deal SS1-S1-AAAAABD")],
        [("1-1", "2 deal SS1-S1-AAAAABD")],
        [("1-1", "1 deal SS1-S1-AAAAAB!")],
        [("1-1", "1 deal AS/KS")],
        [("1-1", "1 deal SS1-S1-AAAAABD"), ("2-2", "nonsense")],
        [("1-1", "1 deal SS1-S1-AAAAABD"), ("2-2", "")],
        [("1-1", "1 deal SS1-S1-AAAAABD"), ("2-2", "12345")],
    ],
)
async def test_a_log_that_nobody_can_have_written_is_damaged(log, client, entries):
    g = await leave(client, entries, b"x" * 32)
    with pytest.raises(Damaged):
        await log.open(g)
