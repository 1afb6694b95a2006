"""Undo, redo, restart, new games, settings and the language: the buttons around the table."""

import re

import pytest
from browser.table import EXAMPLE, WIN
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CODE = "SS1-S4-AAAAABD"


def test_undo_redo_and_a_restart_that_is_undone(table):
    table.play(WIN[:3], version=1)
    played = table.columns
    table.control("undo").click()
    table.shows(5)
    table.tells(score=498, moves=2)
    table.control("redo").click()
    table.shows(6)
    assert table.columns == played

    table.control("restart").click()
    table.page.locator("[data-answer=yes]").click()
    table.shows(7)
    table.tells(score=500, moves=0)
    assert table.columns == EXAMPLE
    table.control("undo").click()
    table.shows(8)
    table.tells(score=497, moves=3)
    assert table.columns == played


def test_ten_quick_undos_are_ten_undos(table):
    table.play(WIN[:12], version=1)
    for _ in range(10):
        table.control("undo").click()
    table.shows(23)
    table.tells(score=498, moves=2)


def test_restart_asks_and_can_be_declined(table):
    table.play(WIN[:1], version=1)
    table.control("restart").click()
    table.page.locator("[data-answer=no]").click()
    expect(table.page.locator("dialog")).to_have_count(0)
    table.tells(score=499, moves=1)


def test_the_first_game_is_one_suit_and_the_next_asks(visit):
    table = visit()
    assert table.page.url.endswith(f"/games/{table.game}")
    assert set("".join(table.columns).replace(" ", "")[1::2]) == {"S"}
    first = table.game
    table.control("new").click()
    table.page.locator("[data-suits='4']").click()
    table.page.wait_for_url(re.compile(f"/games/(?!{first})"))
    expect(table.page.locator("[data-card$=D]")).to_have_count(13)


def test_a_game_by_code_and_a_code_that_is_none(visit, complaints):
    table = visit()
    table.control("new").click()
    field = table.page.locator("input[name=code]")
    field.fill("SS1-S9-AAAAABD")
    field.press("Enter")
    expect(table.page.get_by_role("alert")).to_contain_text("no deal code")
    # The browser notes the answer on its console; that is all it may have to say
    assert "400" in complaints.pop()
    field.fill(CODE.lower().replace("-", " "))
    field.press("Enter")
    expect(table.page.locator("[data-code]")).to_have_text(CODE)
    assert table.columns[-1] == "AH"


def test_a_new_game_while_one_is_on_asks_in_place(table):
    table.play(WIN[:1], version=1)
    table.control("new").click()
    table.page.locator("[data-suits='1']").click()
    table.page.locator("[data-answer=yes]").click()
    expect(table.page.locator("dialog")).to_have_count(0)
    table.tells(score=500, moves=0)
    table.page.go_back()
    table.tells(score=499, moves=1)


def test_the_language_changes_at_once_and_travels(own_table, visit):
    own_table.control("settings").click()
    own_table.page.locator("select[name=language]").select_option("el")
    expect(own_table.page.get_by_role("heading", name="Ρυθμίσεις")).to_be_visible()
    own_table.page.keyboard.press("Escape")
    expect(own_table.control("undo")).to_have_accessible_name("Αναίρεση")
    expect(own_table.column(9)).to_have_accessible_name("Στήλη 10, 1 κάρτα, τελευταία: 5 καρό")
    other = visit(f"/games/{own_table.game}", on=own_table.page.context)
    expect(other.control("undo")).to_have_accessible_name("Αναίρεση")


def test_settings_are_kept_on_the_server(own_table):
    own_table.control("settings").click()
    for name in ("interactive_rules", "double_click"):
        with own_table.page.expect_response("**/api/me"):
            own_table.page.locator(f"input[name={name}]").uncheck()
    own_table.page.keyboard.press("Escape")
    kept = own_table.page.request.get("/api/me").json()["settings"]
    assert (kept["interactive_rules"], kept["double_click"], kept["placement_help"]) == (False, False, True)
    own_table.page.mouse.dblclick(*own_table.grip(9, 1))
    own_table.drag((9, 1, 1))
    own_table.says_nothing()
    own_table.shows(1)


def test_a_spectator_cannot_move_and_is_told_why(table, visit):
    spectator = visit(f"/games/{table.game}")
    expect(spectator.root).to_have_attribute("data-role", "spectator")
    expect(spectator.control("undo")).to_be_hidden()
    spectator.drag(WIN[0])
    expect(spectator.message()).to_contain_text("You are watching")
    spectator.shows(1)


def test_where_storage_is_forbidden_all_is_as_usual(table, visit, device):
    forbidding = device()
    forbidding.add_init_script("""for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } })""")
    spectator = visit(f"/games/{table.game}", on=forbidding)
    spectator.control("follow").click()
    expect(spectator.message()).to_contain_text("You follow")
    table.play(WIN[:1], version=1)
    spectator.shows(2)
    spectator.control("play-on").click()
    expect(spectator.root).to_have_attribute("data-role", "player")
    spectator.play(WIN[1:2], version=2)


def test_other_pages_open(table):
    page, game = table.page, table.game
    table.goes_public()
    for path in ("/watch", "/games"):
        page.goto(path)
        expect(page.locator(f"[data-game='{game}']")).to_be_visible()
    page.goto("/rules")
    page.get_by_role("button", name="Show the move").first.click()
    expect(page.locator("figure").first.locator("[data-column='0'] [data-card]")).to_have_count(3)


def test_a_game_that_is_not_there_is_named(device, complaints):
    page = device().new_page()
    page.goto("/games/nosuchgame01")
    expect(page.get_by_role("alert")).to_contain_text("There is no such game")
    expect(page.get_by_role("link", name="Watch").last).to_be_visible()
    assert [said for said in complaints if "404" not in said] == []
    complaints.clear()


def test_a_new_name_shows_at_once(own_table):
    own_table.control("settings").click()
    own_table.page.locator("input[name=name]").fill("Μαρία")
    own_table.page.keyboard.press("Enter")
    expect(own_table.page.locator("[data-by]")).to_have_text("Μαρία")


def test_the_list_of_games_is_live(table):
    table.goes_public()
    watcher = table.page.context.new_page()
    watcher.goto("/watch")
    entry = watcher.locator(f"[data-game='{table.game}']")
    expect(entry).to_contain_text("500 points")
    table.play(WIN[:1], version=1)
    expect(entry).to_contain_text("499 points")
