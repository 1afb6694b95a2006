"""Following a game: every version once, in order, from the state or from what one has; leaving, and coming back."""

import asyncio

import pytest
from clients import BACK, COLUMNS, THERE, WIN, Device
from logs import new_id, write
from stories import SORTED, to_and_fro

from simplesimon.eventlog import EventLog


async def played(player, moves=(THERE, BACK, THERE, BACK)):
    """A game, the player's socket, and the versions that were told of it."""
    state = await player.new_game()
    socket = await player.watching(state["g"])
    return state["g"], socket, [state, *await socket.play(state["g"], 1, *moves)]


async def test_a_spectator_gets_the_state_then_every_diff_as_the_player_does(player, stranger):
    g, playing, _ = await played(player)
    socket = await stranger.socket()
    state, synced = await socket.watch(g)
    assert (state["t"], state["v"], state["mine"]) == ("state", 5, False)
    assert synced == {"t": "synced", "g": g, "v": 5}
    assert list(synced) == ["t", "g", "v"]
    await playing.send("move", g=g, v=5, m=WIN[0])
    await playing.send("undo", g=g, v=6)
    await playing.send("restart", g=g, v=7)
    for expected in [await playing.next() for _ in range(3)]:
        assert await socket.next() == expected | ({"mine": False} if expected["t"] == "state" else {})


async def test_a_spectator_hears_of_a_refusal_or_a_stale_command_nothing(player, stranger):
    g, playing, _ = await played(player)
    socket = await stranger.watching(g)
    assert (await playing.ask("move", g=g, v=5, m=[0, 2, 1]))["t"] == "refused"
    assert (await playing.ask("undo", g=g, v=1))["t"] == "stale"
    await playing.play(g, 5, THERE)
    assert (await socket.next())["v"] == 6


async def test_since_a_version_brings_only_what_came_after_as_it_was_told(player, stranger):
    g, _, told = await played(player)
    socket = await stranger.socket()
    for since in (1, 3, 4):
        assert await socket.watch(g, since=since, c=told[since - 1]["c"]) == [
            *told[since:],
            {"t": "synced", "g": g, "v": 5},
        ]
    assert await socket.watch(g, since=2) == [*told[2:], {"t": "synced", "g": g, "v": 5}]
    assert await socket.watch(g, since=5, c=told[4]["c"]) == [{"t": "synced", "g": g, "v": 5}]
    assert await socket.watch(g, since=5) == [{"t": "synced", "g": g, "v": 5}]


async def test_since_brings_what_a_restart_and_its_undo_told(player, stranger):
    g, playing, _ = await played(player)
    told = [
        await playing.ask("restart", g=g, v=5),
        await playing.ask("undo", g=g, v=6),
        await playing.ask("redo", g=g, v=7),
    ]
    mine = await (await player.socket()).watch(g, since=5)
    assert [message | {"watching": 0} for message in mine[:-1]] == told
    theirs = await (await stranger.socket()).watch(g, since=5)
    assert [message["mine"] for message in theirs[:-1]] == [False] * 3


@pytest.mark.parametrize(
    "since", [{"since": 6}, {"since": 10**12}, {"since": 3, "c": "00000000"}, {"since": 5, "c": "ffffffff"}]
)
async def test_a_version_that_is_not_of_this_history_brings_the_state_and_says_so(player, stranger, since):
    g, _, told = await played(player)
    state, synced = await (await stranger.socket()).watch(g, **since)
    assert (state["t"], state["v"], state["c"], state["set_back"]) == ("state", 5, told[4]["c"], True)
    assert synced == {"t": "synced", "g": g, "v": 5}


async def test_a_state_that_was_not_set_back_does_not_say_so(player):
    g, socket, _ = await played(player)
    assert "set_back" not in (await socket.watch(g))[0]
    assert "set_back" not in await player.get(f"/api/games/{g}")


async def test_who_is_more_than_256_versions_behind_gets_one_state(player, stranger):
    moves = [[move.move.source, move.move.count, move.move.target] for move in to_and_fro(258)]
    g, playing, told = await played(player, moves)
    socket = await stranger.socket()
    state, synced = await socket.watch(g, since=2)
    assert (state["t"], state["v"], synced["v"]) == ("state", 259, 259)
    assert "set_back" not in state
    assert await socket.watch(g, since=3, c=told[2]["c"]) == [*told[3:], {"t": "synced", "g": g, "v": 259}]
    assert (await socket.watch(g, since=1, c=told[0]["c"]))[0]["t"] == "state"
    await playing.play(g, 259, BACK)
    assert (await socket.next())["v"] == 260


async def test_who_left_hears_nothing_more_and_may_come_back(player, stranger):
    g, playing, told = await played(player)
    socket = await stranger.watching(g)
    await socket.send("leave", g=g)
    assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}
    told += await playing.play(g, 5, THERE, BACK)
    assert await socket.ask("ping", n=2) == {"t": "pong", "n": 2}
    assert await socket.watch(g, since=5, c=told[4]["c"]) == [*told[5:], {"t": "synced", "g": g, "v": 7}]
    await playing.play(g, 7, THERE)
    assert (await socket.next())["v"] == 8


async def test_leaving_what_nobody_follows_is_nothing(stranger):
    socket = await stranger.socket()
    await socket.send("leave", g="AAAAAAAAAAAA")
    await socket.send("leave", g="🂡")
    assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}


async def test_one_socket_follows_many_games_each_in_its_own_order(player, stranger):
    games = [(await player.new_game())["g"] for _ in range(3)]
    socket, playing = await stranger.socket(), await player.socket()
    for g in games:
        await socket.watch(g)
    for v, move in enumerate([THERE, BACK], 1):
        for g in games:
            await playing.ask("move", g=g, v=v, m=move)
    heard = [await socket.next() for _ in range(6)]
    for g in games:
        assert [message["v"] for message in heard if message["g"] == g] == [2, 3]


async def test_to_watch_again_begins_again_and_every_diff_comes_once(player, stranger):
    g, playing, _ = await played(player)
    socket = await stranger.watching(g)
    assert [message["t"] for message in await socket.watch(g)] == ["state", "synced"]
    await playing.play(g, 5, THERE, BACK)
    assert [(await socket.next())["v"] for _ in range(2)] == [6, 7]


async def test_nothing_is_missed_or_doubled_between_the_state_and_the_diffs(player, stranger):
    g, playing, _ = await played(player, ())
    sockets = [await stranger.socket() for _ in range(8)]
    for first, socket in zip(range(1, 41, 5), sockets, strict=True):
        for v in range(first, first + 5):
            await playing.send("move", g=g, v=v, m=THERE if v % 2 else BACK)
        await socket.send("watch", g=g)
        assert [(await playing.next())["v"] for _ in range(5)] == list(range(first + 1, first + 6))
    for socket in sockets:
        state = await socket.next()
        versions = [state["v"]]
        while versions[-1] < 41:
            message = await socket.next()
            if message["t"] == "move":
                versions.append(message["v"])
        assert versions == list(range(state["v"], 42))


async def test_a_private_game_cannot_be_watched_by_others(player, stranger):
    g = (await player.new_game(columns=COLUMNS, visibility="private"))["g"]
    socket = await stranger.socket()
    for none in (g, "AAAAAAAAAAAA", "x", "*" * 12):
        for since in ({}, {"since": 1}, {"since": 99}):
            answer = await socket.ask("watch", g=none, **since)
            assert answer == {
                "t": "error",
                "code": "no_such_game",
                "detail": f"there is no game {none!r}",
                "g": none,
            }
    assert (await player.watching(g)).connection


async def test_who_watches_a_game_that_becomes_private_is_told_that_there_is_none(player, stranger, limited):
    g, playing, _ = await played(player)
    async with Device(limited.url) as far:
        sockets = [await stranger.watching(g), await far.watching(g)]
        await player.patch(f"/api/games/{g}", visibility="private")
        for socket in sockets:
            answer = await socket.next()
            assert (answer["t"], answer["code"], answer["g"]) == ("error", "no_such_game", g)
        assert (await playing.until("state"))[-1]["visibility"] == "private"
        await playing.play(g, 5, THERE)
        for n, socket in enumerate(sockets):
            assert await socket.ask("ping", n=n) == {"t": "pong", "n": n}


async def test_an_unlisted_game_can_be_watched(player, stranger):
    g = (await player.new_game(columns=COLUMNS, visibility="unlisted"))["g"]
    assert (await stranger.watching(g)).connection


async def test_one_socket_follows_two_hundred_games_at_most(stranger, client):
    games = [new_id() for _ in range(201)]
    await asyncio.gather(*[write(EventLog(client), g, [SORTED]) for g in games])
    socket = await stranger.socket()
    for g in games[:200]:
        await socket.send("watch", g=g)
    assert {(await socket.next())["t"] for _ in range(400)} == {"state", "synced"}
    answer = await socket.ask("watch", g=games[200])
    assert (answer["t"], answer["code"], answer["g"]) == ("error", "too_fast", games[200])
    await socket.send("leave", g=games[0])
    assert [message["t"] for message in await socket.watch(games[200])] == ["state", "synced"]


async def test_a_command_right_behind_a_watch_is_answered_by_its_diff(player):
    for _ in range(5):
        game = (await player.new_game())["g"]
        socket = await player.socket()
        await socket.send("watch", g=game)
        await socket.send("move", g=game, v=1, m=THERE)
        heard = await socket.until("move", v=2)
        assert [(m["t"], m["v"]) for m in heard if m["t"] != "watching"] == [("state", 1), ("synced", 1), ("move", 2)]
