"""What the page asks over HTTP: whatever comes, or breaks off, has a code that the page has words for."""

import pytest
from javascript import run

ASKED = """
    globalThis.window = {};
    globalThis.fetch = async () => { %s };
    const { api } = await load("api.js");
    return await api.myGames().then((found) => ({ found }), ({ name, code, status }) => [name, code, status]);
"""
HALF = 'new ReadableStream({ pull: (half) => half.error(new TypeError("terminated")) })'


@pytest.mark.parametrize(
    ("answer", "becomes"),
    [
        ("throw new TypeError('Failed to fetch')", ["Error", "no_answer", 0]),
        (f"return new Response({HALF})", ["Error", "no_answer", 0]),
        ("return new Response('<h1>Sign in to this network</h1>')", ["Error", "unavailable", 200]),
        ("return new Response('<h1>Bad gateway</h1>', { status: 502 })", ["Error", "unavailable", 502]),
        ("return Response.json({ code: 'too_fast', detail: '' }, { status: 429 })", ["Error", "too_fast", 429]),
        ("return new Response(null, { status: 204 })", {"found": None}),
        ("return Response.json({ games: [] })", {"found": {"games": []}}),
    ],
)
def test_an_answer(answer, becomes):
    assert run(ASKED % answer) == becomes
