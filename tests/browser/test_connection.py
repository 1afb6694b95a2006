"""The line breaks, the page is loaded again, another tab opens: nothing is lost, and the page tells how it is."""

import pytest
from browser.table import WIN, Table, Visit, deal
from playwright.sync_api import BrowserContext, expect

pytestmark = pytest.mark.browser


def on_the_line(visit: Visit, player: BrowserContext) -> Table:
    return visit(f"/games/{deal(player)}", on=player)


@pytest.mark.usefixtures("forgiving")
def test_a_spectator_who_was_cut_off_misses_nothing(table, visit, line):
    spectator = visit(f"{line.address}/games/{table.game}")
    table.play(WIN[:2], version=1)
    spectator.shows(3)
    line.cut()
    spectator.is_connected("reconnecting")
    table.play(WIN[2:8], version=3)
    line.mend()
    spectator.hears_of_a_network()
    spectator.is_connected("live")
    spectator.shows(9)
    assert spectator.columns == table.columns


@pytest.mark.usefixtures("forgiving")
def test_moves_made_while_cut_off_wait_and_arrive(visit, device, line):
    player = on_the_line(visit, device(base_url=line.address))
    line.cut()
    player.is_connected("reconnecting")
    for move in WIN[:5]:
        player.drag(move)
    player.tells(score=495, moves=5)
    player.shows(1)
    line.mend()
    player.hears_of_a_network()
    player.shows(6)
    log = player.page.request.get(f"/api/games/{player.game}/log?since=0").json()
    assert [tuple(event["m"]) for event in log["events"][1:]] == WIN[:5]


@pytest.mark.usefixtures("forgiving")
def test_waiting_moves_outlive_a_reload(visit, device, line):
    player = on_the_line(visit, device(base_url=line.address))
    line.cut()
    player.is_connected("reconnecting")
    for move in WIN[:3]:
        player.drag(move)
    line.mend()
    player.page.reload()
    player.shows(4)
    player.tells(score=497, moves=3)


@pytest.mark.usefixtures("forgiving")
def test_moves_that_another_device_overtook_go_home_and_the_page_says_so(table, visit, line):
    other = visit(f"{line.address}/games/{table.game}", on=table.page.context)
    line.cut()
    other.is_connected("reconnecting")
    other.drag((0, 1, 9))
    other.tells(moves=1)
    table.play(WIN[:1], version=1)
    line.mend()
    other.hears_of_a_network()
    other.shows(2)
    expect(other.message()).to_contain_text("Another device moved first")
    assert other.columns == table.columns


@pytest.mark.usefixtures("forgiving")
def test_no_key_reaches_a_game_that_gave_way_to_an_error_and_it_is_come_back_to(visit, device, line):
    player = on_the_line(visit, device(base_url=line.address))
    player.play(WIN[:2], version=1)
    player.control("previous").click()
    with player.page.expect_response("**/log?*") as past:
        player.control("play-on").click()
    past.value.finished()
    player.shows(2)
    line.cut()
    player.page.go_back()
    expect(player.page.get_by_role("alert")).to_be_visible()
    player.page.keyboard.press("z")
    line.mend()
    player.page.go_forward()
    player.is_connected("live")
    player.play(WIN[1:2], version=2)
    player.tells(moves=2)


def test_a_reload_and_a_second_tab_show_the_same(table, visit):
    table.play(WIN[:4], version=1)
    before = table.columns
    table.page.reload()
    table.shows(5)
    assert table.columns == before
    second = visit("/", on=table.page.context)
    assert second.game == table.game
    second.drag(WIN[4])
    second.shows(6)
    table.shows(6)
    table.tells(score=495)
    table.control("undo").click()
    second.shows(7)
    second.tells(score=496)


def test_a_held_run_stays_in_hand_when_something_else_moves(table, visit):
    second = visit("/", on=table.page.context)
    table.page.mouse.click(*table.grip(9, 1))
    expect(table.page.locator(".held")).to_have_count(1)
    second.drag((0, 1, 9))
    table.shows(2)
    expect(table.page.locator(".held")).to_have_count(0)
    expect(table.message()).to_contain_text("another device")
    table.page.mouse.click(*table.grip(9, 1))
    second.drag(WIN[1])
    expect(table.page.locator(".held")).to_have_count(1)


def test_a_device_that_was_signed_out_says_so(own_table, visit):
    sessions = own_table.page.request.get("/api/me/sessions").json()["sessions"]
    own_table.page.request.delete(f"/api/me/sessions/{sessions[0]['id']}")
    own_table.is_connected("offline")
    expect(own_table.message()).to_contain_text("signed out")
