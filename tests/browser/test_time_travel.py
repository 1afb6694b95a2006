"""Looking back: any version, for everybody, while the game goes on; whoever looks back is never moved by it."""

import pytest
from browser.table import EXAMPLE, WIN, Table
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def table(table: Table) -> Table:
    """The example deal after five moves."""
    table.play(WIN[:5], version=1)
    return table


def test_step_by_step_and_back_to_live(table):
    seen = table.columns
    table.control("previous").click()
    table.shows(5)
    table.knows(6)
    table.control("first").click()
    table.shows(1)
    assert table.columns == EXAMPLE
    table.tells(score=500, moves=0)
    table.control("next").click()
    table.shows(2)
    table.control("last").click()
    table.shows(6)
    assert table.columns == seen
    table.control("first").click()
    table.control("live").click()
    table.shows(6)


def test_an_old_version_cannot_be_played_on(table):
    table.control("first").click()
    table.shows(1)
    table.drag(WIN[0])
    expect(table.message()).to_contain_text("version 1")
    table.control("live").click()
    table.drag(WIN[5])
    table.shows(7)


def test_a_spectator_who_looks_back_is_not_moved(table, visit):
    spectator = visit(f"/games/{table.game}#v=3")
    spectator.shows(3)
    spectator.tells(moves=2)
    before = spectator.columns
    table.play(WIN[5:8], version=6)
    spectator.knows(9)
    expect(spectator.control("live")).to_have_text("Live, 6 newer")
    spectator.shows(3)
    assert spectator.columns == before
    spectator.control("live").click()
    spectator.shows(9)
    assert spectator.columns == table.columns


def test_play_runs_to_the_end_and_follows(table):
    table.control("first").click()
    table.page.locator("[data-speed]").click(click_count=3)
    table.control("play").click()
    table.shows(6)
    expect(table.control("live")).to_have_attribute("aria-disabled", "true")


def test_the_slider_and_the_address(table):
    slider = table.page.locator("input[type=range]")
    slider.fill("4")
    table.shows(4)
    assert table.page.url.endswith("#v=4")
    table.page.evaluate("location.hash = '#v=2'")
    table.shows(2)
