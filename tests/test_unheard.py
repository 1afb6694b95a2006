"""What nobody was told of, its word lost on the way or never sent, is found by the next look at the store."""

from collections.abc import AsyncIterator

import pytest
from clients import THERE, Device
from inside import serving
from logs import new_id, write
from servers import storing
from stories import SORTED, moved

from simplesimon import backend as backends
from simplesimon.eventlog import EventLog
from simplesimon.players import Players
from simplesimon.telling import channel
from simplesimon.transport import TakeOverProtocol


@pytest.fixture
async def ann(store_url, monkeypatch) -> AsyncIterator[Device]:
    """A player, on a server that looks often."""
    monkeypatch.setattr(backends, "CHECK_EVERY_S", 0.1)
    monkeypatch.setattr(backends, "ON_ITS_WAY_S", 0.0)
    async with serving(store_url, TakeOverProtocol) as (url, _), Device(url) as ann:
        await ann.me()
        yield ann


async def test_a_move_that_nobody_was_told_of_is_found_by_the_next_look(ann, client):
    history = await write(EventLog(client), g := new_id(), [SORTED])
    watching = await ann.socket()
    assert (await watching.ask("watch", g=g, quiet=True))["v"] == 1  # a spectator more would be a look at the lists
    assert (await watching.next())["t"] == "synced"
    await write(EventLog(client), g, moved("9 1 0"), history)
    assert (await watching.next())["v"] == 2


async def test_who_was_not_told_that_a_game_became_private_hears_of_no_move_of_it(ann, client):
    g = (await ann.new_game())["g"]
    playing = await ann.watching(g)
    async with Device(str(ann.http.base_url)) as bob:
        await bob.me()
        unknown = await bob.watching(g)
        await client.hset(channel(g), "visibility", "private")  # as its worker wrote it, and nobody published
        answer = await unknown.next()
        assert (answer["t"], answer["code"], answer["g"]) == ("error", "no_such_game", g)
        assert [message["t"] for message in await playing.play(g, 1, THERE)] == ["move"], (
            "and its player notices nothing"
        )
        assert await unknown.ask("ping", n=1) == {"t": "pong", "n": 1}


async def test_a_device_that_was_removed_without_a_word_loses_its_sockets_and_no_other_does(ann, client):
    url = str(ann.http.base_url)
    async with Device(url) as phone:
        await phone.post("/api/links", code=(await ann.post("/api/me/links"))["code"])
        socket, own = await phone.socket(), await ann.socket()
        [lost] = [s["id"] for s in (await ann.get("/api/me/sessions"))["sessions"] if not s["current"]]
        await Players(client, lambda: 0).sign_out((await ann.me())["player"]["id"], lost)  # and nobody published it
        assert await socket.closed() == 4501
        assert await own.ask("ping", n=1) == {"t": "pong", "n": 1}


@pytest.fixture
async def two(store_url, monkeypatch) -> AsyncIterator[tuple[Device, Device]]:
    """Two players, on a server that looks only when it has a reason to."""
    monkeypatch.setattr(backends, "CHECK_EVERY_S", 3600)
    monkeypatch.setattr(backends, "ON_ITS_WAY_S", 0.0)
    async with serving(store_url, TakeOverProtocol) as (url, _), Device(url) as ann, Device(url) as bob:
        for device in (ann, bob):
            await device.me()
        yield ann, bob


async def test_all_that_is_followed_is_checked_after_each_new_connection(two, client):
    ann, bob = two
    g = (await ann.new_game())["g"]
    unknown = await bob.watching(g)
    await client.hset(channel(g), "visibility", "private")  # and nobody published it
    assert await client.client_kill_filter(_type="pubsub"), "or nothing was tried"
    assert (await unknown.next())["code"] == "no_such_game"


async def test_a_removed_device_s_sockets_close_before_anybody_looks(two):
    ann, bob = two
    await bob.post("/api/links", code=(await ann.post("/api/me/links"))["code"])
    socket = await bob.socket()
    [lost] = [s["id"] for s in (await ann.get("/api/me/sessions"))["sessions"] if not s["current"]]
    await ann.http.delete(f"/api/me/sessions/{lost}")
    assert await socket.closed() == 4501


async def test_who_watches_is_told_even_when_the_lists_cannot_be_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(backends, "CHECK_EVERY_S", 3600)
    with storing(tmp_path) as own:
        async with serving(own.url, TakeOverProtocol) as (url, app), Device(url) as ann, Device(url) as bob:
            g = (await ann.new_game())["g"]
            unknown = await bob.watching(g)
            await app.state.backend.client.set("games:public", "no list")
            answer = await ann.http.patch(f"/api/games/{g}", json={"visibility": "private"})
            assert answer.status_code == 500
            assert (await unknown.next())["code"] == "no_such_game"


async def test_a_game_that_becomes_private_while_its_move_is_told_does_not_stay_in_the_list(
    store_url, server, client, monkeypatch
):
    async with serving(store_url, TakeOverProtocol) as (url, app), Device(url) as ann, Device(server.url) as elsewhere:
        g = (await ann.new_game())["g"]
        elsewhere.http.cookies.set("sid", ann.http.cookies["sid"])
        lobby, told = await ann.socket(), app.state.backend.lobby
        await lobby.ask("lobby", on=True)
        await lobby.until("game", g=g, v=1)
        read = told._rows

        async def read_just_before(games):
            rows = await read(games)
            if g in games:
                monkeypatch.undo()
                await elsewhere.patch(f"/api/games/{g}", visibility="private")
            return rows

        monkeypatch.setattr(told, "_rows", read_just_before)
        await (await ann.watching(g)).play(g, 1, THERE)
        await lobby.until("game", g=g, v=2)
        await lobby.until("unlisted", g=g)
        assert await client.zscore("games:public", g) is None
