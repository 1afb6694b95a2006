"""The frame layer: the cases of RFC 6455, and any stream in any split read as the library's own parser reads it."""

import contextlib
import logging
from itertools import pairwise

import pytest
from bytewise import masked
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import SERVER, State
from websockets.protocol import Protocol as Oracle

from simplesimon.wire import (
    MESSAGE_LIMIT,
    NOT_UTF8,
    PROTOCOL_ERROR,
    TOO_BIG,
    Reader,
    Violation,
    closing,
    framed,
    parse_close,
    payloads,
    whole_text,
)

TEXT, BINARY, CONT, PING, PONG, CLOSE = (
    Opcode.TEXT,
    Opcode.BINARY,
    Opcode.CONT,
    Opcode.PING,
    Opcode.PONG,
    Opcode.CLOSE,
)


def read(*readings):
    """What comes out of readings, and the code of the violation that ended them, or None."""
    reader, heard = Reader(), []
    try:
        for data in readings:
            for message in reader.feed(data):
                heard.append(message)  # noqa: PERF402 - what came before a violation counts
    except Violation as violation:
        return heard, violation.code
    return heard, None


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65535, 65536, 70000])
def test_a_frame_is_as_the_library_makes_it_and_can_be_taken_apart(size):
    payload = b"a" * size
    assert framed(payload) == Frame(TEXT, payload).serialize(mask=False)
    assert list(payloads(framed(payload) + framed(b"b"))) == [payload, b"b"]


@pytest.mark.parametrize("size", [1, 4, 124, 125])
def test_a_whole_short_text_takes_the_short_path(size):
    assert whole_text(masked(TEXT, b"x" * size)) == "x" * size


@pytest.mark.parametrize(
    "data",
    [
        masked(TEXT, b""),
        masked(TEXT, b"x" * 126),
        masked(TEXT, b"x", fin=False),
        masked(BINARY, b"x"),
        masked(PING, b"x"),
        masked(TEXT, b"x")[:-1],
        masked(TEXT, b"x") + b"\x81",
        Frame(TEXT, b"12345678").serialize(mask=False),
        b"",
        b"\x81",
    ],
)
def test_whatever_else_is_left_to_the_reader(data):
    assert whole_text(data) is None


def test_fragments_with_control_frames_in_between_are_one_message():
    frames = [masked(TEXT, b"a", fin=False), masked(PING, b"p"), masked(CONT, b"b", fin=False), masked(CONT, b"c")]
    assert read(b"".join(frames)) == ([(PING, b"p"), (TEXT, "abc")], None)


def test_a_character_may_be_split_between_fragments_and_readings():
    euro = "€".encode()
    stream = masked(TEXT, euro[:1], fin=False) + masked(CONT, euro[1:])
    assert read(*(stream[i : i + 1] for i in range(len(stream)))) == ([(TEXT, "€")], None)


def test_a_reader_is_idle_only_between_messages():
    reader = Reader()
    whole = masked(TEXT, b"ab", fin=False) + masked(CONT, b"c")
    for byte in range(len(whole) - 1):
        assert list(reader.feed(whole[byte : byte + 1])) == []
        assert not reader.is_idle
    assert list(reader.feed(whole[-1:])) == [(TEXT, "abc")]
    assert reader.is_idle


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        (masked(CONT, b"x"), PROTOCOL_ERROR),
        (masked(TEXT, b"x", fin=False) + masked(TEXT, b"y"), PROTOCOL_ERROR),
        (bytes((0x91, 0x80, 0, 0, 0, 0)), PROTOCOL_ERROR),  # RSV3
        (bytes((0x83, 0x80, 0, 0, 0, 0)), PROTOCOL_ERROR),  # opcode 3
        (bytes((0x8B, 0x80, 0, 0, 0, 0)), PROTOCOL_ERROR),  # opcode 11
        (Frame(TEXT, b"x").serialize(mask=False), PROTOCOL_ERROR),
        (bytes((0x09, 0x80, 0, 0, 0, 0)), PROTOCOL_ERROR),  # a fragment of a ping
        (bytes((0x89, 0xFE, 0, 126)) + bytes(130), PROTOCOL_ERROR),  # a ping of 126 bytes
        (masked(TEXT, b"\xff"), NOT_UTF8),
        (masked(TEXT, "€".encode()[:2]), NOT_UTF8),
        (masked(TEXT, b"\xed\xa0\x80"), NOT_UTF8),  # a surrogate
        (masked(TEXT, b"x" * (MESSAGE_LIMIT + 1)), TOO_BIG),
        (masked(TEXT, b"x" * MESSAGE_LIMIT, fin=False) + masked(CONT, b"x"), TOO_BIG),
        (masked(TEXT, b"x" * MESSAGE_LIMIT, fin=False) + b"\x80\x81", TOO_BIG),  # before the rest of it has come
    ],
)
def test_what_is_against_the_protocol_has_its_code(stream, code):
    assert read(stream) == ([], code)


def test_the_limit_itself_is_no_violation():
    assert read(masked(TEXT, b"x" * MESSAGE_LIMIT)) == ([(TEXT, "x" * MESSAGE_LIMIT)], None)


def test_what_came_before_a_violation_is_heard():
    assert read(masked(TEXT, b"good") + masked(CONT, b"bad")) == ([(TEXT, "good")], PROTOCOL_ERROR)


@pytest.mark.parametrize(("payload", "code"), [(b"", 1005), (b"\x03\xe8", 1000), (b"\x0f\xa0bye", 4000)])
def test_a_goodbye_says_its_code(payload, code):
    assert parse_close(payload) == code


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"\x03", PROTOCOL_ERROR),
        (b"\x03\xed", PROTOCOL_ERROR),  # 1005 is never sent
        (b"\x00\x00", PROTOCOL_ERROR),
        (b"\x13\x88", PROTOCOL_ERROR),  # 5000
        (b"\x03\xe8\xff", NOT_UTF8),
    ],
)
def test_a_goodbye_that_cannot_be_is_a_violation(payload, code):
    with pytest.raises(Violation) as violation:
        parse_close(payload)
    assert violation.value.code == code


def test_a_goodbye_without_a_code_is_answered_without_one():
    assert closing(1005, "") == Frame(CLOSE, b"").serialize(mask=False)
    assert closing(1000, "bye") == Frame(CLOSE, Close(1000, "bye").serialize()).serialize(mask=False)


FRAMES = st.builds(
    masked,
    st.sampled_from([TEXT, BINARY, CONT, PING, PONG]),
    st.binary(max_size=140) | st.text(max_size=40).map(str.encode),
    st.booleans(),
)


@st.composite
def streams(draw):
    """Frames, most of them good, perhaps with a byte changed, in random readings."""
    frames = []
    for _ in range(draw(st.integers(1, 5))):
        with contextlib.suppress(Exception):  # the library refuses to make some: a ping in fragments
            frames.append(draw(FRAMES))
    stream = bytearray(b"".join(frames))
    if stream and draw(st.booleans()):
        stream[draw(st.integers(0, len(stream) - 1))] = draw(st.integers(0, 255))
    cuts = sorted(draw(st.sets(st.integers(0, len(stream)), max_size=6)) | {0, len(stream)})
    return [bytes(stream[a:b]) for a, b in pairwise(cuts)]


def by_the_library(readings):
    """What the library's own protocol makes of the readings: whole messages, and the code it fails with."""
    oracle = Oracle(SERVER, state=State.OPEN, max_size=MESSAGE_LIMIT, logger=logging.getLogger("quiet"))
    heard: list[tuple[Opcode | None, str | bytes]] = []
    opcode, parts = None, b""
    for data in readings:
        oracle.receive_data(data)
        for frame in oracle.events_received():
            assert isinstance(frame, Frame)
            if frame.opcode in (PING, PONG, CLOSE):
                heard.append((frame.opcode, bytes(frame.data)))
                continue
            opcode, parts = (frame.opcode, b"") if frame.opcode is not CONT else (opcode, parts)
            parts += bytes(frame.data)
            if frame.fin:
                try:
                    heard.append((opcode, parts.decode() if opcode is TEXT else parts))
                except UnicodeDecodeError:
                    return heard, NOT_UTF8
        if oracle.parser_exc is not None:
            return heard, oracle.close_sent.code if oracle.close_sent else None
    return heard, None


@given(streams())
def test_any_stream_in_any_split_is_read_as_the_library_reads_it(readings):
    heard, code = read(*readings)
    if any(opcode is CLOSE for opcode, _ in heard):
        return  # after a goodbye the library reads nothing more; what we do then the sockets' tests say
    assert (heard, code) == by_the_library(readings)
