"""Pages, the static client, safe headers, origins, health and metrics."""

import pytest
from clients import COLUMNS

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize("path", ["/", "/games", "/watch", "/link", "/rules"])
async def test_every_page_is_the_one_page(stranger, path):
    answer = await stranger.http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.text == (await stranger.http.get("/")).text
    assert "set-cookie" not in answer.headers


async def test_a_game_s_page_is_there_and_one_of_no_game_is_not(player, stranger):
    g = (await player.new_game())["g"]
    private = (await player.new_game(columns=COLUMNS, visibility="private"))["g"]
    page = (await stranger.http.get("/")).text
    for device, game, status in [
        (stranger, g, 200),
        (player, private, 200),
        (stranger, private, 404),
        (stranger, "AAAAAAAAAAAA", 404),
        (stranger, "x", 404),
        (stranger, "%00", 404),
    ]:
        answer = await device.http.get(f"/games/{game}")
        assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
        assert answer.text == page


async def test_the_client_is_served_and_known_again(stranger):
    for name, kind in [("main.js", "javascript"), ("style.css", "text/css"), ("cards.svg", "image/svg+xml")]:
        answer = await stranger.http.get(f"/client/{name}")
        assert answer.status_code == 200
        assert kind in answer.headers["content-type"]
        again = await stranger.http.get(f"/client/{name}", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
    for nothing in ("/client/nothing.js", "/client/../server/simplesimon/web.py", "/client/%2e%2e/pyproject.toml"):
        assert (await stranger.http.get(nothing)).status_code == 404


@pytest.mark.parametrize(
    "path", ["/", "/games/x", "/client/main.js", "/api/games", "/api/games/x", "/nothing", "/docs", "/health/live"]
)
async def test_every_answer_has_safe_headers(stranger, path):
    headers = (await stranger.http.get(path)).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in headers


async def test_answers_of_the_api_are_not_kept(player):
    assert (await player.http.get("/api/me")).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/games"),
        ("PATCH", "/api/games/x"),
        ("PATCH", "/api/me"),
        ("POST", "/api/me/links"),
        ("POST", "/api/links"),
        ("DELETE", "/api/me/sessions/x"),
    ],
)
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://[", "http://127.0.0.1:1"])
async def test_a_page_of_another_site_changes_nothing(player, method, path, origin):
    answer = await player.http.request(method, path, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "bad_origin")
    assert (await player.get("/api/me/games"))["games"] == []


async def test_our_own_page_and_what_is_no_page_may_change_things(player):
    own = {"Origin": str(player.http.base_url)}
    assert (await player.http.post("/api/games", headers=own)).status_code == 201
    assert (await player.http.post("/api/games")).status_code == 201


async def test_the_process_lives_and_the_store_is_ready(stranger):
    assert await stranger.get("/health/live") == {"status": "live"}
    assert await stranger.get("/health/ready") == {"status": "ready", "durability": "fsync", "replicas": 0}
    assert not stranger.http.cookies


async def test_metrics_are_prometheus_text(player):
    g = (await player.new_game())["g"]
    socket = await player.watching(g)
    await socket.ask("undo", g=g, v=1)
    answer = await player.http.get("/metrics")
    assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, "text/plain")
    assert "simplesimon_sockets 1.0" in answer.text
    assert 'simplesimon_commands_total{answer="refused"}' in answer.text
