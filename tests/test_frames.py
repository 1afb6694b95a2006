"""Frames of a socket: what is malformed, too large, not UTF-8, too fast; nothing of it harms another connection."""

import pytest
from clients import BACK, THERE, Device


async def test_a_ping_is_answered_with_its_number(stranger):
    socket = await stranger.socket()
    for n in (1, 0, -7, 2**53):
        assert await socket.ask("ping", n=n) == {"t": "pong", "n": n}


MALFORMED = [
    "",
    "{",
    "[]",
    "null",
    '"watch"',
    "{}",
    '{"t":"dance"}',
    '{"t":5}',
    '{"g":"AAAAAAAAAAAA"}',
    '{"t":"watch"}',
    '{"t":"watch","g":5}',
    '{"t":"watch","g":"A","since":-1}',
    '{"t":"watch","g":"A","since":"1"}',
    '{"t":"watch","g":"A","since":1.5}',
    '{"t":"watch","g":"A","since":1,"c":"xyz"}',
    '{"t":"watch","g":"A","since":1,"c":"9F3A01BC"}',
    '{"t":"leave"}',
    '{"t":"move","g":"A","v":1}',
    '{"t":"move","g":"A","v":1,"m":[1,2]}',
    '{"t":"move","g":"A","v":1,"m":[1,2,3,4]}',
    '{"t":"move","g":"A","v":1,"m":"123"}',
    '{"t":"move","g":"A","v":1,"m":[1,2,null]}',
    '{"t":"move","g":"A","v":1,"m":[1,1.5,3]}',
    '{"t":"move","g":"A","m":[1,2,3]}',
    '{"t":"move","g":"A","v":"1","m":[1,2,3]}',
    '{"t":"move","g":"A","v":1e400,"m":[1,2,3]}',
    '{"t":"undo","g":"A"}',
    '{"t":"redo","v":1}',
    '{"t":"restart","g":null,"v":1}',
    '{"t":"lobby"}',
    '{"t":"lobby","on":1}',
    '{"t":"ping"}',
    '{"t":"ping","n":"1"}',
    '{"t":"ping","n":1}{"t":"ping","n":2}',
    '{"t":"hello","player":null}',
    '{"t":"ping","n":1,"t":"dance"}',
    '{"t":"watch","g":"\\ud800"}',
    "[" * 4000,
    '{"t":' * 800,
]


@pytest.mark.parametrize("text", MALFORMED)
async def test_a_malformed_message_is_named_and_the_connection_stays(stranger, text):
    socket = await stranger.socket()
    await socket.connection.send(text)
    answer = await socket.next()
    assert (answer["t"], answer["code"], list(answer)) == ("error", "bad_message", ["t", "code", "detail"])
    assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}


async def test_an_unknown_field_is_passed_over(stranger):
    socket = await stranger.socket()
    assert await socket.ask("ping", n=1, colour="red") == {"t": "pong", "n": 1}


async def test_a_binary_frame_is_a_bad_message(stranger):
    socket = await stranger.socket()
    for content in (b"", b'{"t":"ping","n":1}', b"\xff"):
        await socket.connection.send(content)
        assert (await socket.next())["code"] == "bad_message"
    assert await socket.ask("ping", n=1) == {"t": "pong", "n": 1}


def ping_of(size):
    text = '{"t":"ping","n":1}'
    return text[:-1] + " " * (size - len(text)) + "}"


async def test_a_frame_over_four_kib_closes_its_connection_alone(stranger):
    socket, other = await stranger.socket(), await stranger.socket()
    await socket.connection.send(ping_of(4096))
    assert await socket.next() == {"t": "pong", "n": 1}
    await socket.connection.send(ping_of(4097))
    assert await socket.closed() == 1009
    assert await other.ask("ping", n=2) == {"t": "pong", "n": 2}


async def test_a_message_in_fragments_has_the_same_limit(stranger):
    socket = await stranger.socket()
    await socket.connection.send(iter([ping_of(4096)[:2000], ping_of(4096)[2000:]]))
    assert await socket.next() == {"t": "pong", "n": 1}
    await socket.connection.send(iter([ping_of(5000)[:2500], ping_of(5000)[2500:]]))
    assert await socket.closed() == 1009


@pytest.mark.parametrize("content", [b"\xff", b'{"t":"ping","n":1}\xc3', b"\xed\xa0\x80", b"\xf4\x90\x80\x80"])
async def test_a_text_frame_that_is_no_utf_8_closes_its_connection(stranger, content):
    socket, other = await stranger.socket(), await stranger.socket()
    socket.connection.protocol.send_text(content)
    socket.connection.send_data()
    assert await socket.closed() == 1007
    assert await other.ask("ping", n=2) == {"t": "pong", "n": 2}


async def test_a_frame_of_no_known_kind_closes_its_connection(stranger):
    socket = await stranger.socket()
    socket.connection.transport.write(bytes([0x80 | 0x3, 0x80, 0, 0, 0, 0]))
    assert await socket.closed() == 1002


async def test_a_pace_above_ten_a_second_is_slowed_then_refused_then_ended(limited):
    async with Device(limited.url) as device:
        socket = await device.socket()
        for n in range(49):
            await socket.send("ping", n=n)
        heard = [await socket.next() for _ in range(49)]
        [refused] = [message for message in heard if message["t"] == "error"]
        assert refused["code"] == "too_fast"
        assert [message["n"] for message in heard if message["t"] == "pong"] == list(range(48))
        for n in range(60):
            await socket.send("ping", n=n)
        assert await socket.closed() == 1008


async def test_of_seventeen_commands_under_way_one_is_too_fast(player, client):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    await client.client_pause(60_000, all=False)  # no write is done until the store is told to go on
    try:
        for v in range(1, 18):
            await socket.send("move", g=g, v=v, m=THERE if v % 2 else BACK)
        refused = await socket.next()
        assert (refused["t"], refused["code"]) == ("error", "too_fast")
    finally:
        await client.client_unpause()
    heard = [await socket.next() for _ in range(16)]
    assert [m.get("v", m) for m in heard] == list(range(2, 18))
    assert (await socket.ask("move", g=g, v=17, m=THERE))["v"] == 18


async def test_every_client_may_say_goodbye_at_any_time(player):
    g = (await player.new_game())["g"]
    for _ in range(3):
        socket = await player.connect()
        await socket.send("watch", g=g)
        await socket.connection.close(4000)
        assert socket.connection.close_code == 4000
