"""What a bad hand changed of players, their sessions and codes: each is refused by name, and nobody else is harmed."""

import hashlib
import json

import pytest
from clients import BACK, THERE, Device
from logs import of_another_kind
from websockets.exceptions import InvalidStatus

from simplesimon.rules.deal import deal_from_code

pytestmark = pytest.mark.system

CODE = "SS1-S1-AAAAABD"
CARDS = hashlib.sha256("/".join(deal_from_code(CODE).lines).encode()).hexdigest()[:16]
JUNK = [b"\xff", b"", b"9" * 30, None]
"""What stands in place of something; None: nothing, or what is of another kind."""


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()


async def told(device, g):
    """What a device is told wherever it asks: codes of errors, None for what succeeds."""
    answers = [
        *[await device.http.get(f"/api{path}") for path in ("/me", "/me/sessions", "/me/games", "/games")],
        *[await device.http.get(path) for path in ("/", f"/games/{g}", f"/api/games/{g}", f"/api/deals/{CODE}")],
        await device.http.post("/api/games", json={"code": CODE}),
        await device.http.patch("/api/me", json={"settings": {"theme": "dark"}}),
        await device.http.post("/api/me/links"),
    ]
    codes = [None if answer.status_code < 400 else answer.json()["code"] for answer in answers]
    try:
        await (await device.connect()).hear()
    except InvalidStatus as refused:
        codes.append(json.loads(refused.response.body)["code"])
    return codes


@pytest.fixture
async def other(server):
    """Somebody who plays meanwhile, and must not notice."""
    async with Device(server.url) as device:
        await device.me()
        g = (await device.new_game())["g"]
        socket = await device.watching(g)
        [moved] = await socket.play(g, 1, THERE)
        yield device
        [moved] = await socket.play(g, 2, BACK)
        assert (moved["t"], moved["v"]) == ("move", 3)
        assert g in [row["g"] for row in (await device.get("/api/games"))["games"]]


@pytest.fixture
def quiet(server):
    """Nothing that is met here is a fault of ours."""
    before = len(server.words)
    yield
    assert "Traceback" not in server.words[before:]


KEYS = ["player:{me}", "player:{me}:sessions", "player:{me}:games", "player:{me}:deal:{cards}", "session:{sid}"]


@pytest.mark.parametrize("key", KEYS)
async def test_a_key_of_another_kind_is_refused_by_name(player, other, quiet, client, key):
    me, g = (await player.me())["player"]["id"], (await player.new_game())["g"]
    key = key.format(me=me, cards=CARDS, sid=hashed(player.http.cookies["sid"]))
    await of_another_kind(client, key)
    codes = await told(player, g)
    assert "damaged" in codes
    assert set(codes) <= {"damaged", None}
    await client.delete(key)


@pytest.mark.parametrize("content", JUNK)
@pytest.mark.parametrize("field", ["name", "settings", "current", "suits", "created"])
async def test_a_field_of_a_player_that_is_not_what_was_written(player, other, quiet, client, field, content):
    me, g = (await player.me())["player"]["id"], (await player.new_game())["g"]
    await (client.hdel(f"player:{me}", field) if content is None else client.hset(f"player:{me}", field, content))
    assert set(await told(player, g)) <= {"damaged", None}


@pytest.mark.parametrize("content", JUNK)
@pytest.mark.parametrize("field", ["player", "agent", "created", "seen"])
async def test_a_field_of_a_session_that_is_not_what_was_written(player, other, quiet, client, field, content):
    key, g = f"session:{hashed(player.http.cookies['sid'])}", (await player.new_game())["g"]
    await (client.hdel(key, field) if content is None else client.hset(key, field, content))
    assert set(await told(player, g)) <= {"damaged", None}


@pytest.mark.parametrize("content", JUNK)
async def test_a_link_code_that_is_not_what_was_written_signs_nobody_in(
    player, stranger, other, quiet, client, content
):
    code = (await player.post("/api/me/links"))["code"]
    key = f"link:{hashed(code.replace('-', ''))}"
    await (of_another_kind(client, key) if content is None else client.set(key, content))
    refused = await stranger.http.post("/api/links", json={"code": code})
    assert refused.json()["code"] == "damaged"
    assert "sid" not in stranger.http.cookies
    assert not await client.exists(f"player:{(content or b'').decode(errors='replace')}:sessions")
    assert (await player.me())["player"]
    await client.delete(key)


@pytest.mark.parametrize("content", JUNK)
async def test_guesses_that_cannot_be_counted_are_refused_for_a_minute(player, limited, other, quiet, client, content):
    code, key = (await player.post("/api/me/links"))["code"], f"guesses:{hashed('127.0.0.1')}"
    kept = await client.get(key)
    await (of_another_kind(client, key) if content is None else client.set(key, content))
    async with Device(limited.url) as friend:
        refused = await friend.http.post("/api/links", json={"code": code})
        assert refused.json()["code"] == "damaged"
        assert 0 < await client.ttl(key) <= 60, "then it is forgotten"
        await client.delete(key)
        assert (await friend.post("/api/links", code=code))["player"] == (await player.me())["player"]
    await (client.set(key, kept, ex=60) if kept else client.delete(key))
