"""Take it with you, over HTTP: a game goes out as a file, comes back as a game of one's own, and is the same."""

import asyncio
import json

import pytest
from clients import BACK, COLUMNS, THERE, WIN, Device
from logs import new_id, write
from stories import SORTED, to_and_fro

from simplesimon.eventlog import EventLog
from simplesimon.game import Restarted, Undone


async def played(device, *moves, **wanted):
    """The id of a game of COLUMNS in which these moves were made."""
    g = (await device.new_game(columns=COLUMNS, **wanted))["g"]
    await (await device.watching(g)).play(g, 1, *moves)
    return g


async def file_of(device, g):
    return (await device.http.get(f"/api/games/{g}/file")).content


async def problem(device, body):
    answer = await device.http.post("/api/games", json=body)
    assert answer.status_code == 400, answer.text
    return answer.json()["code"], answer.json()["detail"]


async def test_a_game_that_was_taken_along_comes_back_the_same(player, stranger):
    g = await played(player, *WIN)
    content = await file_of(player, g)
    state = await stranger.post("/api/games", file=json.loads(content))
    original = await player.get(f"/api/games/{g}")
    assert (state["mine"], state["g"] != g, state["visibility"]) == (True, True, "public")
    for name in ("v", "c", "columns", "off", "score", "moves", "undo", "redo", "won", "at", "code"):
        assert state[name] == original[name], name
    assert await file_of(stranger, state["g"]) == content
    again = await stranger.post("/api/games", file=json.loads(await file_of(stranger, state["g"])))
    assert await file_of(player, again["g"]) == content


async def test_a_game_that_came_back_is_played_on(player):
    file = json.loads(await file_of(player, await played(player, THERE)))
    state = await player.post("/api/games", file=file, visibility="private")
    assert state["visibility"] == "private"
    socket = await player.watching(state["g"])
    [told] = await socket.play(state["g"], 2, BACK)
    assert (told["t"], told["v"], told["moves"]) == ("move", 3, 2)
    assert (await player.get("/api/me/games"))["games"][0]["g"] == state["g"]
    assert (await player.me())["current"] == state["g"]


async def test_a_game_of_20000_events_goes_out_and_comes_back(client, player):
    g = new_id()
    await write(EventLog(client), g, [SORTED, *[Restarted(), Undone()] * 9_000, *to_and_fro(2_000)])
    content = await file_of(player, g)
    state = await player.post("/api/games", file=json.loads(content))
    assert (state["v"], state["moves"], state["undo"]) == (20_001, 2_000, 100)
    assert await file_of(player, state["g"]) == content
    text = await player.http.get(f"/api/games/{g}/text")
    assert "-1500 points, 2000 moves, not finished" in text.text


async def test_long_games_are_checked_at_a_measured_pace(limited):
    """A second of work is no price for a request; short ones are free."""
    async with Device(limited.url) as device:
        g = await played(device, THERE)
        long = ["1 1 deal SS1-S1-AAAAABD", *[f"{v} 1 undo" for v in range(2, 1003)]]  # refused at once, but counted
        file = {"simplesimon": 1, "code": "SS1-S1-AAAAABD", "columns": [], "events": long, "chain": ""}
        answers = await asyncio.gather(*[device.http.post("/api/games", json={"file": file}) for _ in range(30)])
        assert {answer.json()["code"] for answer in answers} == {"bad_file", "too_fast"}
        for _ in range(12):
            assert (await device.http.get(f"/api/games/{g}/text?since=1")).status_code == 200


async def test_long_games_are_read_at_a_measured_pace_too(limited, client):
    g = new_id()
    await write(EventLog(client), g, [SORTED, *[Restarted(), Undone()] * 510])
    ways = [("GET", f"/api/games/{g}/{end}") for end in ("log", "log?since=1", "file", "text")]
    for number, (method, path) in enumerate([*ways, ("POST", "/api/games")]):
        wanted = {"from": {"g": g, "v": 1}} if method == "POST" else None
        async with Device(limited.url, **{"X-Forwarded-For": f"203.0.113.{100 + number}"}) as device:
            asked = [device.http.request(method, path, json=wanted) for _ in range(30)]
            answers = await asyncio.gather(*asked)
            assert {answer.status_code for answer in answers} == {201 if wanted else 200, 429}, path
            assert {answer.json()["code"] for answer in answers if answer.status_code == 429} == {"too_fast"}
            for _ in range(12):  # the end of a long one is free
                later = await device.get(f"/api/games/{g}/log", since=1018)
                assert [event["v"] for event in later["events"]] == [1019, 1020, 1021]


async def test_the_event_that_is_wrong_is_named_and_nobody_becomes_a_player(player, stranger):
    file = json.loads(await file_of(player, await played(player, THERE, BACK)))
    wrong = {**file, "events": [*file["events"][:2], file["events"][2].replace("move 0 1 9", "move 0 2 9")]}
    answer = await stranger.http.post("/api/games", json={"file": wrong})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_file")
    assert answer.json()["detail"].startswith("event 3 ('3 ")
    assert "set-cookie" not in answer.headers


async def test_what_cannot_be_a_game_is_told(player):
    file = json.loads(await file_of(player, await played(player, THERE)))
    _, at, *rest = file["events"][1].split(" ")
    later = " ".join(["2", str(int(at) + 3_600_000), *rest])
    assert await problem(player, {"file": {**file, "events": [file["events"][0], later]}}) == (
        "bad_file",
        f"event 2 ({later!r}) cannot be: it is said to happen in the future",
    )
    assert "chain value" in (await problem(player, {"file": {**file, "chain": "0" * 64}}))[1]
    assert (await problem(player, {"file": {**file, "by": "me"}}))[0] == "bad_message"
    assert (await problem(player, {"file": file, "suits": 4}))[0] == "bad_message"
    much = {**file, "events": ["x" * 1000] * 3000}
    assert await problem(player, {"file": much}) == ("bad_message", "the body is larger than 2097152 bytes")


async def test_the_files_have_names_and_who_may_not_watch_gets_none(player, stranger):
    g = await played(player, THERE, visibility="private")
    for path, kind, name in [
        ("file", "application/json", "simple-simon-deal-v2.json"),
        ("text", "text/plain; charset=utf-8", "simple-simon-deal-v2.txt"),
    ]:
        answer = await player.http.get(f"/api/games/{g}/{path}")
        assert answer.headers["content-type"] == kind
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert answer.headers["cache-control"] == "no-store"
        refused = await stranger.http.get(f"/api/games/{g}/{path}")
        none = await stranger.http.get(f"/api/games/{g[::-1]}/{path}")
        assert refused.status_code == none.status_code == 404
        assert refused.text.replace(g, "") == none.text.replace(g[::-1], "")


@pytest.mark.parametrize(("language", "word"), [("el-GR,el;q=0.9", "κίνηση"), ("de", "move")])
async def test_a_game_is_written_out_in_the_language_of_who_reads(server, player, language, word):
    g = await played(player, THERE)
    async with Device(server.url, **{"Accept-Language": language}) as reader:
        text = (await reader.http.get(f"/api/games/{g}/text")).text
    assert f", 1 {word}, " in text
    assert "10 → 1   5H" in text
