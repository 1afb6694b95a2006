"""A button that goes when it is pressed hands the focus on, and no text stays in the language of before."""

import re

import pytest
from browser.table import SORTED, SORTED_WIN, Table, Visit, deal, play_by_socket
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

OTHER = (0, 1, 3)


def press(button: Locator) -> None:
    """By the keyboard, as whoever needs the focus does."""
    button.focus()
    button.press("Enter")


def has_the_table(page: Page) -> None:
    expect(page.locator("#table [tabindex='0']")).to_be_focused()


def speaks_greek(page: Page) -> None:
    page.locator("[data-action=settings]").click()
    page.locator("select[name=language]").select_option("el")
    expect(page.get_by_role("heading", name="Ρυθμίσεις")).to_be_visible()


@pytest.fixture
def won(device, server, visit: Visit) -> Table:
    player = device()
    game = deal(player, SORTED)
    play_by_socket(player, server, game, SORTED_WIN)
    return visit(f"/games/{game}", on=player)


@pytest.fixture
def overtaken(forgiving, own_table: Table, visit: Visit, line) -> Table:
    """A device whose moves do not stand."""
    away = visit(f"{line.address}/games/{own_table.game}", on=own_table.page.context)
    line.cut()
    away.is_connected("reconnecting")
    away.drag(OTHER)
    own_table.drag((9, 1, 6))
    own_table.shows(2)
    line.mend()
    away.hears_of_a_network()
    expect(away.page.locator(".of-moves")).to_be_visible()
    return away


def test_after_the_win_it_goes_to_what_was_asked_for(won):
    page = won.page
    press(page.locator("[data-won=replay]"))
    expect(won.control("play")).to_be_focused()
    expect(page.locator("[data-won=same]")).to_be_visible()
    press(page.locator("[data-won=same]"))
    won.tells(moves=0)
    has_the_table(page)


def test_a_new_deal_after_the_win_is_at_hand(won):
    first = won.game
    press(won.page.locator("[data-won=new]"))
    press(won.page.locator("[data-suits='1']"))
    won.page.wait_for_url(re.compile(f"/games/(?!{first})"))
    has_the_table(won.page)


@pytest.mark.parametrize("choice", ["let_go", "keep"])
def test_after_the_offer_of_moves_it_is_at_the_table(overtaken, choice):
    press(overtaken.page.locator(f"[data-offer={choice}]"))
    expect(overtaken.page.locator(".of-moves")).to_have_count(0)
    has_the_table(overtaken.page)


def test_the_offer_of_moves_speaks_another_language_at_once(overtaken):
    speaks_greek(overtaken.page)
    expect(overtaken.page.locator("[data-offer=let_go]")).to_have_text("Όχι, ευχαριστώ")
    expect(overtaken.message()).not_to_contain_text("Another device")


def test_in_the_settings_it_stays_where_it_was(own_table, visit):
    page = own_table.page
    speaks_greek(page)
    expect(page.locator("select[name=language]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(own_table.control("settings")).to_be_focused()

    code = page.request.post("/api/me/links", data={}).json()["code"]
    other = visit()
    assert other.page.request.post("/api/links", data={"code": code}).ok
    own_table.control("settings").click()
    press(page.locator("summary"))
    press(page.locator(".devices button"))
    expect(page.locator(".devices button")).to_have_count(0)
    expect(page.locator("summary")).to_be_focused()


def test_a_refused_code_leaves_it_where_it_was_and_what_was_typed(device, complaints):
    page = device().new_page()
    page.goto("/link")
    page.locator("input[name=code]").fill("AAAA-AAAA")
    press(page.locator("form button"))
    expect(page.locator(".problem")).not_to_be_empty()
    expect(page.locator("form button")).to_be_focused()
    assert "404" in complaints.pop()
    speaks_greek(page)
    expect(page.locator("input[name=code]")).to_have_value("AAAA-AAAA")


def test_an_error_speaks_another_language_at_once(device, complaints):
    page = device().new_page()
    page.goto("/games/nosuchgame01")
    expect(page.get_by_role("alert")).to_contain_text("There is no such game")
    complaints.clear()
    speaks_greek(page)
    expect(page.get_by_role("alert").first).to_contain_text("Δεν υπάρχει")


def test_in_the_list_of_games_it_goes_to_the_first_that_came(device, player, hides):
    hides(player, deal(player, visibility="public"))
    page = device().new_page()
    page.goto("/watch?show=won&suits=2")
    press(page.locator(".notice button"))
    entries = page.locator("[data-game] a")
    expect(entries.first).to_be_focused()
    second = hides(player, deal(player, visibility="public"))
    press(page.get_by_role("button", name="1 new game"))
    expect(page.locator(f"[data-game='{second}'] a")).to_be_focused()


@pytest.mark.usefixtures("forgiving")
def test_in_the_list_of_games_it_outlives_a_new_connection_and_a_game_that_is_hidden(device, player, line):
    games = [deal(player, visibility="public") for _ in range(2)]
    page = device(base_url=line.address).new_page()
    page.goto("/watch")
    links = [page.locator(f"[data-game='{game}'] a") for game in games]
    links[0].focus()
    links[0].evaluate("link => { link.dataset.before = 'true'; }")
    line.cut()
    expect(page.locator(".status")).to_have_attribute("data-status", "reconnecting")
    line.mend()
    Table(page).hears_of_a_network()
    expect(page.locator("[data-before]")).to_have_count(0)
    expect(links[0]).to_be_focused()
    player.request.patch(f"/api/games/{games[0]}", data={"visibility": "private"})
    expect(links[0]).to_have_count(0)
    expect(page.locator("[data-game] a:focus")).to_have_count(1)
    player.request.patch(f"/api/games/{games[1]}", data={"visibility": "private"})


def test_shift_and_enter_on_a_link_or_a_button_are_its_own(table):
    table.drag((9, 1, 6))
    table.shows(2)
    table.page.locator("a[href='/watch']").focus()
    with table.page.context.expect_page() as opened:
        table.page.keyboard.press("Shift+Enter")
    opened.value.close()
    expect(table.control("play")).to_have_accessible_name("Play the moves")
    table.shows(2)
