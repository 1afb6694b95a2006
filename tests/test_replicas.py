"""Waiting for replicas: nobody hears of an event, by whatever way, before they have it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

import pytest
from clients import GUARD_S, THERE, Device
from logs import FACTS, new_id, steps
from servers import serving
from stories import SORTED, to_and_fro
from system.replication import replicated

from simplesimon import replicas, store
from simplesimon.bodies import MePatch
from simplesimon.errors import Unavailable
from simplesimon.eventlog import EventLog, channel
from simplesimon.players import Players


@pytest.fixture(scope="module")
def them(tmp_path_factory):
    with replicated(tmp_path_factory.mktemp("replicated"), 1) as them:
        yield them


@pytest.fixture
def hasty(monkeypatch):
    """A wait in vain is soon over."""
    monkeypatch.setattr(replicas, "WAIT_MS", 50)


@pytest.fixture
async def client(them):
    async with store.connect(them.url) as client:
        yield client


@pytest.fixture
def log(client):
    return EventLog(client, replicas=1)


@pytest.fixture
async def dealt(log):
    """A game that was just dealt, and the steps that come next."""
    g = new_id()
    deal, *later = steps([SORTED, *to_and_fro(3)])
    assert await append(log, g, deal)
    return g, later


def append(log, g, step, frame=b"told"):
    before, event, after = step
    return log.append(g, before, event, after, frame, None if before else FACTS)


async def waited(client, times=2, *, appending=None):
    """Returns when so many more have begun to wait for replicas, or have waited in vain; meanwhile none may be done."""
    async with asyncio.timeout(GUARD_S):
        wanted = await _waits(client) + times
        while await _waits(client) < wanted:
            assert not (appending and appending.done())


async def _waits(client):
    return (await client.info("commandstats")).get("cmdstat_wait", {}).get("calls", 0)


@contextlib.asynccontextmanager
async def hearing(client, g):
    async with client.pubsub() as heard:
        await heard.ssubscribe(channel(g))
        assert (await heard.get_message(timeout=None))["type"] == "ssubscribe"
        yield lambda timeout=None: heard.get_message(timeout=timeout)


async def test_an_event_is_acknowledged_and_published_once_the_replica_has_it(hasty, them, client, log, dealt):
    g, (first, *_) = dealt
    async with hearing(client, g) as heard:
        with them.frozen(them.ports[1]):
            appending = append(log, g, first)
            await waited(client, appending=appending)
            assert await client.xlen(f"{channel(g)}:log") == 2, "it is in the log already"
            assert not appending.done()
            assert await heard(0) is None
        assert await appending
        assert (await heard())["data"] == b"told"
    assert await client.xlen(f"{channel(g)}:log") == 2


async def test_a_second_try_on_another_connection_waits_as_well(hasty, them, client, log, dealt):
    g, (first, *_) = dealt
    with them.frozen(them.ports[1]):
        appending = append(log, g, first)
        await waited(client, appending=appending)
        await client.client_kill_filter(_type="normal", skipme=True)
        await waited(client, 3, appending=appending)
        assert not appending.done()
    assert await appending


async def test_an_append_that_is_cut_off_while_it_waits_is_known_again(them, client, log, dealt):
    g, (first, *_) = dealt
    with them.frozen(them.ports[1]):
        appending = append(log, g, first)
        while not (await client.info("clients"))["blocked_clients"]:  # its first try waits
            assert not appending.done()
        await client.client_kill_filter(_type="normal", skipme=True)
        await waited(client, appending=appending)
    assert await appending, "it is no clash"
    assert await client.xlen(f"{channel(g)}:log") == 2


async def test_what_is_not_acknowledged_is_read_by_nobody(hasty, them, client, log, dealt, monkeypatch):
    g, (first, second, _) = dealt
    assert (await log.open(g)).head == (1, first[0].chain)
    elsewhere = EventLog(client, replicas=1)
    with them.frozen(them.ports[1]), monkeypatch.context() as impatient:
        impatient.setattr(store, "APPEND_WITHIN_S", 0.2)
        impatient.setattr(store, "READ_WITHIN_S", 0.2)
        for asking in (append(log, g, first), elsewhere.open(g), elsewhere.refresh(g, first[0])):
            with pytest.raises(Unavailable):
                await asking
    for reader in (elsewhere, log):
        assert (await reader.open(g)).head == (2, first[2].chain)
    assert await append(log, g, second)


async def test_what_was_written_without_waiting_is_waited_for_by_who_reads_it(them, client, dealt):
    g, (first, *_) = dealt
    assert await append(EventLog(client), g, first)
    before = await _waits(client)
    waiting = EventLog(client, replicas=1)
    for _ in range(2):
        assert (await waiting.open(g)).head == (2, first[2].chain)
    assert await _waits(client) == before + 1, "the second one need not"


async def test_what_cannot_be_published_is_stored_all_the_same_and_holds_up_nothing(them, client, dealt):
    g, later = dealt
    allowed = {"categories": ["+@all"], "keys": ["*"], "channels": ["*"], "reset_channels": True}
    await client.acl_setuser("mute", enabled=True, nopass=True, commands=["-spublish"], **allowed)
    async with store.connect(them.url.replace("redis://", "redis://mute:@")) as mute:
        log = EventLog(mute, replicas=1)
        assert [await asyncio.wait_for(append(log, g, step), GUARD_S) for step in later] == [True] * 3


async def test_what_a_player_is_told_of_names_and_devices_the_replica_has(hasty, them, client, monkeypatch):
    players = Players(client, lambda: 1, replicas=1)
    ann = await players.new()
    asked: list[Callable[[], Awaitable[Any]]] = [
        players.new,
        lambda: players.change(ann, MePatch(name="Ann")),
        lambda: players.change(ann, MePatch(settings={"theme": "dark"})),
        lambda: players.sign_in(ann, "a phone"),
        lambda: players.link(ann),
    ]
    with them.frozen(them.ports[1]), monkeypatch.context() as impatient:
        impatient.setattr(store, "READ_WITHIN_S", 0.2)
        for ask in asked:
            with pytest.raises(Unavailable):
                await ask()
    new, _, me, token, code = [await ask() for ask in asked]
    async with store.connect(f"redis://127.0.0.1:{them.ports[1]}/0") as replica:
        theirs = Players(replica, lambda: 1)
        assert await theirs.me(ann) == me
        assert (await theirs.me(new)).player.id == new
        session = await theirs.session(token)
        assert session
        assert session.player_id == ann
        assert await replica.get(f"link:{sha256(code.replace('-', '').encode()).hexdigest()}") == ann.encode()


async def test_a_device_is_not_removed_before_the_replica_knows(hasty, them, client, monkeypatch):
    monkeypatch.setattr(store, "READ_WITHIN_S", GUARD_S)  # it shall not be given up
    players = Players(client, lambda: 1, replicas=1)
    token = await players.sign_in(ann := await players.new(), "a phone")
    session = await players.session(token)
    assert session
    with them.frozen(them.ports[1]):
        removing = asyncio.create_task(players.sign_out(ann, session.id))
        await waited(client, appending=removing)
        for _ in range(2):  # for the session, and for the list of sessions: a second try has nothing left to remove
            await client.client_kill_filter(_type="normal", skipme=True)
            await waited(client, 3, appending=removing)
    await removing
    async with store.connect(f"redis://127.0.0.1:{them.ports[1]}/0") as replica:
        assert await Players(replica, lambda: 1).over([session]) == [session]


async def test_many_games_at_once_share_their_waits(client, log):
    games = [new_id() for _ in range(50)]
    deal, first = steps([SORTED, *to_and_fro(1)])
    before = await _waits(client)
    for step in (deal, first):
        assert all(await asyncio.gather(*[append(log, g, step) for g in games]))
    assert await _waits(client) - before <= 6


async def test_one_that_is_a_replica_now_acknowledges_nothing_and_may_be_the_primary_again(them, dealt, monkeypatch):
    g, (first, *_) = dealt
    monkeypatch.setattr(store, "APPEND_WITHIN_S", 0.2)
    async with store.connect(f"redis://127.0.0.1:{them.ports[1]}/0") as demoted:
        with pytest.raises(Unavailable):
            await append(EventLog(demoted, replicas=1), g, first)


async def test_a_server_tells_nobody_before_the_replica_has_it(them, client, tmp_path):
    with serving(tmp_path / "words", "--redis-url", them.url, "--no-limits", "--replicas", "1") as server:
        async with Device(server.url) as player, Device(server.url) as friend:
            assert (await player.get("/health/ready"))["replicas"] == 1
            g = (await player.new_game())["g"]
            playing, watching = await player.watching(g), await friend.watching(g)
            with them.frozen(them.ports[1]):
                await playing.send("move", g=g, v=1, m=THERE)
                await waited(client, 1)
                assert await client.xlen(f"{channel(g)}:log") == 2, "it is in the log already"
                for socket in (playing, watching):
                    assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}, "nothing was told before"
            for socket in (playing, watching):
                assert (await socket.next())["v"] == 2
