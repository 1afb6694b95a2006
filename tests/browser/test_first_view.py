"""What a first visit costs until the table is on the page: few requests, to this server alone, and all of them small.

A test here that fails means: what was added makes every first view slower. Import it later, by later.js.
"""

import re

import pytest
from browser.table import Table
from playwright.sync_api import Route

from simplesimon.edition import Edition
from simplesimon.joining import without_comments
from simplesimon.pages import client_dir

FILES = {"cards.svg", "first.js", "locales/en.json", "main.js", "page.css"}
ASKED = {"POST /api/games", "GET /api/me"}
LATER = {"icon.svg", "manifest.webmanifest"}
"""What a browser asks for when it likes."""

WEIGHT = 65_000
"""In bytes, compressed: 0.3 s on Fast 3G, which leaves as much for two journeys, and for the table to be made. Another
zlib than that of this machine may need a hundredth more.
"""


def test_the_files_of_a_first_view_are_small():
    edition = Edition(client_dir())
    sizes = {name: len(edition.compressed(name)) for name in FILES - {"locales/en.json"} | {"locales/el.json"}}
    assert sum(sizes.values()) < WEIGHT, sizes


def test_all_that_comes_later_is_named_in_one_place():
    scripts = {path.name: without_comments(path.read_text()) for path in client_dir().glob("*.js")}
    needed = {"first.js", "main.js"}
    while found := {name for known in needed for name in re.findall(r'"\./([\w-]+\.js)"', scripts[known])} - needed:
        needed |= found
    assert scripts.keys() == needed
    assert [name for name in scripts if name != "later.js" and re.search(r"(?<!\{)\bimport\(", scripts[name])] == []


@pytest.mark.browser
def test_the_first_view_asks_for_little_and_asks_nobody_else(device, server):
    page = device().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    Table(page).holds_the_time()  # the quiet moment, in which the page asks for the rest, never comes
    page.goto("/")
    page.locator("[data-card]").first.wait_for()
    edition = re.compile(re.escape(f"GET {server}/edition/") + r"[0-9a-f]{12}/")
    files = {edition.sub("", line) for line in asked if edition.match(line)}
    others = {line.replace(server, "") for line in asked if not edition.match(line)}
    assert files - LATER == FILES
    # the second visit of a player knows these already
    assert others - {f"GET /api/games/{Table(page).game}/log?since=0"} == ASKED | {"GET /"}


@pytest.mark.browser
def test_a_first_script_that_is_overtaken_by_the_others_asks_for_nothing(device):
    page = device().new_page()
    asked: list[str] = []
    held: list[Route] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/first.js", hold)
    with page.expect_websocket():
        page.goto("/", wait_until="commit")
    held[0].continue_()
    page.wait_for_load_state("load")
    Table(page).is_connected("live")
    # what the first table does not need may come by now, each file asked for and then imported
    games = [line for line in asked if "/api/" in line]
    assert sorted(games) == sorted(set(games))
