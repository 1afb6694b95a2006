"""What a bad hand changed in the store: the game is refused by name wherever one asks, and all others live."""

import pytest
from clients import BACK, THERE, Device
from logs import copy_of, of_another_kind

from simplesimon.eventlog import channel

pytestmark = pytest.mark.system


DAMAGES = {
    "the log is no stream": lambda client, g: of_another_kind(client, f"{channel(g)}:log"),
    "the log is gone": lambda client, g: client.delete(f"{channel(g)}:log"),
    "the game is no hash": lambda client, g: of_another_kind(client, channel(g)),
    "no version": lambda client, g: client.hdel(channel(g), "v"),
    "a version that is no number": lambda client, g: client.hset(channel(g), "v", "x"),
    "no chain value": lambda client, g: client.hdel(channel(g), "chain"),
    "another chain value": lambda client, g: client.hset(channel(g), "chain", "x"),
    "nobody's": lambda client, g: client.hdel(channel(g), "by"),
    "a player who is no text": lambda client, g: client.hset(channel(g), "by", b"\xff"),
    "no visibility": lambda client, g: client.hdel(channel(g), "visibility"),
    "a visibility that is none": lambda client, g: client.hset(channel(g), "visibility", "x"),
    "an origin that is none": lambda client, g: client.hset(channel(g), "from", b"x y \xff"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_a_game_is_refused_by_name_and_others_live(player, limited, client, damage):
    damaged, sound = [(await player.new_game())["g"] for _ in range(2)]
    playing = await player.watching(damaged)
    await playing.play(damaged, 1, THERE)
    async with Device(limited.url) as friend:
        watching = await friend.watching(sound)
        await damage(client, damaged)
        for path in (f"/api/games/{damaged}", f"/api/games/{damaged}/log"):
            refused = await friend.http.get(path)
            assert (refused.status_code, refused.json()["code"]) == (500, "damaged")
        answer = await watching.ask("watch", g=damaged)
        assert (answer["t"], answer["code"], answer["g"]) == ("error", "damaged", damaged)
        rows = [row["g"] for row in (await friend.get("/api/games"))["games"]]
        assert sound in rows
        assert damaged not in rows
        [told] = await (await player.watching(sound)).play(sound, 1, THERE)
        assert await watching.next() == told
        answer = await playing.ask("move", g=damaged, v=2, m=BACK)
        # who has the game at hand need not read what is beside its log
        assert answer.get("code") == "damaged" or (answer["t"], answer["v"]) == ("move", 3)
    await client.delete(*await copy_of(client, damaged))


async def test_spectators_who_cannot_be_counted_harm_nobody(player, stranger, client):
    games = [(await player.new_game())["g"] for _ in range(2)]
    await client.set(f"{channel(games[0])}:watching", "nonsense")
    playing, watching = await player.socket(), await stranger.socket()
    for g in games:
        await playing.watch(g)
        await watching.watch(g)
        [told] = await playing.play(g, 1, THERE)
        assert await watching.next() == told
    await playing.until("watching", g=games[1], n=1)
    assert {*games} <= {row["g"] for row in (await player.get("/api/games"))["games"]}
    await client.delete(f"{channel(games[0])}:watching")


async def test_lists_with_what_was_never_written_leave_it_out(player, client):
    me, g = (await player.me())["player"]["id"], (await player.new_game())["g"]
    await client.zadd("games:public", {b"\xff": 2**52})
    await client.zadd(f"player:{me}:games", {b"\xff": 2**52})
    await client.sadd(f"player:{me}:sessions", b"\xff")
    await client.hset(f"player:{me}", "suits", b"\xff")
    for path in ("/api/games", "/api/me/games"):
        assert g in [row["g"] for row in (await player.get(path))["games"]]
    assert len((await player.get("/api/me/sessions"))["sessions"]) == 1
    assert (await player.post("/api/games"))["suits"] == 1
    await client.zrem("games:public", b"\xff")
