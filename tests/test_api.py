"""Games over HTTP: every request and answer of the contract, every named error, who may see what."""

import hashlib

import pytest
from clients import BACK, COLUMNS, THERE, WIN, Device

STATE = (
    "t g v code suits columns off score moves undo redo won by mine watching visibility at c".split()  # in wire order
)
ROW = "g v code suits by score moves off won watching at columns".split()


async def refusal(device, method, path, status, **request):
    """The problem that answers a wrong request."""
    answer = await device.http.request(method, path, **request)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert sorted(told) == ["code", "detail", "status", "title", "type"]
    assert (told["type"], told["status"]) == ("about:blank", status)
    assert told["title"]
    assert told["detail"]
    return told["code"]


async def test_a_given_deal_becomes_a_game_without_a_code(player):
    answer = await player.http.post("/api/games", json={"columns": COLUMNS})
    state = answer.json()
    assert (answer.status_code, answer.headers["content-type"]) == (201, "application/json")
    assert list(state) == STATE
    assert {name: state[name] for name in ("t", "v", "code", "suits", "columns", "off", "score", "moves")} == {
        "t": "state",
        "v": 1,
        "code": None,
        "suits": 4,
        "columns": COLUMNS,
        "off": [],
        "score": 500,
        "moves": 0,
    }
    assert (state["undo"], state["redo"], state["won"], state["watching"]) == (0, 0, False, 0)
    assert (state["mine"], state["visibility"], state["by"]) == (True, "public", (await player.me())["player"])
    assert await player.get(f"/api/games/{state['g']}") == state


async def test_a_typed_code_is_read_forgivingly_and_deals_as_ever(player):
    state = await player.new_game(code="ss1 s4 aaaaabd")
    assert (state["code"], state["suits"]) == ("SS1-S4-AAAAABD", 4)
    assert (state["columns"][0], state["columns"][-1]) == ("AC 3D KD JS 7D 6S 6D 7C", "AH")


async def test_the_first_game_has_one_suit_and_later_ones_what_was_chosen_last(player):
    assert (await player.post("/api/games"))["suits"] == 1
    assert (await player.new_game(suits=4))["suits"] == 4
    assert (await player.post("/api/games"))["suits"] == 4
    await player.new_game(code="SS1-S2-AAAAABD")
    assert (await player.post("/api/games"))["suits"] == 2


async def test_every_dealt_game_has_a_code_of_its_own(player):
    codes = [(await player.new_game(suits=1))["code"] for _ in range(5)]
    assert len(set(codes)) == 5
    assert all(code.startswith("SS1-S1-") for code in codes)


async def test_an_empty_body_deals_too(player):
    assert (await player.http.post("/api/games")).status_code == 201


FIVE_ACES = [COLUMNS[0].replace("KS", "AS"), *COLUMNS[1:]]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"code": "SS1-S4-AAAA!BD"}, "bad_deal_code"),
        ({"code": "SS1-S4-AAAAAB9"}, "bad_deal_code"),
        ({"code": "SS1-S3-AAAAABD"}, "bad_deal_code"),
        ({"code": "SS2-S4-AAAAABD"}, "bad_deal_code"),
        ({"code": "SS1-S4-AAAAAB"}, "bad_deal_code"),
        ({"code": ""}, "bad_deal_code"),
        ({"columns": [*COLUMNS[:9], ""]}, "wrong_column_sizes"),
        ({"columns": COLUMNS[:9]}, "wrong_column_sizes"),
        ({"columns": []}, "wrong_column_sizes"),
        ({"columns": FIVE_ACES}, "wrong_pack"),
        ({"columns": [*COLUMNS[:9], "1H"]}, "no_such_card"),
        ({"columns": [*COLUMNS[:9], "ΑΣ"]}, "no_such_card"),
        ({"suits": 3}, "bad_message"),
        ({"suits": "4"}, "bad_message"),
        ({"suits": True}, "bad_message"),
        ({"suits": 1, "code": "SS1-S4-AAAAABD"}, "bad_message"),
        ({"visibility": "secret"}, "bad_message"),
        ({"columns": "AS"}, "bad_message"),
        ({"columns": [""] * 21}, "bad_message"),
        ({"colour": "red"}, "bad_message"),
        ([], "bad_message"),
        ("a game", "bad_message"),
    ],
)
async def test_a_wrong_wish_is_named_and_changes_nothing(player, body, code):
    assert await refusal(player, "POST", "/api/games", 400, json=body) == code
    assert (await player.get("/api/me/games"))["games"] == []
    assert (await player.me())["current"] is None


@pytest.mark.parametrize(
    "body", [b"{", b"null", b"{}{}", b"\xff{}", b'{"code": "\\ud800"}', b"[" * 3000, b" " * 20_000]
)
async def test_a_body_that_is_no_json_is_a_bad_message(player, body):
    assert await refusal(player, "POST", "/api/games", 400, content=body) == "bad_message"


@pytest.mark.parametrize("path", ["/api/games/AAAAAAAAAAAA", "/api/games/x", "/api/games/%F0%9F%82%A1", "/api/games/*"])
async def test_a_game_that_is_not_there(player, path):
    assert await refusal(player, "GET", path, 404) == "no_such_game"
    assert await refusal(player, "GET", f"{path}/log", 404) == "no_such_game"
    assert await refusal(player, "PATCH", path, 404, json={"visibility": "public"}) == "no_such_game"


async def test_what_is_no_request_of_the_contract(player):
    assert await refusal(player, "GET", "/api/nothing", 404) == "not_found"
    assert await refusal(player, "DELETE", "/api/games", 405) == "method_not_allowed"
    assert (await player.http.delete("/api/games")).headers["allow"]


async def test_the_log_tells_every_event_with_its_line_and_the_chain(player):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    await socket.play(g, 1, *WIN[:2])
    for v, kind in enumerate(["undo", "redo", "restart"], 3):
        await socket.ask(kind, g=g, v=v)
    log = await player.get(f"/api/games/{g}/log", since=0)
    assert list(log) == ["g", "code", "columns", "events", "chain"]
    assert (log["g"], log["code"], log["columns"]) == (g, None, COLUMNS)
    deal = "/".join(line.replace(" ", "") for line in COLUMNS)
    texts = [f"deal {deal}", "move 5 5 0", "move 4 6 3", "undo", "redo", "restart"]
    assert [(event["v"], event["t"], event.get("m")) for event in log["events"]] == [
        (1, "deal", None),
        (2, "move", WIN[0]),
        (3, "move", WIN[1]),
        (4, "undo", None),
        (5, "redo", None),
        (6, "restart", None),
    ]
    chain = b""
    for event, text in zip(log["events"], texts, strict=True):
        assert event["line"] == f"{event['v']} {event['at']} {text}"
        chain = hashlib.sha256(chain + event["line"].encode("ascii")).digest()
    assert log["chain"] == chain.hex()
    assert (await player.get(f"/api/games/{g}"))["c"] == chain.hex()[:8]


async def test_the_log_since_a_version_tells_what_came_after(player):
    g = (await player.new_game())["g"]
    await (await player.watching(g)).play(g, 1, THERE, BACK)
    whole = await player.get(f"/api/games/{g}/log")
    later = await player.get(f"/api/games/{g}/log", since=2)
    assert (later["events"], later["chain"]) == (whole["events"][2:], whole["chain"])
    assert (await player.get(f"/api/games/{g}/log", since=99))["events"] == []
    for since in ("-1", "x", "1.5", "²", ""):
        assert await refusal(player, "GET", f"/api/games/{g}/log?since={since}", 400) == "bad_message"


async def test_a_public_game_is_open_to_everybody(player, stranger):
    g = (await player.new_game())["g"]
    state = await stranger.get(f"/api/games/{g}")
    assert (state["mine"], state["by"]) == (False, (await player.me())["player"])
    assert (await stranger.get(f"/api/games/{g}/log"))["g"] == g
    assert not stranger.http.cookies, "only what needs a player makes one"


async def test_a_private_game_is_like_none_for_everybody_else(player, stranger):
    g = (await player.new_game(columns=COLUMNS, visibility="private"))["g"]
    await stranger.me()
    assert await refusal(stranger, "GET", f"/api/games/{g}", 404) == "no_such_game"
    assert await refusal(stranger, "GET", f"/api/games/{g}/log", 404) == "no_such_game"
    assert await refusal(stranger, "PATCH", f"/api/games/{g}", 404, json={"visibility": "public"}) == "no_such_game"
    private, none = (await stranger.http.get(f"/api/games/{g}")).text, (await stranger.http.get("/api/games/A")).text
    assert private.replace(g, "A") == none, "nothing tells the two apart"
    assert (await player.get(f"/api/games/{g}"))["visibility"] == "private"
    assert (await player.get(f"/api/games/{g}/log"))["g"] == g


async def test_an_unlisted_game_is_open_to_who_has_its_address(player, stranger):
    g = (await player.new_game(columns=COLUMNS, visibility="unlisted"))["g"]
    assert (await stranger.get(f"/api/games/{g}"))["visibility"] == "unlisted"
    assert g not in [row["g"] for row in (await stranger.get("/api/games", limit=100))["games"]]


async def test_only_its_player_says_who_sees_a_game(player, stranger):
    g = (await player.new_game())["g"]
    assert await refusal(stranger, "PATCH", f"/api/games/{g}", 403, json={"visibility": "private"}) == "not_your_game"
    state = await player.patch(f"/api/games/{g}", visibility="private")
    assert (list(state), state["visibility"], state["mine"]) == (STATE, "private", True)
    assert await refusal(stranger, "GET", f"/api/games/{g}", 404) == "no_such_game"
    assert await refusal(player, "PATCH", f"/api/games/{g}", 400, json={}) == "bad_message"


async def test_one_s_own_games_are_listed_newest_first_with_the_finished_ones(player):
    won, private, last = [
        (await player.new_game(columns=COLUMNS, visibility=seen))["g"] for seen in ("public", "private", "unlisted")
    ]
    await (await player.watching(won)).play(won, 1, *WIN)
    rows = (await player.get("/api/me/games"))["games"]
    assert [(row["g"], row["won"], row["visibility"]) for row in rows] == [
        (last, False, "unlisted"),
        (private, False, "private"),
        (won, True, "public"),
    ]
    assert list(rows[0]) == [*ROW, "visibility"]
    assert (rows[2]["score"], rows[2]["moves"], sorted(rows[2]["off"]), rows[2]["v"]) == (894, 6, list("CDHS"), 7)
    assert [row["g"] for row in (await player.get("/api/me/games", limit=1))["games"]] == [last]
    assert [row["g"] for row in (await player.get("/api/me/games", before=last))["games"]] == [private, won]


async def test_the_current_game_is_the_one_last_played(player):
    first, second = [(await player.new_game())["g"] for _ in range(2)]
    assert (await player.me())["current"] == second
    socket = await player.watching(first)
    await socket.play(first, 1, THERE)
    await socket.ask("ping", n=1)
    await socket.play(first, 2, BACK)
    assert (await player.me())["current"] == first


async def test_whoever_has_no_cookie_becomes_a_player_with_the_first_game(stranger):
    state = await stranger.new_game()
    assert state["mine"]
    assert (await stranger.me())["player"] == state["by"]


async def test_a_cookie_that_nobody_was_given_is_as_good_as_none(server):
    async with Device(server.url) as device:
        device.http.cookies.set("sid", "made-up")
        assert (await device.new_game())["mine"]


async def test_who_asks_for_a_deal_that_cannot_be_becomes_no_player(stranger, client):
    before = {key async for key in client.scan_iter("player:*")}
    answer = await stranger.http.post("/api/games", json={"columns": FIVE_ACES})
    assert answer.status_code == 400
    assert "set-cookie" not in answer.headers
    assert {key async for key in client.scan_iter("player:*")} == before
