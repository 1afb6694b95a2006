"""The frame layer (RFC 6455): text frames out, framed once and written to many; messages in, whole and checked. No
I/O.

What the library can do is the library's: frames are parsed by `websockets.frames`. Only a whole, final, masked text
frame in one reading, which nearly every message is, takes a short path past it.
"""

import struct
from collections.abc import Generator, Iterator

from websockets.exceptions import PayloadTooBig, ProtocolError
from websockets.frames import CTRL_OPCODES, Close, Frame, Opcode
from websockets.streams import StreamReader

MESSAGE_LIMIT = 4096
"""Bytes of a message from a client, all its fragments together."""
NORMAL, PROTOCOL_ERROR, NO_STATUS, NOT_UTF8, TOO_BIG = 1000, 1002, 1005, 1007, 1009

_TEXT = 0x81  # one final text frame
_MASKED = 0x80


class Violation(Exception):
    """What came is against the protocol: the connection is to be closed with `code`."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def framed(payload: bytes) -> bytes:
    """The frame of a UTF-8 text."""
    length = len(payload)
    if length < 126:
        return bytes((_TEXT, length)) + payload
    if length < 2**16:
        return struct.pack("!BBH", _TEXT, 126, length) + payload
    return struct.pack("!BBQ", _TEXT, 127, length) + payload


def control(opcode: Opcode, payload: bytes = b"") -> bytes:
    """A close, ping or pong frame."""
    return Frame(opcode, payload).serialize(mask=False)


def closing(code: int, reason: str) -> bytes:
    """A close frame."""
    return control(Opcode.CLOSE, b"" if code == NO_STATUS else Close(code, reason).serialize())


def payloads(frames: bytes) -> Iterator[bytes]:
    """The texts of frames that `framed` made, one after the other."""
    start = 0
    while start < len(frames):
        length, start = frames[start + 1], start + 2
        if length >= 126:
            size = 2 if length == 126 else 8
            length, start = int.from_bytes(frames[start : start + size], "big"), start + size
        yield frames[start : start + length]
        start += length


def whole_text(data: bytes) -> str | None:
    """The text, when what was read is just one short frame of it; None: to be read by a `Reader`. Raises Violation."""
    length = len(data) - 6
    if length < 1 or data[0] != _TEXT or data[1] != _MASKED | length or length > 125:
        return None
    mask = data[2:6] * (length // 4 + 1)
    text = int.from_bytes(data[6:], "big") ^ int.from_bytes(mask[:length], "big")
    return _decoded(text.to_bytes(length, "big"))


def parse_close(payload: bytes) -> int:
    """The code of a close frame that came. Raises Violation."""
    try:
        return int(Close.parse(payload).code)
    except ProtocolError as error:
        raise Violation(PROTOCOL_ERROR, str(error)) from None
    except UnicodeDecodeError:
        raise Violation(NOT_UTF8, "a reason that is not UTF-8") from None


class Reader:
    """Puts messages together from what was read, however it was split."""

    __slots__ = ("_opcode", "_parser", "_parts", "_stream")

    def __init__(self) -> None:
        self._stream = StreamReader()
        self._parser: Generator[None, None, Frame] | None = None
        self._opcode: Opcode | None = None  # of the message whose fragments are in `_parts`
        self._parts = b""

    @property
    def is_idle(self) -> bool:
        """Whether all that was read was whole: then the next reading needs nothing of this one."""
        return self._parser is None and self._opcode is None

    def feed(self, data: bytes) -> Iterator[tuple[Opcode, str | bytes]]:
        """Text messages (str), binary ones (bytes) and control frames, as they become whole. Raises Violation."""
        self._stream.feed_data(data)
        while self._parser or self._stream.buffer:
            if self._parser is None:
                left = MESSAGE_LIMIT - len(self._parts)
                self._parser = Frame.parse(self._stream.read_exact, mask=True, max_size=left)
            try:
                next(self._parser)
            except StopIteration as done:
                self._parser = None
                yield from self._message(done.value)
            except PayloadTooBig:
                raise Violation(TOO_BIG, f"a message of more than {MESSAGE_LIMIT} bytes") from None
            except ProtocolError as error:
                raise Violation(PROTOCOL_ERROR, str(error)) from None
            else:
                return  # the rest of the frame has not come yet

    def _message(self, frame: Frame) -> Iterator[tuple[Opcode, str | bytes]]:
        if frame.opcode in CTRL_OPCODES:
            yield frame.opcode, bytes(frame.data)
            return
        if (frame.opcode is Opcode.CONT) != (self._opcode is not None):
            raise Violation(PROTOCOL_ERROR, "a fragment of another message than the one begun")
        opcode, data = self._opcode or frame.opcode, self._parts + bytes(frame.data)
        if frame.fin:
            self._opcode, self._parts = None, b""
            yield opcode, _decoded(data) if opcode is Opcode.TEXT else data
        else:
            self._opcode, self._parts = opcode, data


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Violation(NOT_UTF8, "a text that is not UTF-8") from None
