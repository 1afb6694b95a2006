"""How a deal went for everybody: its won public games in order, page by page; closed to who has one of it under way."""

import asyncio
import json

import pytest
from clients import GUARD_S, Device, triple
from servers import serving
from stories import CODE, CODED_WIN, LONGER_WIN

from simplesimon.results import played_ms
from simplesimon.rules.deal import deal_from_code

ROW = "g v code suits by score moves off won watching at columns time".split()


async def play(device, g, events, v=1):
    told = await (await device.watching(g)).play(g, v, *map(triple, events))
    assert told[-1]["v"] == v + len(events)


async def won(device, events=CODED_WIN, visibility="public", **wanted):
    """The id of a game that was just won."""
    g = (await device.new_game(visibility=visibility, **wanted or {"code": CODE}))["g"]
    await play(device, g, events)
    return g


async def listed(device, **query):
    return [row["g"] for row in (await device.get(f"/api/deals/{CODE}", limit=100, **query))["games"]]


async def refusal(device, path=f"/api/deals/{CODE}"):
    answer = await device.http.get(path)
    return answer.status_code, answer.json()["code"]


@pytest.fixture
async def other(server):
    async with Device(server.url) as device:
        yield device


async def test_the_won_games_of_a_deal_the_best_first(player, other, stranger):
    longer, shorter = await won(other, LONGER_WIN), await won(player)
    told = await stranger.get("/api/deals/ss1 s1 aaaaabe")
    assert list(told) == ["code", "suits", "columns", "best", "games"]
    assert (told["code"], told["suits"], told["columns"]) == (CODE, 1, deal_from_code(CODE).lines)
    assert told["best"] == {"score": 856, "moves": 44}
    assert [row["moves"] for row in told["games"]] == sorted(row["moves"] for row in told["games"])
    row = next(row for row in told["games"] if row["g"] == shorter)
    assert list(row) == ROW
    assert (row["score"], row["moves"], row["won"], row["by"]) == (856, 44, True, (await player.me())["player"])
    events = (await stranger.get(f"/api/games/{shorter}/log"))["events"]
    assert row["time"] == events[-1]["at"] - events[0]["at"]
    assert [g for g in await listed(stranger) if g in (longer, shorter)] == [shorter, longer]
    assert not stranger.http.cookies


async def test_page_after_page_every_game_comes_once(player, stranger):
    for _ in range(3):
        await won(player)
    whole = await listed(stranger)
    seen: list[str] = []
    while page := (await stranger.get(f"/api/deals/{CODE}", limit=2, **({"before": seen[-1]} if seen else {})))[
        "games"
    ]:
        seen += [row["g"] for row in page]
    assert seen == whole
    assert await listed(stranger, before="AAAAAAAAAAAA") == []
    assert (await stranger.get(f"/api/deals/{CODE}", limit=0))["games"] == []


async def test_who_may_see_a_game_decides_whether_it_is_listed(player, stranger):
    games = {seen: await won(player, visibility=seen) for seen in ("public", "unlisted", "private")}
    assert set(await listed(stranger)) & set(games.values()) == {games["public"]}
    assert not set(await listed(player)) & {games["private"]}, "not even to its player: the list is everybody's"
    await player.patch(f"/api/games/{games['private']}", visibility="public")
    await player.patch(f"/api/games/{games['public']}", visibility="unlisted")
    assert set(await listed(stranger)) & set(games.values()) == {games["private"]}


@pytest.mark.parametrize(
    "wanted", [{"code": CODE}, {"columns": deal_from_code(CODE).lines}, {"code": CODE, "visibility": "private"}]
)
async def test_who_has_a_game_of_it_under_way_is_told_nothing_until_it_is_won(player, other, wanted):
    await won(other)
    g = (await player.new_game(**wanted))["g"]
    for path in (f"/api/deals/{CODE}", "/api/deals/ss1s1aaaaabe", f"/api/deals/{CODE}?limit=1"):
        assert await refusal(player, path) == (403, "unfinished_game")
    await player.new_game(code="SS1-S1-AAAAABD")
    assert await refusal(player) == (403, "unfinished_game")
    await play(player, g, CODED_WIN)
    assert await listed(player)
    assert await refusal(player, "/api/deals/SS1-S1-AAAAABD") == (403, "unfinished_game")


async def test_what_others_played_part_of_is_nobodys_own_win(player, other, client):
    g = await won(player)
    file = (await player.http.get(f"/api/games/{g}/file")).json()
    at_the_end = [await other.post("/api/games", file=file), await other.new_game(**{"from": {"g": g, "v": 45}})]
    assert all(game["won"] for game in at_the_end)
    before_it = [
        await other.post("/api/games", file=json.loads((await played_part(player)).content)),
        await other.new_game(**{"from": {"g": g, "v": 44}}),
    ]
    assert await refusal(other) == (403, "unfinished_game")
    for game in before_it:
        await play(other, game["g"], CODED_WIN[43:], game["v"])
        await other.patch(f"/api/games/{game['g']}", visibility="public")
    copies = {game["g"] for game in at_the_end + before_it}
    assert not copies & set(await listed(other))
    assert not copies & {g.decode() for g in await client.zrange(f"deal:{CODE}:won", 0, -1)}, "nor looked at each time"
    assert g in await listed(other)


async def played_part(device):
    """The file of a game to which one move is missing."""
    g = (await device.new_game(code=CODE, visibility="private"))["g"]
    await play(device, g, CODED_WIN[:43])
    return await device.http.get(f"/api/games/{g}/file")


async def test_what_the_log_does_not_hold_did_not_happen(player, stranger, client):
    """A list may name a game too many: when the server was killed just before the move that would have won it."""
    g = (await player.new_game(code=CODE))["g"]
    gone = "AAAAAAAAAAAA"
    await client.zadd(f"deal:{CODE}:won", {g: 0, gone: 0})
    told = await stranger.get(f"/api/deals/{CODE}", limit=1)
    assert not {row["g"] for row in told["games"]} & {g, gone}
    assert (told["best"] or {}).get("moves") != 0


async def test_names_too_many_are_passed_over_by_the_hundred(stranger, client):
    code = "SS1-S1-AAAAABF"
    await client.zadd(f"deal:{code}:won", {f"{number:012}": number for number in range(300)})
    before = await trips(client)
    assert (await stranger.get(f"/api/deals/{code}"))["games"] == []
    assert await trips(client) - before < 100


async def trips(client):
    """How often a list was read."""
    return (await client.info("commandstats")).get("cmdstat_zrange", {"calls": 0})["calls"]


async def test_the_lists_are_made_again_from_the_logs(player, stranger, client, store_url, tmp_path):
    g = await won(player)
    await player.new_game(columns=deal_from_code(CODE).lines)
    kept = [f"deal:{CODE}:won", *[key async for key in client.scan_iter("player:*:deal:*")], "deals:format"]
    for key in kept:
        await client.delete(key)
    assert await listed(stranger) == []
    with serving(tmp_path / "words", "--redis-url", store_url):
        async with asyncio.timeout(GUARD_S):
            while not await client.get("deals:format"):
                pass
    assert g in await listed(stranger)
    assert await refusal(player) == (403, "unfinished_game")


@pytest.mark.parametrize("code", ["SS1-S9-AAAAABE", "nothing", "SS1-S1-AAAAAB9", "%00"])
async def test_what_is_no_deal_code(stranger, code):
    assert await refusal(stranger, f"/api/deals/{code}") == (400, "bad_deal_code")
    page = await stranger.http.get(f"/deals/{code}")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.parametrize("typed", ["ss1-s1-aaaaabe", "SS1 S1 AAAAABE", "SS1S1AAAAABE", "ss1–s1–aaaaabe"])
async def test_a_typed_code_leads_to_the_page_of_its_deal(stranger, typed):
    answer = await stranger.http.get(f"/deals/{typed}")
    assert (answer.status_code, answer.headers["location"]) == (308, f"/deals/{CODE}")
    assert (await stranger.http.get(f"/deals/{CODE}")).status_code == 200


def test_a_long_pause_is_no_playing():
    assert played_ms([1_000, 2_000, 62_000, 200_000]) == 1_000 + 60_000 + 60_000
    assert played_ms([1_000]) == 0
