"""Streams of frames made up by hypothesis, on real sockets: the server does what the library's own parser makes of one.

Good frames, broken ones, and raw junk, in random readings, after a real handshake. While they come somebody plays, and
a spectator is told, as if nothing happened.
"""

import asyncio
import contextlib
import logging
from itertools import pairwise
from typing import Any

import pytest
from bytewise import Raw, masked, short
from clients import BACK, THERE, Device
from hypothesis import given
from hypothesis import strategies as st
from servers import PLAINLY, SERVE, serving
from system.rounds import made_up
from websockets.exceptions import ProtocolError
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import OPEN, SERVER, Protocol

from simplesimon.errors import BadMessage
from simplesimon.messages import Ping, parse
from simplesimon.wire import MESSAGE_LIMIT, NOT_UTF8

pytestmark = pytest.mark.system

HOW = made_up(150)
TEXT, BINARY, CONT, PING, CLOSE = Opcode.TEXT, Opcode.BINARY, Opcode.CONT, Opcode.PING, Opcode.CLOSE
LAST = -99
"""The number of a ping that no example has: what is answered before it is all that is answered."""

TEXTS = st.one_of(
    st.integers(0, 9).map(lambda n: b'{"t":"ping","n":%d}' % n),
    st.text(max_size=60).map(str.encode),
)
LARGE = st.integers(MESSAGE_LIMIT - 1, MESSAGE_LIMIT + 1).map(lambda size: b" " * size)
CONTENTS = st.one_of(
    TEXTS,
    st.binary(max_size=140),
    st.sampled_from([b"\x03\xe8", b"\x03\xed", b"\x0f\xa1bye", b"\x03\xe8\xff", b"\x13\x88", b"\xe2\x82"]),
)
OPCODES = st.sampled_from([TEXT, BINARY, CONT, PING, Opcode.PONG, CLOSE])
HEADS = st.sampled_from([b"\x81\xfe\x10\x01", b"\x81\xff" + b"\x7f" * 8, b"\x81\xff" + b"\xff" * 8])
"""Of a frame that is too large, and does not come."""
GOODBYES = st.sampled_from([0, 1000, 1001, 4001]).map(
    lambda code: masked(CLOSE, Close(code, "bye").serialize() if code else b"")
)


@st.composite
def messages(draw, contents=TEXTS):
    """A message as a client sends it: whole, or in fragments with control frames in between."""
    content = draw(contents)
    cuts = sorted(draw(st.sets(st.integers(0, len(content)), max_size=2)))
    parts = [content[a:b] for a, b in pairwise([0, *cuts, len(content)])]
    sent = b""
    for number, part in enumerate(parts, 1):
        if draw(st.booleans()):
            sent += masked(draw(st.sampled_from([PING, Opcode.PONG])), draw(st.binary(max_size=10)))
        sent += masked(CONT if number > 1 else draw(st.sampled_from([TEXT, TEXT, BINARY])), part, number == len(parts))
    return sent


@st.composite
def frames(draw):
    """A frame, whatever it is; the library refuses to make some that it would refuse to take."""
    opcode, content, is_last = draw(OPCODES), draw(CONTENTS), draw(st.booleans())
    with contextlib.suppress(ProtocolError):
        return masked(opcode, content, is_last)
    return b""


@st.composite
def streams(draw):
    """Bytes in random readings: good messages, perhaps what is none, perhaps a byte changed, perhaps cut off."""
    good = st.lists(messages(), max_size=4).map(b"".join)
    other = st.just(b"") | messages(LARGE) | messages(LARGE) | GOODBYES | frames() | HEADS | st.binary(max_size=30)
    stream = bytearray(draw(good) + draw(other) + draw(good))
    if stream and draw(st.booleans()):
        stream[draw(st.integers(0, len(stream) - 1))] = draw(st.integers(0, 255))
    if draw(st.sampled_from([True, False, False])):
        del stream[draw(st.integers(0, len(stream))) :]
    cuts = sorted(draw(st.sets(st.integers(0, len(stream)), max_size=6)) | {0, len(stream)})
    return [bytes(stream[a:b]) for a, b in pairwise(cuts)]


class Oracle:
    """What the library makes of a stream: `answers` to what it heard, and `codes`, one of which ends the connection."""

    def __init__(self, stream):
        self._protocol = Protocol(SERVER, state=OPEN, max_size=MESSAGE_LIMIT, logger=logging.getLogger("quiet"))
        self.answers: list[tuple[Opcode, Any]] = []
        self.codes: set[int] = set()
        self._opcode, self._content = None, b""
        self._protocol.receive_data(stream)
        for frame in self._protocol.events_received():
            assert isinstance(frame, Frame)
            if not self.codes:
                self._take(frame)
        if self._protocol.close_sent and not self.codes:
            self.codes.add(self._protocol.close_sent.code)
            if self._protocol.close_rcvd:  # in the midst of a message: the library alone minds (RFC 6455, 5.4)
                self.codes.add(self._protocol.close_rcvd.code)

    def is_between_frames(self, stream):
        """Whether what would come next is read as a message of its own."""
        after = Oracle(stream + masked(TEXT, b'{"t":"ping","n":%d}' % LAST))
        return after.answers[len(self.answers) :] == [(TEXT, LAST)] and not after.codes

    def _take(self, frame):
        if frame.opcode is PING:
            self.answers.append((Opcode.PONG, bytes(frame.data)))
        elif frame.opcode in (TEXT, BINARY, CONT):
            opcode = self._opcode = self._opcode if frame.opcode is CONT else frame.opcode
            self._content = (self._content if frame.opcode is CONT else b"") + bytes(frame.data)
            if frame.fin:
                self._hear(opcode)

    def _hear(self, opcode):
        try:
            text = self._content.decode() if opcode is TEXT else self._content
        except UnicodeDecodeError:
            self.codes.add(NOT_UTF8)
        else:
            self.answers.append((TEXT, answer_to(text)))


def answer_to(message):
    """A number of a ping, or why there is none."""
    try:
        asked = parse(message) if isinstance(message, str) else None
    except BadMessage:
        asked = None
    return asked.n if isinstance(asked, Ping) else "bad_message"


class Table:
    """A game that is played and watched on the server, and who sends what is made up."""

    def __init__(self, server, loop, how):
        self.server, self.loop, self.is_plain = server, loop, how is PLAINLY
        self.v = 1

    async def sit_down(self, living):
        player, friend = [await living.enter_async_context(Device(self.server.url)) for _ in range(2)]
        await player.me()
        self.g = (await player.new_game())["g"]
        self.playing, self.watching = await player.watching(self.g), await friend.watching(self.g)

    async def hears(self, readings):
        """What is answered to a stream. In the middle of it a move is made, and the spectator is told."""
        async with Raw.connected(self.server.url) as raw:
            await raw.ask()
            await raw.granted()
            greeting = await raw.frame()
            assert greeting is not None
            assert b'"hello"' in greeting.data
            for reading in readings:
                await raw.send(reading)
            await self._move()
            return await self._answers(raw, b"".join(readings))

    async def _move(self):
        [diff] = await self.playing.play(self.g, self.v, THERE if self.v % 2 else BACK)
        assert await self.watching.next() == diff
        self.v += 1

    async def _answers(self, raw, stream):
        oracle = Oracle(stream)
        heard: list[tuple[Opcode, Any]] = []
        if oracle.is_between_frames(stream):
            await raw.send(masked(TEXT, b'{"t":"ping","n":%d}' % LAST))
            oracle.answers.append((TEXT, LAST))
        while oracle.codes or len(heard) < len(oracle.answers):
            frame = await raw.frame()
            if frame is None:
                break
            heard.append(short(frame))
            if frame.opcode is CLOSE:
                await raw.send(masked(CLOSE, frame.data))
        return oracle, heard


@pytest.fixture(scope="module", params=[SERVE, PLAINLY], ids=["taken over", "plain ASGI"])
def table(request, store_url, tmp_path_factory):
    words = tmp_path_factory.mktemp("made up") / "words"
    with (
        serving(words, "--redis-url", store_url, "--no-limits", how=request.param) as server,
        asyncio.Runner() as runner,
    ):
        table, living = Table(server, runner.get_loop(), request.param), contextlib.AsyncExitStack()
        runner.run(table.sit_down(living))
        yield table
        runner.run(living.aclose())


@HOW
@given(streams())
def test_a_stream_of_frames_is_answered_as_the_library_reads_it(table, readings):
    oracle, heard = table.loop.run_until_complete(table.hears(readings))
    if table.is_plain:
        check_plainly(oracle, heard)
        return
    if oracle.codes:
        assert heard, "closed without a word"
        opcode, code = heard.pop()
        assert (opcode, code in oracle.codes) == (CLOSE, True), code
    assert heard == oracle.answers
    assert "Traceback" not in table.server.words


def check_plainly(oracle, heard):
    """A server of plain ASGI answers control frames before what came earlier, and of the reading that ends a connection
    perhaps nothing else; it looks for UTF-8 when it has taken the reading apart, and trips when that ended already.
    """
    is_ended, is_late = bool(oracle.codes), NOT_UTF8 in oracle.codes
    for opcode in (TEXT,) if is_late else (TEXT, Opcode.PONG):
        due, told = [[each for each in answers if each[0] is opcode] for answers in (oracle.answers, heard)]
        assert told == (due[: len(told)] if is_ended else due)
    if not is_late:
        codes = {code for opcode, code in heard if opcode is CLOSE}
        assert codes <= oracle.codes
        assert bool(codes) == is_ended
