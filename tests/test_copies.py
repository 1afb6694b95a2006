"""Play on from here: a new game begins with another's events, line for line, and nobody who plays or watches that one
notices.
"""

import hashlib

import pytest
from clients import BACK, COLUMNS, THERE, WIN
from logs import FACTS, new_id, write
from stories import SORTED, SPADES_LEAVE, to_and_fro

from simplesimon.eventlog import EventLog, channel
from simplesimon.game import Redone, Restarted, Undone

EVENTS = [SORTED, SPADES_LEAVE, *to_and_fro(3), Undone(), Undone(), Redone(), Restarted(), Undone()]


@pytest.fixture
async def source(client):
    """A public game of somebody's, at version 10."""
    g = new_id()
    await write(EventLog(client), g, EVENTS)
    return g


async def refusal(device, status, **wanted):
    answer = await device.http.post("/api/games", json=wanted)
    assert answer.status_code == status, answer.text
    return answer.json()["code"], answer.json()["detail"]


@pytest.mark.parametrize("v", range(1, len(EVENTS) + 1))
async def test_a_copy_begins_with_the_same_events_and_is_the_same_game(player, client, source, v):
    as_it_was = new_id()
    await write(EventLog(client), as_it_was, EVENTS[:v])
    copy = await player.new_game(**{"from": {"g": source, "v": v}})
    then = await player.get(f"/api/games/{as_it_was}")
    own = {"g": copy["g"], "from": {"g": source, "v": v}, "mine": True, "by": (await player.me())["player"]}
    assert copy == then | own
    log, theirs = await player.get(f"/api/games/{copy['g']}/log"), await player.get(f"/api/games/{source}/log")
    assert log["events"] == theirs["events"][:v]
    assert log["chain"] == chain_of(log)
    [row] = (await player.get("/api/me/games"))["games"]
    assert (row["g"], row["v"], row["from"]) == (copy["g"], v, {"g": source, "v": v})


def chain_of(log):
    chain = b""
    for event in log["events"]:
        chain = hashlib.sha256(chain + event["line"].encode("ascii")).digest()
    return chain.hex()


async def test_it_goes_its_own_way_and_the_other_hears_nothing(player, stranger):
    g = (await player.new_game())["g"]
    theirs = await player.watching(g)
    await theirs.play(g, 1, *WIN[:3])
    copy = (await stranger.new_game(**{"from": {"g": g, "v": 3}}))["g"]
    own = await stranger.watching(copy)
    for v, kind in enumerate(["undo", "undo", "redo", "restart", "undo"], 3):
        assert (await own.ask(kind, g=copy, v=v))["v"] == v + 1
    assert (await own.play(copy, 8, THERE, BACK))[-1]["v"] == 10
    assert (await own.ask("undo", g=g, v=4))["code"] == "not_your_game"
    await theirs.send("ping", n=7)
    assert (await theirs.next())["t"] == "pong"
    assert (await player.get(f"/api/games/{g}"))["v"] == 4
    assert (await player.me())["current"] == g
    assert (await stranger.me())["current"] == copy


async def test_a_restart_and_the_lists_still_tell_where_it_is_from(player, stranger, source):
    copy = (await player.new_game(**{"from": {"g": source, "v": 2}}))["g"]
    lobby, own = await stranger.socket(), await player.watching(copy)
    await lobby.send("lobby", on=True)
    assert (await own.ask("restart", g=copy, v=2))["from"] == {"g": source, "v": 2}
    assert (await lobby.until("game", g=copy, v=3))[-1]["from"] == {"g": source, "v": 2}
    again = await stranger.new_game(**{"from": {"g": copy, "v": 1}})
    assert again["from"] == {"g": copy, "v": 1}, "a copy of a copy is from the copy"


async def test_the_newest_of_one_s_own_games_is_the_copy_of_an_old_one(player, source):
    g = (await player.new_game())["g"]
    copy = await player.new_game(**{"from": {"g": source, "v": 1}})
    assert [row["g"] for row in (await player.get("/api/me/games"))["games"]] == [copy["g"], g]
    assert copy["at"] < (await player.get(f"/api/games/{g}"))["at"]


async def test_a_game_that_was_won_can_be_played_on_from_before(player, stranger):
    g = (await player.new_game())["g"]
    await (await player.watching(g)).play(g, 1, *WIN)
    own = await stranger.new_game(**{"from": {"g": g, "v": 6}})
    assert (own["won"], own["undo"]) == (False, 5)
    [answer] = await (await stranger.watching(own["g"])).play(own["g"], 6, WIN[5])
    assert answer["moves"] == 6
    won = await stranger.new_game(**{"from": {"g": g, "v": 7}})
    assert won["won"]


@pytest.mark.parametrize("v", [0, -1, 11, 10**9])
async def test_a_version_that_the_game_does_not_have(player, source, v):
    code, detail = await refusal(player, 404, **{"from": {"g": source, "v": v}})
    assert (code, f"no version {v}" in detail) == ("no_such_version", True)


@pytest.mark.parametrize(
    "wanted",
    [
        {"from": {"g": "AAAAAAAAAAAA"}},
        {"from": {"v": 1}},
        {"from": {"g": "AAAAAAAAAAAA", "v": "1"}},
        {"from": {"g": "AAAAAAAAAAAA", "v": 1.5}},
        {"from": "AAAAAAAAAAAA"},
        {"from": {"g": "AAAAAAAAAAAA", "v": 1}, "suits": 1},
        {"from": {"g": "AAAAAAAAAAAA", "v": 1}, "code": "SS1-S4-AAAAABD"},
        {"from": {"g": "AAAAAAAAAAAA", "v": 1}, "columns": COLUMNS},
        {"from": {"g": "AAAAAAAAAAAA", "v": 1}, "visibility": "secret"},
    ],
)
async def test_a_wish_that_is_none(player, wanted):
    assert (await refusal(player, 400, **wanted))[0] == "bad_message"


async def test_a_private_game_of_another_is_like_none(player, stranger):
    g = (await player.new_game(columns=COLUMNS, visibility="private"))["g"]
    private, none = [await refusal(stranger, 404, **{"from": {"g": name, "v": 1}}) for name in (g, "AAAAAAAAAAAA")]
    assert private[0] == "no_such_game"
    assert (private[0], private[1].replace(g, "AAAAAAAAAAAA")) == none
    assert not stranger.http.cookies, "who asks for what is not there becomes no player"


@pytest.mark.parametrize("seen", ["public", "unlisted", "private"])
async def test_a_copy_is_seen_by_whom_the_other_is_seen_unless_one_says_so(player, seen):
    g = (await player.new_game(columns=COLUMNS, visibility=seen))["g"]
    origin = {"g": g, "v": 1}
    assert (await player.new_game(**{"from": origin}))["visibility"] == seen
    for wanted in ("public", "unlisted", "private"):
        assert (await player.new_game(**{"from": origin, "visibility": wanted}))["visibility"] == wanted


@pytest.mark.parametrize("seen", ["unlisted", "private"])
async def test_a_public_copy_does_not_tell_which_hidden_game_it_is_from(player, stranger, client, seen):
    g = (await player.new_game(columns=COLUMNS, visibility=seen))["g"]
    lobby = await stranger.socket()
    await lobby.send("lobby", on=True)
    copy = await player.new_game(**{"from": {"g": g, "v": 1}})
    assert copy["from"] == {"g": g, "v": 1}, "whoever may see the copy has its address, too"
    shown = await player.patch(f"/api/games/{copy['g']}", visibility="public")
    own = await player.watching(copy["g"])
    told = [shown, await own.ask("restart", g=copy["g"], v=1), *await lobby.until("game", g=copy["g"], v=2)]
    assert g not in str(told)
    assert g not in (await stranger.http.get("/api/games")).text
    assert await client.hget(channel(copy["g"]), "from"), "it is one that began with events of another all the same"


@pytest.mark.parametrize("v", [1, 2, 300])
async def test_nothing_is_made_of_a_log_that_is_damaged(player, client, v):
    g = new_id()
    await write(EventLog(client), g, [SORTED, SPADES_LEAVE, *to_and_fro(298)])
    key = f"{channel(g)}:log"
    (_, deal), *rest = await client.xrange(key)
    await client.delete(key)
    await client.xadd(key, deal, id="1796000000001-1")  # a millisecond late; the snapshots do not show it
    for entry_id, entry in rest:
        await client.xadd(key, entry, id=entry_id)
    assert (await player.get(f"/api/games/{g}"))["v"] == 300
    assert (await refusal(player, 500, **{"from": {"g": g, "v": v}}))[0] == "damaged"
    assert (await player.get("/api/me/games"))["games"] == []


async def test_of_twenty_thousand_events(player, client):
    g, log = new_id(), EventLog(client)
    history = await write(log, g, [SORTED, SPADES_LEAVE, *to_and_fro(19_998)])
    copy = (await player.new_game(**{"from": {"g": g, "v": 19_999}}))["g"]
    opened = await log.open(copy)
    assert (opened.base.version, opened.head[0], opened.by == FACTS["by"]) == (19_968, 19_999, False)
    snapshots = {name for name in await client.hkeys(channel(copy)) if name.startswith(b"snapshot")}
    assert len(snapshots) == 2
    assert {name: await client.hget(channel(copy), name) for name in snapshots} == {
        name: await client.hget(channel(g), name) for name in snapshots
    }
    socket = await player.socket()
    assert len(await socket.watch(copy, since=19_999 - 256)) == 257
    await socket.send("move", g=copy, v=19_999, m=list(move_of(history)))
    assert (await socket.next())["c"] != history.c, "the same move at another time is another history"


def move_of(history):
    move = history.game.state.move
    return move.source, move.count, move.target
