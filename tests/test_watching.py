"""Who watches: counted over all servers, without the player's own devices, told at most once a second."""

from clients import THERE, Device


async def test_spectators_are_counted_and_told_to_everybody_who_follows(player, stranger):
    g = (await player.new_game())["g"]
    playing = await player.watching(g)
    async with Device(str(stranger.http.base_url)) as friend:
        await friend.watching(g)
        assert (await playing.until("watching"))[-1] == {"t": "watching", "g": g, "n": 1}
        watching = await stranger.watching(g)
        assert (await watching.until("watching", n=2))[-1] == {"t": "watching", "g": g, "n": 2}
        await playing.until("watching", n=2)
        assert (await stranger.get(f"/api/games/{g}"))["watching"] == 2
    assert (await playing.until("watching"))[-1]["n"] == 1
    await watching.send("leave", g=g)
    assert (await playing.until("watching"))[-1]["n"] == 0


async def test_the_player_s_own_devices_do_not_count(player, stranger):
    g = (await player.new_game())["g"]
    first, second = await player.watching(g), await player.watching(g)
    await stranger.watching(g)
    assert (await first.until("watching"))[-1]["n"] == 1
    assert (await second.until("watching"))[-1]["n"] == 1


async def test_a_socket_that_watches_a_game_twice_is_one_spectator(player, stranger):
    g = (await player.new_game())["g"]
    playing = await player.watching(g)
    socket = await stranger.watching(g)
    await socket.watch(g)
    assert (await playing.until("watching"))[-1]["n"] == 1


async def test_spectators_on_two_servers_are_added_up(player, limited):
    g = (await player.new_game())["g"]
    playing = await player.watching(g)
    async with Device(limited.url) as there, Device(str(player.http.base_url)) as here:
        far = await there.watching(g)
        near = await here.watching(g)
        for socket in (playing, near, far):
            await socket.until("watching", n=2)
        assert (await there.get(f"/api/games/{g}"))["watching"] == 2
        row = next(row for row in (await there.get("/api/games"))["games"] if row["g"] == g)
        assert row["watching"] == 2


async def test_who_comes_while_somebody_watches_elsewhere_is_told_when_they_go(player, limited):
    g = (await player.new_game())["g"]
    async with Device(limited.url) as there:
        far = await there.watching(g)
        await far.until("watching", n=1)
        playing = await player.socket()
        assert (await playing.watch(g))[0]["watching"] == 1
        await playing.play(g, 1, THERE)
        assert (await playing.ask("restart", g=g, v=2))["watching"] == 1
        await far.send("leave", g=g)
        await playing.until("watching", n=0)


async def test_a_quiet_follower_sees_every_move_and_is_not_counted(player, stranger):
    g = (await player.new_game())["g"]
    playing, table = await player.watching(g), await stranger.socket()
    assert [message["t"] for message in await table.watch(g, quiet=True)] == ["state", "synced"]
    spectator = await stranger.watching(g)
    await playing.until("watching", n=1)
    await playing.play(g, 1, THERE)
    assert (await table.until("move", g=g))[-1]["v"] == 2
    await spectator.send("leave", g=g)
    await playing.until("watching", n=0)
    assert (await stranger.get(f"/api/games/{g}"))["watching"] == 0
