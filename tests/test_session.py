"""One socket's conversation: hello, commands and their answers, who may say what."""

import asyncio
import json

import pytest
from clients import BACK, COLUMNS, GUARD_S, SUBPROTOCOL, THERE, WIN, Device
from inside import serving
from websockets.exceptions import InvalidStatus

from simplesimon import session
from simplesimon.transport import TakeOverProtocol


async def refused_socket(device, **how):
    with pytest.raises(InvalidStatus) as refused:
        await device.connect(**how)
    response = refused.value.response
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, json.loads(response.body)["code"]


async def test_hello_is_the_first_frame_of_every_connection(player, stranger):
    signed_in, nobody = await player.connect(), await stranger.connect()
    assert await signed_in.hear() == {"t": "hello", "player": (await player.me())["player"]}
    assert await nobody.connection.recv() == '{"t":"hello","player":null}'
    assert signed_in.connection.subprotocol == SUBPROTOCOL


async def test_the_subprotocol_may_be_left_out_but_not_be_another(player):
    plain = await player.connect(subprotocols=None)
    assert ((await plain.hear())["t"], plain.connection.subprotocol) == ("hello", None)
    both = await player.connect(subprotocols=["other.v9", SUBPROTOCOL])
    assert both.connection.subprotocol == SUBPROTOCOL
    assert await refused_socket(player, subprotocols=["simplesimon.v2"]) == (400, "bad_message")


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://[", "", "http://127.0.0.1"])
async def test_a_page_of_another_site_gets_no_socket(player, origin):
    assert await refused_socket(player, headers={"Origin": origin}) == (403, "bad_origin")


async def test_our_own_page_gets_a_socket(player):
    socket = await player.connect(headers={"Origin": str(player.http.base_url)})
    assert (await socket.hear())["t"] == "hello"


async def test_a_command_is_answered_by_its_diff_without_spaces_in_order(player):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    await socket.send("move", g=g, v=1, m=WIN[0])
    text = await socket.connection.recv()
    diff = json.loads(text)
    assert list(diff) == ["t", "g", "v", "m", "score", "moves", "c", "off"]
    assert text == json.dumps(diff, separators=(",", ":"))
    assert diff | {"c": ""} == {"t": "move", "g": g, "v": 2, "m": WIN[0], "score": 599, "moves": 1, "c": "", "off": "S"}
    plain = await socket.ask("move", g=g, v=2, m=[9, 1, 1])
    assert (list(plain), plain["score"]) == (["t", "g", "v", "m", "score", "moves", "c"], 598)


async def test_undo_and_redo_tell_the_move_and_restart_tells_the_state(player):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    await socket.play(g, 1, WIN[0])
    undone = await socket.ask("undo", g=g, v=2)
    assert (undone["t"], undone["v"], undone["m"], undone["off"]) == ("undo", 3, WIN[0], "S")
    assert (undone["score"], undone["moves"]) == (500, 0)
    redone = await socket.ask("redo", g=g, v=3)
    assert (redone["t"], redone["v"], redone["m"], redone["off"], redone["score"]) == ("redo", 4, WIN[0], "S", 599)
    restarted = await socket.ask("restart", g=g, v=4)
    assert (restarted["t"], restarted["v"], restarted["mine"], restarted["columns"]) == ("state", 5, True, COLUMNS)
    assert (restarted["score"], restarted["moves"], restarted["undo"], restarted["off"]) == (500, 0, 2, [])
    back = await socket.ask("undo", g=g, v=5)
    assert (back["t"], back["v"], back["score"], back["off"], back["redo"]) == ("state", 6, 599, ["S"], 1)
    again = await socket.ask("redo", g=g, v=6)
    assert (again["t"], again["v"], again["columns"]) == ("state", 7, COLUMNS)
    assert await player.get(f"/api/games/{g}") == again


async def test_the_rules_refuse_by_name_and_nothing_changes(player):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    assert await socket.ask("move", g=g, v=1, m=[0, 1, 9]) == {
        "t": "refused",
        "g": g,
        "v": 1,
        "rule": "wrong_rank",
        "m": [0, 1, 9],
    }
    assert await socket.ask("undo", g=g, v=1) == {"t": "refused", "g": g, "v": 1, "rule": "nothing_to_undo"}
    assert (await socket.ask("redo", g=g, v=1))["rule"] == "nothing_to_redo"
    for move, rule in [
        ([10, 1, 0], "no_such_column"),
        ([0, 1, -1], "no_such_column"),
        ([0, 1, 0], "same_column"),
        ([0, -1, 1], "no_such_cards"),
        ([0, 0, 1], "no_such_cards"),
        ([9, 2, 0], "no_such_cards"),
        ([0, 10**30, 1], "no_such_cards"),
    ]:
        assert (await socket.ask("move", g=g, v=1, m=move))["rule"] == rule
    assert (await player.get(f"/api/games/{g}"))["v"] == 1


async def test_a_won_game_takes_no_more_actions(player):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    won = await socket.play(g, 1, *WIN)
    assert (won[-1]["score"], won[-1]["off"]) == (894, "D")
    for kind in ("undo", "redo", "restart"):
        assert (await socket.ask(kind, g=g, v=7))["rule"] == "game_over"
    assert (await player.get(f"/api/games/{g}"))["won"]


async def test_commands_without_a_watch_are_answered_all_the_same(player):
    g = (await player.new_game())["g"]
    socket = await player.socket()
    assert (await socket.ask("move", g=g, v=1, m=THERE))["v"] == 2
    assert (await socket.ask("move", g=g, v=2, m=[0, 2, 1]))["rule"] == "mixed_suits"
    assert await socket.ask("undo", g=g, v=1) == {"t": "stale", "g": g, "v": 2}
    restarted = await socket.ask("restart", g=g, v=2)
    assert (restarted["t"], restarted["v"], restarted["mine"]) == ("state", 3, True)


async def test_a_command_to_somebody_else_s_game_or_to_none(player, stranger):
    g = (await player.new_game())["g"]
    private = (await player.new_game(columns=COLUMNS, visibility="private"))["g"]
    for device in (stranger, await signed_in(stranger)):
        socket = await device.socket()
        for kind, fields in [("move", {"m": THERE}), ("undo", {}), ("redo", {}), ("restart", {})]:
            answer = await socket.ask(kind, g=g, v=1, **fields)
            assert (answer["t"], answer["code"], answer["g"]) == ("error", "not_your_game", g)
            for none in (private, "AAAAAAAAAAAA", "x", "*" * 12, "🂡"):
                answer = await socket.ask(kind, g=none, v=1, **fields)
                assert (answer["t"], answer["code"], answer["g"]) == ("error", "no_such_game", none)
    assert (await player.get(f"/api/games/{g}"))["v"] == 1


async def signed_in(device):
    await device.me()
    return device


async def test_an_old_version_is_stale_and_what_was_missed_comes_first(player):
    g = (await player.new_game())["g"]
    one, other = await player.watching(g), await player.watching(g)
    await one.play(g, 1, THERE, BACK)
    await other.send("move", g=g, v=1, m=THERE)
    assert [(m["t"], m["v"]) for m in [await other.next() for _ in range(3)]] == [
        ("move", 2),
        ("move", 3),
        ("stale", 3),
    ]
    assert await one.ask("move", g=g, v=9, m=THERE) == {"t": "stale", "g": g, "v": 3}
    assert await one.ask("undo", g=g, v=-1) == {"t": "stale", "g": g, "v": 3}
    assert await one.ask("restart", g=g, v=2**62) == {"t": "stale", "g": g, "v": 3}


async def test_two_devices_that_race_for_a_version_make_one_move(player, limited):
    g = (await player.new_game())["g"]
    async with Device(limited.url) as other:
        other.http.cookies.set("sid", player.http.cookies["sid"])
        sockets = [await player.watching(g), await other.watching(g)]
        for v in range(1, 11):
            move = THERE if v % 2 else BACK
            await asyncio.gather(*[socket.send("move", g=g, v=v, m=move) for socket in sockets])
            heard = [[await socket.next()] for socket in sockets]
            assert [m["v"] for [m] in heard] == [v + 1, v + 1], "both hear the one diff"
            assert await one_of(sockets) == {"t": "stale", "g": g, "v": v + 1}
    log = await player.get(f"/api/games/{g}/log")
    assert [event["v"] for event in log["events"]] == list(range(1, 12))


async def one_of(sockets):
    """What the first of them hears."""
    hearing = [asyncio.create_task(socket.next()) for socket in sockets]
    [heard], others = await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    return heard.result()


async def test_commands_that_build_on_each_other_can_be_sent_at_once(player, stranger):
    g = (await player.new_game())["g"]
    socket, spectator = await player.watching(g), await stranger.watching(g)
    for v, move in enumerate(WIN, 1):
        await socket.send("move", g=g, v=v, m=move)
    for follower in (socket, spectator):
        diffs = [await follower.next() for _ in WIN]
        assert [(diff["t"], diff["v"], diff["m"]) for diff in diffs] == [("move", v, m) for v, m in enumerate(WIN, 2)]


async def test_ten_undos_at_once_are_done_one_after_another(player):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    await socket.play(g, 1, *[THERE, BACK] * 5)
    for v in range(11, 21):
        await socket.send("undo", g=g, v=v)
    undone = [await socket.next() for _ in range(10)]
    assert [(diff["t"], diff["v"], diff["moves"]) for diff in undone] == [
        ("undo", v, moves) for v, moves in zip(range(12, 22), range(9, -1, -1), strict=True)
    ]


async def test_a_command_sent_again_after_a_lost_connection_is_done_once(player):
    g = (await player.new_game())["g"]
    lost = await player.socket()
    await lost.send("move", g=g, v=1, m=THERE)
    lost.connection.transport.abort()
    socket = await player.watching(g)
    answer = await socket.ask("move", g=g, v=1, m=THERE)
    assert (answer["t"], answer["v"]) in [("move", 2), ("stale", 2)]
    assert (await player.get(f"/api/games/{g}"))["v"] == 2


async def test_a_game_that_is_gone_back_to_is_the_current_one_again(store_url, monkeypatch):
    monkeypatch.setattr(session, "REMEMBER_EVERY_MS", 1)
    async with serving(store_url, TakeOverProtocol) as (url, app), Device(url) as player:
        first = (await player.new_game())["g"]
        socket = await player.watching(first)
        await socket.play(first, 1, THERE)
        await app.state.backend.in_hand.wait(GUARD_S)
        second = (await player.new_game())["g"]
        assert (await player.me())["current"] == second
        await socket.play(first, 2, BACK)
        await app.state.backend.in_hand.wait(GUARD_S)
        assert (await player.me())["current"] == first
