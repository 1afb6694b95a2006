"""Players without signing up: the cookie, names, settings, signed-in devices, link codes."""

import hashlib

import pytest
from clients import Device

SETTINGS = {
    "double_click": True,
    "automatic_placement": False,
    "placement_help": True,
    "interactive_rules": True,
    "four_colours": False,
    "card_size": "medium",
    "left_handed": False,
    "theme": "system",
    "language": "system",
}


async def code_of(answer):
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


async def test_whoever_comes_without_a_cookie_gets_a_player_with_a_kind_name(stranger):
    answer = await stranger.http.get("/api/me")
    me = answer.json()
    assert list(me) == ["player", "settings", "current"]
    assert list(me["player"]) == ["id", "name"]
    assert 1 <= len(me["player"]["name"]) <= 24
    assert (me["settings"], me["current"]) == (SETTINGS, None)
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("sid=")
    for flag in ("httponly", "samesite=lax", "path=/", "max-age="):
        assert flag in cookie
    assert "secure" not in cookie
    again = await stranger.http.get("/api/me")
    assert (again.json(), again.headers.get("set-cookie")) == (me, None)


async def test_the_cookie_is_secure_over_tls(stranger):
    answer = await stranger.http.get("/api/me", headers={"X-Forwarded-Proto": "https"})
    assert "; secure" in answer.headers["set-cookie"].lower()


async def test_the_store_has_only_the_hash_of_a_token(player, client):
    token = player.http.cookies["sid"]
    assert await client.exists(f"session:{hashlib.sha256(token.encode()).hexdigest()}")
    assert [key async for key in client.scan_iter(f"*{token}*")] == []


@pytest.mark.parametrize(
    "name", ["A", "Άννα Παπαδοπούλου", "Ὀδυσσεύς", "Simon the Pieman of Fair", "王", "x" * 24, "O'Neill-Ωmega 2"]
)
async def test_a_player_takes_a_name(player, name):
    assert (await player.patch("/api/me", name=name))["player"]["name"] == name
    assert (await player.me())["player"]["name"] == name
    assert (await player.new_game())["by"]["name"] == name


async def test_a_heart_may_be_in_a_name_without_the_mark_behind_it(player):
    assert (await player.patch("/api/me", name="I \u2764\ufe0f cards"))["player"]["name"] == "I \u2764 cards"


async def test_a_name_is_composed_and_has_no_spaces_around_it(player):
    assert (await player.patch("/api/me", name="  Α\u0301ννα "))["player"]["name"] == "Άννα"


@pytest.mark.parametrize(
    "name",
    [
        *("", "   ", "x" * 25, "α\u0000β", "line\nbreak", "tab\there", "\u202egnp", "zero\u200bwidth", "\u2066x"),
        *("a\u2028b", "\ufeffx", "a\u00a0b", "\u3164", "\u2800", "\u115f\u1160", "\U000e0041x", "\ue000"),
        *("\u0301", "\ufe0f", "a\u034f", "a\u17b4", "a\u180b", "a\ufe00", "a\U000e0100", "a\u200db", "a\u200eb"),
    ],
)
async def test_a_name_that_nobody_can_read_is_refused(player, name):
    before = await player.me()
    assert await code_of(await player.http.patch("/api/me", json={"name": name})) == (400, "bad_name")
    assert await player.me() == before


async def test_settings_are_kept_on_the_server_and_change_one_by_one(player):
    changed = await player.patch("/api/me", settings={"theme": "dark", "double_click": False})
    assert changed["settings"] == SETTINGS | {"theme": "dark", "double_click": False}
    changed = await player.patch("/api/me", settings={"theme": "light"})
    assert changed["settings"] == SETTINGS | {"theme": "light", "double_click": False}
    assert await player.me() == changed
    assert await player.patch("/api/me") == changed


@pytest.mark.parametrize(
    ("patch", "code"),
    [
        ({"settings": {"theme": "pink"}}, "bad_settings"),
        ({"settings": {"hints": True}}, "bad_settings"),
        ({"settings": {"double_click": "yes"}}, "bad_settings"),
        ({"settings": {"double_click": 1}}, "bad_message"),
        ({"settings": ["theme"]}, "bad_message"),
        ({"settings": None}, "bad_message"),
        ({"name": 5}, "bad_message"),
        ({"name": None}, "bad_message"),
        ({"nickname": "x"}, "bad_message"),
        ({"name": "Good", "settings": {"theme": "pink"}}, "bad_settings"),
        ({"name": "\u200b", "settings": {"theme": "dark"}}, "bad_name"),
    ],
)
async def test_a_wrong_change_is_named_and_changes_nothing(player, patch, code):
    before = await player.me()
    assert await code_of(await player.http.patch("/api/me", json=patch)) == (400, code)
    assert await player.me() == before


async def test_a_link_code_signs_another_device_in_as_the_same_player(player, stranger):
    g = (await player.new_game())["g"]
    await player.patch("/api/me", settings={"theme": "dark"})
    answer = await player.http.post("/api/me/links")
    link = answer.json()
    assert (answer.status_code, list(link)) == (201, ["code", "url", "qr", "expires_in"])
    assert (len(link["code"]), link["code"][4], link["expires_in"]) == (9, "-", 300)
    assert link["url"] == f"{player.http.base_url}/link#{link['code']}"
    assert link["qr"].startswith("<svg")
    linked = await stranger.http.post("/api/links", json={"code": link["code"]})
    assert linked.json() == {"player": (await player.me())["player"], "current": g}
    assert "sid=" in linked.headers["set-cookie"]
    assert await stranger.me() == await player.me()
    assert (await stranger.get(f"/api/games/{g}"))["mine"]


@pytest.mark.parametrize("host", ["a" * 2400, 'x"><script>'])
async def test_there_is_no_link_to_what_is_no_address(player, host):
    answer = await player.http.post("/api/me/links", headers={"Host": host})
    assert await code_of(answer) == (400, "bad_message")
    assert "no address" in answer.json()["detail"]


async def test_a_link_code_works_once(player, stranger):
    code = (await player.post("/api/me/links"))["code"]
    await stranger.post("/api/links", code=code)
    assert await code_of(await stranger.http.post("/api/links", json={"code": code})) == (404, "no_such_code")


async def test_a_link_code_lives_five_minutes_in_the_store(player, client):
    before = {key async for key in client.scan_iter("link:*")}
    code = (await player.post("/api/me/links"))["code"]
    [key] = {key async for key in client.scan_iter("link:*")} - before
    assert 290_000 < await client.pttl(key) <= 300_000
    assert code.replace("-", "").encode() not in key, "the store has only its hash"
    await client.delete(key)  # as its expiry does
    assert await code_of(await player.http.post("/api/links", json={"code": code})) == (404, "no_such_code")


@pytest.mark.parametrize(
    "typed", [str.lower, lambda code: code.replace("-", ""), lambda code: f" {code[:3]} {code[3:]} "]
)
async def test_a_link_code_is_read_forgivingly(player, stranger, typed):
    code = (await player.post("/api/me/links"))["code"]
    assert (await stranger.post("/api/links", code=typed(code)))["player"] == (await player.me())["player"]


@pytest.mark.parametrize("typed", ["AAAA-AAAA", "", "κωδικός", "\u0000", "x" * 5000])
async def test_a_wrong_link_code_signs_nobody_in(stranger, typed):
    answer = await stranger.http.post("/api/links", json={"code": typed})
    assert await code_of(answer) == (404, "no_such_code")
    assert "set-cookie" not in answer.headers


async def test_guesses_at_link_codes_are_limited_by_address(limited):
    async with Device(limited.url, **{"X-Forwarded-For": "203.0.113.7"}) as device:
        for _ in range(10):
            guess = await device.http.post("/api/links", json={"code": "AAAA-AAAA"})
            assert await code_of(guess) == (404, "no_such_code")
        code = (await device.post("/api/me/links"))["code"]
        assert await code_of(await device.http.post("/api/links", json={"code": code})) == (429, "too_fast")
        elsewhere = {"X-Forwarded-For": "203.0.113.8"}
        assert (await device.http.post("/api/links", json={"code": code}, headers=elsewhere)).status_code == 200


async def test_signed_in_devices_are_listed(player, server):
    async with Device(server.url, **{"User-Agent": "A phone " + "x" * 300}) as phone:
        await phone.post("/api/links", code=(await player.post("/api/me/links"))["code"])
        sessions = (await player.get("/api/me/sessions"))["sessions"]
        assert [list(session) for session in sessions] == [["id", "agent", "created", "seen", "current"]] * 2
        assert sorted(session["current"] for session in sessions) == [False, True]
        theirs = next(session for session in sessions if not session["current"])
        assert theirs["agent"].startswith("A phone")
        assert len(theirs["agent"]) <= 200
        assert theirs["created"] <= theirs["seen"]
        mine = next(session for session in (await phone.get("/api/me/sessions"))["sessions"] if session["current"])
        assert mine["id"] == theirs["id"]


async def test_a_removed_device_is_a_stranger_and_its_sockets_close_on_every_server(player, server, limited):
    async with Device(server.url) as phone, Device(limited.url) as far:
        await phone.post("/api/links", code=(await player.post("/api/me/links"))["code"])
        far.http.cookies.set("sid", phone.http.cookies["sid"])
        near_socket, far_socket, own = await phone.socket(), await far.socket(), await player.socket()
        [session] = [s for s in (await player.get("/api/me/sessions"))["sessions"] if not s["current"]]
        answer = await player.http.delete(f"/api/me/sessions/{session['id']}")
        assert (answer.status_code, answer.content) == (204, b"")
        assert await near_socket.closed() == 4501
        assert await far_socket.closed() == 4501
        assert await own.ask("ping", n=1) == {"t": "pong", "n": 1}
        assert (await phone.me())["player"] != (await player.me())["player"]
        assert len((await player.get("/api/me/sessions"))["sessions"]) == 1


async def test_only_one_s_own_devices_can_be_removed(player, stranger):
    await stranger.me()
    [session] = (await player.get("/api/me/sessions"))["sessions"]
    for unknown in (session["id"], "nothing"):
        answer = await stranger.http.delete(f"/api/me/sessions/{unknown}")
        assert await code_of(answer) == (404, "no_such_session")
    assert len((await player.get("/api/me/sessions"))["sessions"]) == 1


async def test_who_signs_this_device_out_is_somebody_new_afterwards(player):
    before = await player.me()
    socket = await player.socket()
    [session] = (await player.get("/api/me/sessions"))["sessions"]
    assert (await player.http.delete(f"/api/me/sessions/{session['id']}")).status_code == 204
    assert await socket.closed() == 4501
    assert (await player.me())["player"] != before["player"]
