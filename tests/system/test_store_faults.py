"""A store that goes away, forgets who listens, loses what it published, or is set back to an older copy."""

import asyncio

import pytest
from clients import BACK, GUARD_S, THERE, WIN, Device
from logs import copy_of, set_back
from servers import serving, storing

from simplesimon import store
from simplesimon.eventlog import EventLog, channel
from simplesimon.game import Undone
from simplesimon.history import History

pytestmark = pytest.mark.system


async def history_of(log: EventLog, g: str) -> History:
    opened = await log.open(g)
    history = opened.base
    for entry in opened.entries:
        history = history.then(entry.event, entry.at)
    return history


async def append_in_silence(client, g, event=None):
    """Another worker's event, of which nobody is told."""
    log = EventLog(client)
    before = await history_of(log, g)
    after = before.then(event or Undone(), before.at + 1)
    assert await log.append(g, before, event or Undone(), after, b"")
    return after


async def test_a_store_that_goes_away_is_told_and_all_goes_on_when_it_is_back(tmp_path):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url, "--no-limits") as server:
        async with Device(server.url) as player, Device(server.url) as friend:
            g = (await player.new_game())["g"]
            playing, watching = await player.watching(g), await friend.watching(g)
            [told] = await playing.play(g, 1, THERE)
            assert await watching.next() == told
            own.kill()

            await playing.send("move", g=g, v=2, m=BACK)
            ready, state, again, new, page = await asyncio.gather(
                player.http.get("/health/ready"),
                player.http.get(f"/api/games/{g}"),
                watching.ask("watch", g=g),
                player.http.post("/api/games"),
                player.http.get(f"/games/{g}"),
            )
            for refused in (ready, state, new):
                assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
            assert (again["t"], again["code"], again["g"]) == ("error", "unavailable", g)
            assert (await player.http.get("/health/live")).status_code == 200
            assert page.status_code == 200, "the page says it better"
            assert await playing.ask("ping", n=1) == {"t": "pong", "n": 1}, "nothing was acknowledged"

            own.start()
            answer = await playing.next()
            assert (answer["t"], answer["v"]) == ("move", 3), "the move waited"
            async with asyncio.timeout(GUARD_S):
                while (await player.http.get("/health/ready")).status_code != 200:
                    pass
            assert [message["t"] for message in await watching.watch(g)] == ["state", "synced"]
            later = await playing.play(g, 3, THERE, BACK)
            assert [await watching.next() for _ in later] == later


async def test_spectators_miss_nothing_when_the_store_cuts_the_feed(player, limited, client):
    g = (await player.new_game())["g"]
    playing = await player.watching(g)
    async with Device(limited.url) as friend:
        watching = await friend.watching(g)
        told, killed = [], 0
        for v in range(1, 13):
            if v % 4 == 0:
                killed += await client.client_kill_filter(_type="pubsub")
            told.append(await playing.ask("move", g=g, v=v, m=THERE if v % 2 else BACK))
        assert killed, "or nothing was tried"
        assert [await watching.next() for _ in told] == told


async def test_what_was_published_to_nobody_is_found_with_the_next_diff(player, stranger, client):
    g = (await player.new_game())["g"]
    playing, watching = await player.watching(g), await stranger.watching(g)
    told = await playing.play(g, 1, THERE, BACK)
    await append_in_silence(client, g)
    await append_in_silence(client, g)
    told.append(await playing.ask("move", g=g, v=5, m=WIN[0]))
    heard = [await watching.next() for _ in range(5)]
    assert [message["v"] for message in heard] == [2, 3, 4, 5, 6]
    assert heard[-1]["m"] == WIN[0]


@pytest.mark.parametrize("moves", [[], [THERE]], ids=["before any diff", "after a diff"])
async def test_what_was_published_to_nobody_is_found_by_the_check_of_positions(player, stranger, client, moves):
    g = (await player.new_game())["g"]
    await (await player.socket()).play(g, 1, THERE, BACK)
    playing, watching = await player.watching(g), await stranger.watching(g)
    told = await playing.play(g, 3, *moves)
    assert [await watching.next() for _ in moves] == told
    after = await append_in_silence(client, g)
    assert (await watching.next())["v"] == after.version
    assert (await playing.next())["v"] == after.version


async def test_who_follows_a_game_that_was_set_back_is_told_so(player, stranger, client):
    g = (await player.new_game())["g"]
    playing, watching = await player.watching(g), await stranger.watching(g)
    told = await playing.play(g, 1, THERE)
    copy = await copy_of(client, g)
    told += await playing.play(g, 2, BACK, THERE)
    assert [await watching.next() for _ in range(3)] == told
    await set_back(client, copy)
    for socket, mine in ((playing, True), (watching, False)):
        state = await socket.next()
        assert (state["t"], state["v"], state["c"]) == ("state", 2, told[0]["c"])
        assert (state["set_back"], state["mine"]) == (True, mine)
    [answer] = await playing.play(g, 2, BACK)
    assert await watching.next() == answer


async def test_who_follows_a_game_that_was_set_back_and_played_on_elsewhere_is_told_so(
    player, stranger, limited, client
):
    g = (await player.new_game())["g"]
    playing, watching = await player.watching(g), await stranger.watching(g)
    told = await playing.play(g, 1, THERE)
    copy = await copy_of(client, g)
    told += await playing.play(g, 2, BACK, THERE)
    assert [await watching.next() for _ in range(3)] == told
    async with Device(limited.url) as elsewhere:
        elsewhere.http.cookies = player.http.cookies
        socket = await elsewhere.socket()
        await set_back(client, copy)
        *_, last = await socket.play(g, 2, BACK, THERE, BACK)
    for follower in (playing, watching):
        state = await follower.next()
        assert (state["t"], state.get("set_back")) == ("state", True), "no diff leads on from what it had"
        heard = [state]
        while (heard[-1]["v"], heard[-1]["c"]) != (5, last["c"]):
            heard.append(await follower.next())
    [answer] = await playing.play(g, 5, THERE)
    assert await watching.next() == answer


async def test_a_game_that_is_gone_from_the_store_ends_for_who_follows_it(player, stranger, client):
    g = (await player.new_game())["g"]
    playing, watching = await player.watching(g), await stranger.watching(g)
    [told] = await playing.play(g, 1, THERE)
    assert await watching.next() == told
    await client.delete(*await copy_of(client, g))
    for socket in (playing, watching):
        answer = await socket.next()
        assert (answer["t"], answer["code"], answer["g"]) == ("error", "no_such_game", g)


async def test_a_damaged_game_is_named_and_others_live(player, limited, client):
    damaged, sound = [(await player.new_game())["g"] for _ in range(2)]
    playing = await player.watching(damaged)
    await playing.play(damaged, 1, THERE, BACK)
    entries = await client.xrange(f"{channel(damaged)}:log")
    await client.xdel(f"{channel(damaged)}:log", entries[1][0])
    async with Device(limited.url) as friend:
        refused = await friend.http.get(f"/api/games/{damaged}")
        assert (refused.status_code, refused.json()["code"]) == (500, "damaged")
        socket = await friend.watching(sound)
        answer = await socket.ask("watch", g=damaged)
        assert (answer["t"], answer["code"], answer["g"]) == ("error", "damaged", damaged)
        assert damaged not in [row["g"] for row in (await friend.get("/api/games"))["games"]]
        [told] = await playing.play(sound, 1, THERE)
        assert await socket.next() == told
    await client.delete(*await copy_of(client, damaged))


async def test_a_store_that_forgets_its_scripts_goes_on(player, client):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    for v in range(1, 5):
        await client.script_flush()
        assert (await socket.ask("move", g=g, v=v, m=THERE if v % 2 else BACK))["v"] == v + 1


async def test_a_full_store_takes_the_move_when_it_has_room_again(player, client):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    refusals = int((await client.info("errorstats")).get("errorstat_OOM", {}).get("count", 0))
    await client.config_set("maxmemory", 1)
    try:
        await socket.send("move", g=g, v=1, m=THERE)
        while int((await client.info("errorstats")).get("errorstat_OOM", {}).get("count", 0)) == refusals:
            pass
        assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}, "nothing was acknowledged"
    finally:
        await client.config_set("maxmemory", 0)
    assert (await socket.next())["v"] == 2


async def test_a_worker_that_starts_on_a_store_of_a_weaker_kind_says_so(tmp_path):
    with storing(tmp_path) as own, serving(tmp_path / "words", "--redis-url", own.url) as server:
        async with Device(server.url) as device, store.connect(own.url) as client:
            assert (await device.get("/health/ready"))["durability"] == "fsync"
            await client.config_set("appendfsync", "everysec")
            assert (await device.get("/health/ready"))["durability"] == "second"
            await client.config_set("appendfsync", "no")
            assert (await device.get("/health/ready"))["durability"] == "none"
            await client.config_set("appendonly", "no")
            assert (await device.get("/health/ready"))["durability"] == "none"
            await client.config_set("maxmemory-policy", "allkeys-lru")
        assert server.words == ""
        with serving(tmp_path / "more words", "--redis-url", own.url) as again:
            assert ["durability: none" in line or "allkeys-lru" in line for line in again.words.splitlines()] == [
                True
            ] * 2
