"""Every entry is fed with what hypothesis makes up: whatever comes is no fault of ours, and the server lives."""

import asyncio
import json
import re
from typing import Any
from urllib.parse import quote, quote_from_bytes

import pytest
from clients import COLUMNS, GUARD_S
from hypothesis import given
from hypothesis import strategies as st
from servers import Server, serving
from system.rounds import made_up

HOW = made_up(250)

GAMES = ["AAAAAAAAAAAA", "{g}"]
SEGMENTS = st.one_of(
    st.sampled_from([*GAMES, "SS1-S1-AAAAABD", "..", "%00", "%2e%2e%2f", "*", ""]),
    st.text(max_size=20).map(lambda text: quote(text.encode(errors="surrogatepass"), safe="")),
    st.binary(max_size=20).map(quote_from_bytes),
)
PATHS = st.sampled_from(
    [
        "/api/games",
        *(f"/api/games/[]{end}" for end in ("", "/log", "/file", "/text")),
        *("/api/me", "/api/me/games", "/api/me/links", "/api/links", "/api/me/sessions", "/api/me/sessions/[]"),
        *("/api/deals/[]", "/deals/[]", "/games/[]", "/client/[]", "/", "/watch", "/link", "/rules", "/ws", "/[]"),
        *("/health/live", "/health/ready", "/metrics", "/docs", "/api/games/[]/[]"),
    ]
)
NAMES = ["since", "limit", "before", "after", "at", "v", "suits", "won", "by", "code", "g", "on"]
VALUES = st.one_of(
    st.sampled_from(
        ["0", "-1", "1e9", "99999999999999999999", "x", "", "²", "AAAAAAAAAAAA", "true", "NaN", "%ff", "%00"]
    ),
    st.binary(max_size=8).map(quote_from_bytes),
)
QUERIES = st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=3)
WORDS = st.sampled_from(
    [
        None,
        True,
        1,
        2,
        4,
        -1,
        1e300,
        "",
        "public",
        "private",
        "SS1-S4-AAAAABD",
        "K7QM-2XHT",
        COLUMNS,
        COLUMNS[:9],
        "x" * 99,
    ]
)
KEYS = [
    "suits",
    "code",
    "columns",
    "visibility",
    "from",
    "file",
    "g",
    "v",
    "name",
    "settings",
    "theme",
    "events",
    "chain",
    "format",
    "deal",
    "t",
    "m",
]
VALUES_OF_JSON = st.recursive(
    WORDS | st.text(max_size=8) | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
BODIES = st.one_of(
    st.dictionaries(st.sampled_from(KEYS), VALUES_OF_JSON, max_size=3).map(lambda body: json.dumps(body).encode()),
    VALUES_OF_JSON.map(lambda body: json.dumps(body).encode()),
    st.binary(max_size=60),
    st.sampled_from(
        [
            b"",
            b"[" * 20000,
            b'{"code":"\\ud800"}',
            b'{"name":"\\u0000"}',
            b"{}" * 9000,
            b'{"suits":1' + b"0" * 9000 + b"}",
        ]
    ),
)
TEXTS = st.one_of(
    st.binary(max_size=20),
    st.sampled_from(
        [
            b"",
            b"x",
            b"null",
            b"a" * 3000,
            b"sid=",
            b"sid=x; sid=y",
            b'sid="\\377"',
            b"https",
            b"::1",
            b"fe80::1%eth0",
            b"1.2.3.4, x",
            b"gzip",
        ]
    ),
)
HEADERS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "Cookie",
                "Origin",
                "User-Agent",
                "X-Forwarded-For",
                "X-Forwarded-Proto",
                "Accept-Encoding",
                "Accept-Language",
                "Content-Type",
                "Range",
                "If-None-Match",
                "If-Modified-Since",
                "Host",
                "Upgrade",
                "Sec-WebSocket-Protocol",
            ]
        ),
        TEXTS.map(lambda text: re.sub(rb"[\r\n\0]", b"", text)),
    ),
    max_size=4,
)
METHODS = st.sampled_from(["GET", "GET", "POST", "POST", "PATCH", "DELETE", "HEAD", "PUT", "OPTIONS", "TRACE", "BREW"])


class Caller:
    """Requests as bytes, to one server."""

    def __init__(self, server: Server, loop: Any, g: str, cookie: str) -> None:
        self.server, self.loop, self.g, self.cookie = server, loop, g, cookie

    def request(self, sent: bytes) -> bytes:
        answer: bytes = self.loop.run_until_complete(self._request(sent))
        return answer

    async def _request(self, sent: bytes) -> bytes:
        host, port = self.server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(sent)
            async with asyncio.timeout(GUARD_S):
                return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()


@pytest.fixture(scope="module")
def caller(store_url, tmp_path_factory):
    words = tmp_path_factory.mktemp("fuzzed") / "words"
    with serving(words, "--redis-url", store_url, "--no-limits") as server, asyncio.Runner() as runner:
        caller = Caller(server, runner.get_loop(), "", "")
        made = caller.request(
            b"POST /api/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
        )
        caller.g = made.partition(b'"g":"')[2][:12].decode()
        caller.cookie = made.partition(b"set-cookie: ")[2].partition(b";")[0].decode()
        yield caller


@HOW
@given(METHODS, PATHS, st.lists(SEGMENTS, min_size=2, max_size=2), QUERIES, HEADERS, BODIES, st.booleans())
def test_no_request_is_a_fault_of_ours(caller, method, path, segments, query, headers, body, is_known):
    for segment in segments:
        path = path.replace("[]", segment.replace("{g}", caller.g), 1)
    path += "?" + "&".join("=".join(pair) for pair in query) if query else ""
    lines = [
        f"{method} {path} HTTP/1.1".encode("ascii", "replace"),
        b"Connection: close",
        f"Content-Length: {len(body)}".encode(),
    ]
    lines += [name.encode() + b": " + value for name, value in headers]
    if not any(name == "Host" for name, _ in headers):
        lines.append(b"Host: x")
    if is_known and not any(name == "Cookie" for name, _ in headers):
        lines.append(b"Cookie: " + caller.cookie.encode())
    answer = caller.request(b"\r\n".join(lines) + b"\r\n\r\n" + body)
    status = re.match(rb"HTTP/1.1 (\d+)", answer)
    assert not answer or (status and status[1] < b"500"), (b"\r\n".join(lines), body[:200], answer[:300])
    assert "Traceback" not in caller.server.words
