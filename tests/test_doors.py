"""The doors of a server with limits: how many sockets it gives, how fast, and what it writes down about it all."""

import asyncio
import base64
import contextlib
import json
import re
import socket as sockets
import struct
from typing import Any

import pytest
from clients import THERE, Device, Socket
from servers import serving
from websockets.exceptions import InvalidStatus

from simplesimon.limits import HANDSHAKES_AT_ONCE, SOCKETS_A_PLAYER, SOCKETS_AN_ADDRESS
from simplesimon.listening import listening
from simplesimon.pages import client_dir

MARKUP = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"


@pytest.fixture
def guarded(store_url, tmp_path):
    """A server with limits that has met nobody yet."""
    with serving(tmp_path / "words", "--redis-url", store_url) as server:
        yield server


async def refused(device, **headers):
    with pytest.raises(InvalidStatus) as refusing:
        await device.connect(headers=headers)
    return json.loads(refusing.value.response.body)


async def refusal(device, **headers):
    told = await refused(device, **headers)
    return told["status"], told["code"]


async def test_a_player_gets_twenty_sockets_and_one_more_for_each_that_closed(guarded):
    async with Device(guarded.url) as player, Device(guarded.url) as stranger:
        await player.me()
        open_sockets = [await player.socket() for _ in range(SOCKETS_A_PLAYER)]
        assert await refusal(player) == (429, "too_fast")
        await stranger.socket()
        await open_sockets[0].connection.close()
        await player.socket()


async def test_an_address_gets_fifty_sockets_at_once(guarded):
    async with Device(guarded.url) as stranger:
        for _ in range(SOCKETS_AN_ADDRESS):
            await stranger.socket()
        while "50 sockets open" not in (told := await refused(stranger))["detail"]:
            assert "5 new sockets a second" in told["detail"], "it came too fast as well"
        assert (told["status"], told["code"]) == (429, "too_fast")
        elsewhere = {"X-Forwarded-For": "192.0.2.9"}  # as a proxy on the same machine tells
        await stranger.connect(headers=elsewhere)


async def test_handshakes_that_come_too_fast_are_refused(guarded):
    async with Device(guarded.url) as stranger:
        given: list[Socket] = []

        async def come_and_go():
            while len(given) < 20 * HANDSHAKES_AT_ONCE:  # meanwhile five more come in each second
                given.append(await stranger.socket())
                await given[-1].connection.close()

        with pytest.raises(InvalidStatus, match="429"):
            await come_and_go()
        assert len(given) >= HANDSHAKES_AT_ONCE


async def test_without_limits_there_are_more(player):
    for _ in range(SOCKETS_AN_ADDRESS + 5):
        await player.socket()


def test_the_kernel_gives_up_who_takes_nothing():
    with listening("127.0.0.1", 0) as listener:
        assert listener.getsockopt(sockets.IPPROTO_TCP, sockets.TCP_USER_TIMEOUT) == 15_000


@pytest.mark.parametrize("who", ["a stranger", "a player"])
async def test_a_private_game_is_like_none_wherever_one_asks(player, server, client, who):
    private, none = (await player.new_game(suits=1, visibility="private"))["g"], "AAAAAAAAAAAA"
    await client.zadd("games:public", {private: 2**53})  # left over from when it was public, say
    async with Device(server.url) as other:
        if who == "a player":
            await other.me()
        for method, path, body in [
            ("GET", "/api/games/{}", None),
            ("GET", "/api/games/{}/log", None),
            ("GET", "/api/games/{}/file", None),
            ("GET", "/api/games/{}/text", None),
            ("GET", "/games/{}", None),
            ("PATCH", "/api/games/{}", {"visibility": "public"}),
        ]:
            answers = [await other.http.request(method, path.format(g), json=body) for g in (private, none)]
            texts = [answer.text.replace(g, "ID") for answer, g in zip(answers, (private, none), strict=True)]
            assert ([answer.status_code for answer in answers], texts[0]) == ([404, 404], texts[1])
        socket = await other.socket()
        asked: list[dict[str, Any]] = [{"t": "watch"}, {"t": "watch", "since": 1}, {"t": "move", "v": 1, "m": THERE}]
        asked += [{"t": t, "v": v} for t in ("undo", "redo", "restart") for v in (1, 2)]
        for fields in asked:
            told = [json.dumps(await socket.ask(g=g, **fields)).replace(g, "ID") for g in (private, none)]
            assert told[0] == told[1]
        assert private not in (await other.http.get("/api/games")).text
        assert private not in str(await socket.ask("lobby", on=True))
    await client.zrem("games:public", private)


async def test_what_any_client_can_cause_is_not_written_down(guarded):
    async with Device(guarded.url) as stranger:
        assert await refusal(stranger, Origin="https://elsewhere.example") == (403, "bad_origin")
        host, port = guarded.url.removeprefix("http://").split(":")
        handshake = (
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
        for sent in (
            b"\x16\x03\x01 not HTTP\r\n\r\n",
            handshake.replace(b"Upgrade: websocket", b"Upgrade: h2c"),
            handshake.replace(b"Version: 13", b"Version: 7"),
            handshake.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"short"),
            handshake + b"\x81\x82\x00\x00\x00\x00\xff\xff",
            handshake + b"\xff" * 64,
        ):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(sent)
            writer.write_eof()
            with contextlib.suppress(ConnectionError):
                await reader.read()
            writer.close()
        for _ in range(20):  # gone before the answer
            raw = sockets.create_connection((host, int(port)))
            raw.sendall(handshake.replace(b"Host", b"Cookie: sid=x\r\nHost"))  # so that the store is asked
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
            raw.close()
        await stranger.get("/health/ready")
    assert guarded.stop() == 0
    assert re.sub("^INFO: .*\n", "", guarded.words, flags=re.M) == ""


async def test_no_secret_is_written_down_or_told(guarded, store_url):
    """Of a run with all kinds of errors in it: neither the log nor an answer repeats what opens a door."""
    told = []
    async with Device(guarded.url) as player, Device(guarded.url) as phone, Device(guarded.url) as stranger:
        await player.me()
        private = (await player.new_game(suits=1, visibility="private"))["g"]
        codes = [(await player.post("/api/me/links"))["code"] for _ in range(3)]
        await phone.post("/api/links", code=codes[0])
        secrets = [*codes, player.http.cookies["sid"], phone.http.cookies["sid"], "made-up-token-of-a-stranger"]
        stranger.http.cookies.set("sid", secrets[-1])
        for device, method, path, body in [
            (stranger, "POST", "/api/links", {"code": codes[0]}),
            (stranger, "POST", "/api/links", {"code": codes[1], "more": 1}),
            (stranger, "POST", "/api/links", {"code": [codes[1]]}),
            (stranger, "POST", "/api/links", {"code": codes[2].lower() + "X"}),
            (stranger, "POST", "/api/games", {"code": codes[2]}),
            (player, "DELETE", "/api/me/sessions/none", None),
            (player, "PATCH", "/api/me", {"name": ""}),
            (stranger, "GET", f"/api/games/{private}", None),
            (stranger, "GET", f"/nowhere?{codes[1]}", None),
        ]:
            told.append((await device.http.request(method, path, json=body)).text)
        socket = await player.watching(private)
        for sent in (f'{{"t":"move","sid":"{secrets[3]}"', f'{{"t":"watch","g":"{secrets[3]}"}}', '{"t":"undo"}'):
            await socket.connection.send(sent)
            told.append(str(await socket.next()))
        await socket.ask("move", g=private, v=1, m=THERE)
        await refusal(player, Origin="https://elsewhere.example")
    assert guarded.stop() == 0
    for secret in secrets:
        for text in (secret, secret.replace("-", "")):
            assert text not in guarded.words
    for secret in (*codes[:2], *secrets[4:]):
        assert secret not in "".join(told)


async def test_a_token_is_256_random_bits_each_time(guarded):
    tokens = set()
    for _ in range(3):
        async with Device(guarded.url) as player:
            await player.me()
            tokens.add(base64.urlsafe_b64decode(player.http.cookies["sid"] + "="))
    assert (len(tokens), {len(token) for token in tokens}) == (3, {32})


@pytest.mark.parametrize(
    ("method", "path", "end"), [("PATCH", "/api/me", 16 * 1024), ("POST", "/api/games", 2 * 1024 * 1024)]
)
async def test_a_body_has_an_end(stranger, method, path, end):
    answer = await stranger.http.request(method, path, content=b" " * end + b"{}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
    assert f"larger than {end} bytes" in answer.json()["detail"]


async def test_what_a_device_calls_itself_is_shown_without_what_nobody_can_see(server):
    async with Device(server.url) as player:
        await player.http.get("/api/me", headers=[(b"User-Agent", b"a\x9b31m\xadb<i>")])
        [device] = (await player.get("/api/me/sessions"))["sessions"]
    assert device["agent"] == "a31mb<i>", "and the page makes no markup of it"


def test_the_page_makes_no_markup_or_code_from_texts():
    sources = list(client_dir().glob("**/*.js"))
    assert sources
    for source in sources:
        found = re.search(MARKUP, source.read_text())
        assert found is None, f"{source}: {found}"
