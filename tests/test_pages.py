"""Pages, the static client, safe headers, origins, health and metrics."""

import json
import re

import httpx
import pytest
from clients import COLUMNS

from simplesimon.config import Config
from simplesimon.pages import client_dir
from simplesimon.web import application

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


KNOWN = re.compile(r'<script type="application/json" id="known">(.*?)</script>')


PREVIEW = re.compile(r' *<meta (?:property="og|name="twitter):.*>\n')


def known(page):
    """What a page brings along."""
    [block] = KNOWN.findall(page.text)
    return json.loads(block)


def bare(page):
    """A page without what it brings along, and what its link unfolds to."""
    return PREVIEW.sub("", KNOWN.sub("", page.text))


@pytest.mark.parametrize("path", ["/", "/games", "/watch", "/tv", "/link", "/rules"])
async def test_every_page_is_the_one_page(stranger, path):
    answer = await stranger.http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert bare(answer) == bare(await stranger.http.get("/"))
    assert known(answer) == {}
    assert "set-cookie" not in answer.headers


async def test_a_game_s_page_is_there_and_one_of_no_game_is_not(player, stranger):
    g = (await player.new_game())["g"]
    private = (await player.new_game(columns=COLUMNS, visibility="private"))["g"]
    page = bare(await stranger.http.get("/"))
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
        assert bare(answer) == page
        assert ("game" in (known(answer) or {})) == (status == 200)


async def test_a_page_brings_along_its_reader_and_the_game_it_opens(player, stranger):
    mine, older = (await player.new_game())["g"], (await player.new_game())["g"]
    await (await player.socket()).ask("move", g=mine, v=1, m=[0, 9, 9])  # the one played last, though refused
    me = await player.get("/api/me")
    for device, path, expected in [
        (player, "/", {"me": me, "game": me["current"]}),
        (player, "/watch", {"me": me}),
        (player, f"/games/{older}", {"me": me, "game": older}),
        (stranger, f"/games/{older}", {"game": older}),
    ]:
        answer = await device.http.get(path)
        found = known(answer)
        if "game" in found:
            assert found["game"] == await device.get(f"/api/games/{found['game']['g']}")
            found["game"] = found["game"]["g"]
        assert found == expected
        assert answer.headers["cache-control"] == "no-store"


async def test_a_page_wears_its_reader_s_look_before_any_script_has_run(player, stranger):
    await player.http.patch("/api/me", json={"settings": {"theme": "dark", "left_handed": True}})
    answer = await player.http.get("/")
    assert '<html lang="en" data-theme="dark" data-left-handed>' in answer.text
    assert '<html lang="en">' in (await stranger.http.get("/")).text


async def test_what_a_page_brings_along_cannot_end_its_block(player):
    await player.http.patch("/api/me", json={"name": "</script><b>"})
    answer = await player.http.get("/watch")
    assert known(answer)["me"]["player"]["name"] == "</script><b>"
    assert "<b>" not in answer.text


async def test_the_page_s_files_may_be_kept_for_ever(stranger):
    page = await stranger.http.get("/")
    addresses = re.findall(r'"(/edition/[^"]+)"', page.text)
    assert len(addresses) > 3
    for address in [*addresses, *re.findall(r'"(/[^"#]+)#', page.text)[:1]]:
        plain = await stranger.http.get(address, headers={"Accept-Encoding": "identity"})
        packed = await stranger.http.get(address)
        assert (plain.status_code, plain.content) == (200, packed.content)
        assert packed.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
        of_another = await stranger.http.get(re.sub("/edition/[^/]+", "/edition/0123456789ab", address))
        assert (of_another.content, of_another.headers["cache-control"]) == (plain.content, "no-cache")
    for nothing in ("nothing.js", "../../server/simplesimon/web.py", "%2e%2e/pyproject.toml"):
        assert (await stranger.http.get(f"/edition/0123456789ab/{nothing}")).status_code == 404


async def test_the_sources_are_served_as_they_were_written_and_known_again(stranger):
    for name, kind in [("main.js", "javascript"), ("style.css", "text/css"), ("cards.svg", "image/svg+xml")]:
        answer = await stranger.http.get(f"/client/{name}")
        assert answer.text == (client_dir() / name).read_text()
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


async def test_the_answer_to_a_fault_of_ours_has_safe_headers_too():
    app = application(Config())  # without its backend, every request is a fault
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://simon.example") as device:
        answer = await device.get("/api/me")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"


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
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://[", "http://127.0.0.1:1", ""])
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
    assert 'simplesimon_loop_lateness_seconds_bucket{le="0.1"}' in answer.text
