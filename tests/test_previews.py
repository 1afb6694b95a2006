"""What a link unfolds to where it is passed on: of what everybody may see, and of nothing else."""

import asyncio
import re
import shutil
import struct
import subprocess
import sys
from html import unescape
from itertools import pairwise

import pytest
from clients import COLUMNS, THERE, WIN, Device
from servers import serving
from stories import CODE, EXAMPLE

from simplesimon.errors import Unavailable
from simplesimon.pages import client_dir
from simplesimon.picture import Art
from simplesimon.pictures import painted
from simplesimon.rules.deal import deal_code

ART = Art(*[(client_dir() / name).read_text() for name in ("cards.svg", "theme.css")])


async def unfolded(device, path, **headers):
    """The tags of a page, by name."""
    page = (await device.http.get(path, headers=headers)).text
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


async def played(device, *moves, **wanted):
    g = (await device.new_game(columns=COLUMNS, **wanted))["g"]
    await (await device.watching(g)).play(g, 1, *moves)
    return g


def is_picture(answer):
    """A PNG of the size that chat applications ask for."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    return True


async def test_a_link_to_a_game_tells_who_plays_and_how_it_stands(player, stranger):
    await player.patch("/api/me", name='Ann <3 "S\'imon" & co')
    g = await played(player, *WIN[:2])
    site = str(player.http.base_url).rstrip("/")
    assert await unfolded(stranger, f"/games/{g}") == {
        "og:site_name": "Simple Simon",
        "og:title": 'Ann <3 "S\'imon" & co plays Simple Simon, 4 suits',
        "og:description": "698 points, 2 moves, 2 of 4 sequences removed",
        "og:type": "website",
        "og:locale": "en_GB",
        "og:url": f"{site}/games/{g}",
        "og:image": f"{site}/games/{g}/picture.png?v=3",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": 'Ann <3 "S\'imon" & co plays Simple Simon, 4 suits',
        "twitter:card": "summary_large_image",
    }
    assert is_picture(await stranger.http.get(f"/games/{g}/picture.png?v=3"))


async def test_a_won_game_and_another_language(player, stranger):
    g = await played(player, *WIN)
    told = await unfolded(stranger, f"/games/{g}", **{"Accept-Language": "el-GR,en;q=0.5"})
    assert told["og:description"] == "894 πόντοι, 6 κινήσεις, κερδήθηκε"
    assert told["og:locale"] == "el_GR"
    assert is_picture(await stranger.http.get(f"/games/{g}/picture.png"))


async def test_a_name_is_text_in_the_page_too(player, stranger):
    await player.patch("/api/me", name='"><script>x</script>')
    g = await played(player)
    page = (await stranger.http.get(f"/games/{g}")).text
    assert "<script>x" not in page
    assert "&quot;&gt;&lt;script&gt;x" in page


async def test_a_link_to_a_deal_shows_its_cards_and_nothing_of_how_it_went(stranger):
    told = await unfolded(stranger, f"/deals/{CODE}")
    assert told["og:title"] == f"Deal {CODE} of Simple Simon"
    assert told["og:description"].startswith("1 suit. Play the same cards")
    assert told["og:image"].endswith(f"/deals/{CODE}/picture.png")
    answer = await stranger.http.get(f"/deals/{CODE}/picture.png")
    assert is_picture(answer)
    assert answer.headers["cache-control"] == "public, max-age=86400"
    nothing = await stranger.http.get("/deals/nothing/picture.png")
    assert (nothing.status_code, nothing.json()["code"]) == (400, "bad_deal_code")
    assert (await unfolded(stranger, "/deals/nothing"))["og:title"] == "Simple Simon"


@pytest.mark.parametrize("path", ["/", "/watch", "/rules", "/games", "/link"])
async def test_every_other_page_has_the_general_picture(player, path):
    await played(player)
    told = await unfolded(player, path)
    site = str(player.http.base_url).rstrip("/")
    assert (told["og:title"], told["og:url"], told["og:image"]) == ("Simple Simon", site + path, f"{site}/picture.png")


async def test_the_general_picture(stranger):
    assert is_picture(await stranger.http.get("/picture.png"))


async def test_a_private_game_is_told_like_none(player, stranger):
    private = await played(player, THERE, visibility="private")
    pages = [(await stranger.http.get(f"/games/{g}")).text for g in (private, "AAAAAAAAAAAA")]
    assert pages[0] == pages[1]
    assert (await unfolded(player, f"/games/{private}"))["og:title"] == "Simple Simon", "to its player neither"
    told = [await device.http.get(f"/games/{private}/picture.png") for device in (player, stranger)]
    none = await stranger.http.get("/games/AAAAAAAAAAAA/picture.png")
    assert [answer.status_code for answer in (*told, none)] == [404, 404, 404]
    assert {answer.text.replace(private, "AAAAAAAAAAAA") for answer in told} == {none.text}
    open_once = await played(player, THERE)
    assert is_picture(await stranger.http.get(f"/games/{open_once}/picture.png"))
    await player.patch(f"/api/games/{open_once}", visibility="private")
    assert (await stranger.http.get(f"/games/{open_once}/picture.png")).status_code == 404


async def test_a_picture_is_known_again_until_the_game_moves(player, stranger):
    g = await played(player)
    first = await stranger.http.get(f"/games/{g}/picture.png")
    known = {"If-None-Match": first.headers["etag"]}
    assert first.headers["cache-control"] == "no-cache"
    assert (await stranger.http.get(f"/games/{g}/picture.png", headers=known)).status_code == 304
    await (await player.watching(g)).play(g, 1, THERE)
    later = await stranger.http.get(f"/games/{g}/picture.png", headers=known)
    assert is_picture(later)
    assert later.content != first.content


DRAWN_OTHERWISE = {
    "by other code": "picture.HEIGHT -= 1",
    "with another pack": "pages.client_dir = lambda: pathlib.Path('{pack}')",
}


@pytest.mark.parametrize("change", DRAWN_OTHERWISE.values(), ids=DRAWN_OTHERWISE)
async def test_a_picture_is_not_known_again_once_it_is_drawn_otherwise(player, store_url, tmp_path, change):
    paths = [f"/games/{await played(player)}/picture.png", f"/deals/{CODE}/picture.png", "/picture.png"]
    tags = [(await player.http.get(path)).headers["etag"] for path in paths]
    theme = shutil.copytree(client_dir(), tmp_path / "pack") / "theme.css"
    theme.write_text(theme.read_text().replace("#fffaee", "#fffaef"))
    code = f"import pathlib; from simplesimon import __main__ as it, pages, picture; {change}; it.main()"
    how = ("-c", code.format(pack=tmp_path / "pack"))
    with serving(tmp_path / "words", "--redis-url", store_url, "--no-limits", how=how) as upgraded:
        async with Device(upgraded.url) as device:
            for path, tag in zip(paths, tags, strict=True):
                answer = await device.http.get(path, headers={"If-None-Match": tag})
                assert (answer.status_code, answer.headers["etag"] != tag) == (200, True), path


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("simon.example", "http://simon.example"),
        ("simon.example:8443", "http://simon.example:8443"),
        ("simon_1:8000", "http://simon_1:8000"),
        ("[::1]:80", "http://[::1]:80"),
        ('x"><script>', None),
        ("simon.example/elsewhere", None),
        ("user@simon.example", None),
        ("", None),
        ("a" * 2400, None),
    ],
)
async def test_only_a_host_that_can_be_one_gets_into_an_address(stranger, host, site):
    told = await unfolded(stranger, "/watch", Host=host)
    assert told.get("og:url") == (site and f"{site}/watch")
    assert told.get("og:image") == (site and f"{site}/picture.png")
    assert told["og:title"] == "Simple Simon"


async def test_the_public_address_is_what_the_operator_says(store_url, tmp_path):
    with serving(
        tmp_path / "words", "--redis-url", store_url, "--no-limits", "--public-url", "https://simon.example"
    ) as server:
        async with Device(server.url) as device:
            assert (await unfolded(device, "/watch"))["og:url"] == "https://simon.example/watch"
            assert (await device.post("/api/me/links"))["url"].startswith("https://simon.example/link#")
            own = {"Origin": "https://simon.example"}  # of a page behind a proxy that does not pass the host on
            assert (await device.http.post("/api/games", headers=own)).status_code == 201
            await device.connect(headers=own)
            for other in ("https://elsewhere.example", "http://simon.example", ""):
                answer = await device.http.post("/api/games", headers={"Origin": other})
                assert (answer.status_code, answer.json()["code"]) == (403, "bad_origin")


async def test_an_address_has_so_many_pictures_drawn_but_any_number_of_kept_ones(limited):
    async with Device(limited.url) as device:
        paths = [f"/deals/{deal_code(1, seed)}/picture.png" for seed in range(25)]
        answers = await asyncio.gather(*map(device.http.get, paths))
        told = {answer.status_code: path for answer, path in zip(answers, paths, strict=True)}
        assert set(told) <= {200, 429, 503}, "503: more than eight at once"
        assert is_picture(answers[paths.index(told[200])])
        assert answers[paths.index(told[429])].json()["code"] == "too_fast"
        for _ in range(15):
            assert is_picture(await device.http.get(told[200]))


# The drawing


def test_a_picture_has_a_card_for_each_card_and_only_the_inks_of_the_page():
    drawn = ART.table(EXAMPLE.deal.lines, ["S"], -1234)
    assert drawn.count('fill="#fffaee" stroke="#4a5a5c"') == 52
    assert "var(" not in drawn
    assert "#1e62a8" not in drawn, "the pack in two colours"


def test_columns_of_any_length_stay_in_the_picture():
    long = [" ".join(["KS"] * 20), *[""] * 9]
    placed = [float(y) for y in re.findall(r"translate\(24\.00 ([\d.]+)\) scale\(1\.0", ART.table(long, [], 500))]
    assert len(placed) == 20
    assert max(placed) + 140 * 1.05 < 630
    assert min(b - a for a, b in pairwise(placed)) > 15


async def test_where_no_process_can_begin_a_picture_cannot_be_had(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")  # an OSError, as one process too many is
    with pytest.raises(Unavailable, match="could not be drawn"):
        await painted("<svg/>")


def test_what_would_take_too_much_is_not_drawn():
    huge = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"><rect width="9" height="9"/></svg>'
    painter = [sys.executable, "-m", "simplesimon.painter"]
    ended = subprocess.run(painter, input=huge.encode(), capture_output=True, check=False)
    assert (ended.returncode != 0, ended.stdout) == (True, b"")
