"""Same deal: from a game to how its deal went for everybody; closed while one has a game of it oneself."""

import re

import pytest
from browser.table import Move, Table, Visit, play_by_socket
from browser.test_axe import found
from playwright.sync_api import expect
from stories import CODE, CODED_WIN

pytestmark = pytest.mark.browser

CODED: list[Move] = [(event.move.source, event.move.count, event.move.target) for event in CODED_WIN]


def test_a_deal_is_closed_while_it_is_played_and_then_tells(device, server, visit: Visit, complaints):
    player, address = device(), re.compile(f"/deals/{CODE}$")
    game = player.request.post("/api/games", data={"code": CODE}).json()["g"]
    table = visit(f"/games/{game}", on=player)
    page = table.page
    page.locator("[data-code]").click()
    page.wait_for_url(address)
    expect(page.locator(".notice")).to_contain_text("lest it act as a hint")
    assert "403" in complaints.pop()
    assert found(page) == []
    page.get_by_role("link", name="Go on with it").click()
    page.wait_for_url(f"**/games/{game}")

    play_by_socket(player, server, game, CODED)
    page.locator(".won").get_by_role("link", name=CODE).click()
    page.wait_for_url(address)
    expect(page.locator(".best")).to_have_text("Best: 856 points in 44 moves")
    expect(page.locator(f"[data-game='{game}']")).to_contain_text("856 points, 44 moves")
    assert found(page) == []


def test_others_see_the_game_and_play_the_same_deal(device, server):
    player = device()
    game = player.request.post("/api/games", data={"code": CODE}).json()["g"]
    play_by_socket(player, server, game, CODED)
    other = device(viewport={"width": 320, "height": 640}, locale="el-GR").new_page()
    other.goto(f"/deals/{CODE.lower().replace('-', ' ')}")
    other.wait_for_url(f"**/deals/{CODE}")
    entry = other.locator(f"[data-game='{game}']")
    expect(entry).to_contain_text("44 κινήσεις")
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert found(other) == []
    replayed = Table(other)
    replayed.holds_the_time()  # the film is as short as these moves were quick
    entry.get_by_role("link").click()
    expect(replayed.control("play")).to_have_accessible_name("Παύση")
    replayed.shows(1)
    other.clock.resume()
    replayed.shows(45)
    other.goto(f"/deals/{CODE}")
    other.locator("[data-deal=play]").click()
    other.wait_for_url(re.compile(f"/games/(?!{game})"))
    expect(other.locator("[data-code]")).to_have_text(CODE)
