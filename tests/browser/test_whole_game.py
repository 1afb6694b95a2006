"""The example deal, won by a mouse, watched on another device, and finished on a third one."""

import pytest
from browser.table import EXAMPLE, WIN, Table
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

HALF = 30
LAST = 1 + len(WIN)
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "el-GR"}


def continued(player: Table, other) -> Table:
    """The same player on another device, by the short code."""
    player.control("link-device").click()
    code = player.page.locator("[data-link-code]").inner_text()
    page = other.new_page()
    page.goto(f"/link#{code}")
    page.locator("form button").click()
    page.wait_for_selector("[data-status=live]")
    return Table(page)


def test_the_example_is_won_on_two_devices_while_a_third_watches(table, visit, device):
    player, game = table, table.game
    spectator = visit(f"/games/{game}", **PHONE)
    expect(player.page.locator("[data-watching]")).to_have_text("1")
    expect(spectator.root).to_have_attribute("data-role", "spectator")

    player.play(WIN[:HALF], version=1)
    spectator.shows(1 + HALF)
    assert spectator.columns == player.columns

    other = continued(player, device())
    assert other.game == game
    other.shows(1 + HALF)
    assert other.columns == player.columns
    other.play(WIN[HALF:], version=1 + HALF)

    tables = [player, spectator, other]
    for table in tables:
        table.shows(LAST)
        table.tells(score=841, moves=59)
        expect(table.page.locator("[data-won=replay]")).to_be_visible()
    assert {tuple(table.removed) for table in tables} == {("C", "H", "D", "S")}
    assert {tuple(table.columns) for table in tables} == {("",) * 10}

    other.page.locator("[data-won=same]").click()
    other.tells(score=500, moves=0)
    assert other.columns == EXAMPLE
    assert other.game != game

    log = player.page.request.get(f"/api/games/{game}/log?since=0").json()
    assert [tuple(event["m"]) for event in log["events"] if event["t"] == "move"] == WIN
    assert len(log["events"]) == LAST
