"""Looking back: any version, for everybody, while the game goes on; whoever looks back is never moved by it."""

import re

import pytest
from browser.table import EXAMPLE, SORTED, SORTED_WIN, WIN, Table, deal, play_by_socket
from playwright.sync_api import BrowserContext, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def table(table: Table, player: BrowserContext, server: str) -> Table:
    """The example deal after five moves."""
    play_by_socket(player, server, table.game, WIN[:5])
    table.shows(6)
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
    expect(spectator.control("live")).to_have_text("Live 6 newer")
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
    expect(table.page).to_have_url(re.compile("#v=4$"))
    table.page.evaluate("location.hash = '#v=2'")
    table.shows(2)


def test_keys_go_through_the_versions(table, visit):
    keys = table.page.keyboard
    for key, version in [("ArrowLeft", 5), ("ArrowLeft", 4), ("ArrowRight", 5), ("Home", 1), ("End", 6)]:
        keys.press(f"Shift+{key}")
        table.shows(version)
    table.column(3).focus()
    keys.press("Shift+Home")
    table.shows(1)
    expect(table.column(3)).to_be_focused()
    spectator = visit(f"/games/{table.game}#v=1")
    spectator.shows(1)
    spectator.holds_the_time()  # the film is as short as these moves were quick
    spectator.page.keyboard.press("Shift+Enter")
    expect(spectator.control("play")).to_have_accessible_name("Pause")
    spectator.page.keyboard.press("Shift+Enter")
    expect(spectator.control("play")).to_have_accessible_name("Play the moves")
    spectator.shows(1)


def test_what_was_taken_back_stays_on_the_track_and_is_told(table):
    table.control("undo").click()
    table.control("undo").click()
    table.shows(8)
    table.drag((0, 1, 3))
    table.shows(9)
    slider = table.page.locator("input[type=range]")
    expect(slider).to_have_accessible_description("6 moves, 2 undos, 1 try taken back")
    for line in ("stands", "tried", "taken-back"):
        expect(table.page.locator(f".tree .{line}")).to_have_attribute("d", re.compile("^M.*L"))
    slider.fill("6")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^Version 6 of 9: .*\. Taken back later$"))
    slider.fill("4")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Version 4 of 9: (?!.*Taken back)"))


def test_anybody_plays_on_from_what_they_look_at(table, visit):
    expect(table.control("play-on")).to_have_attribute("aria-disabled", "true")
    spectator = visit(f"/games/{table.game}#v=3")
    spectator.shows(3)
    spectator.control("play-on").click()
    expect(spectator.root).to_have_attribute("data-role", "player")
    assert spectator.game != table.game
    expect(spectator.message()).to_contain_text("your own now: it goes on from version 3")
    spectator.shows(3)
    spectator.control("undo").click()
    spectator.shows(4)
    spectator.tells(moves=1, score=499)
    expect(spectator.page.locator("[data-from]")).to_have_attribute("href", f"/games/{table.game}#v=3")
    table.drag(WIN[5])
    table.shows(7)
    spectator.page.go_back()
    expect(spectator.root).to_have_attribute("data-role", "spectator")


def test_a_won_game_is_tried_another_way(player, visit, server):
    game = deal(player, SORTED)
    play_by_socket(player, server, game, SORTED_WIN)
    won = visit(f"/games/{game}", on=player)
    won.page.locator("[data-won=same]").click()
    won.tells(moves=0)
    play_by_socket(player, server, won.game, [(9, 1, 0), (0, 1, 1), *SORTED_WIN[:2], *SORTED_WIN[3:]])
    expect(won.page.locator(".won")).to_contain_text("7 moves")
    won.page.go_back()
    expect(won.page.locator(".won")).to_contain_text("6 moves")
    expect(won.control("play-on")).to_have_attribute("aria-disabled", "true")
    won.page.locator("[data-won=back]").click()
    won.shows(6)
    won.page.keyboard.press("Enter")
    won.shows(6)
    expect(won.page.locator("[data-from]")).to_have_attribute("href", f"/games/{game}#v=6")
    won.control("undo").click()
    won.shows(7)
