"""A wish that cannot be granted is told beside its button, what holds stays shown, and a double click is one wish."""

import re

import pytest
from browser.table import SORTED, SORTED_WIN, Table, Visit, deal, play_by_socket
from playwright.sync_api import Locator, Page, Route, expect

# What is cut here is noted on the console
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("forgiving")]

CODE = "SS1-S4-AAAAABD"
UNREACHED = "The server does not answer"


def cut(page: Page, method: str) -> None:
    page.route("**/api/games**", lambda route: route.abort() if route.request.method == method else route.fallback())


def wishes(table: Table, *chosen: tuple[str, str]) -> list[Route]:
    """Opens the settings and chooses; the wishes that are sent, each still without an answer."""
    held: list[Route] = []
    table.page.route("**/api/me", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks what it is given
    table.control("settings").click()
    for name, wished in chosen:
        with table.page.expect_request("**/api/me"):
            table.page.locator(f"select[name={name}]").select_option(wished)
    return held


def wishes_and_goes_on(table: Table, *chosen: tuple[str, str]) -> tuple[list[Route], Locator]:
    """Has closed the settings before the answer, and opened the dialog for a new game: a button of that."""
    held = wishes(table, *chosen)
    table.page.keyboard.press("Escape")
    table.control("new").click()
    suits = table.page.get_by_role("dialog").locator("[data-suits='1']")
    expect(suits).to_be_visible()
    return held, suits


def dealt(page: Page) -> list[str]:
    """The games asked for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    return asked


def test_who_may_watch_stays_what_it_was(table: Table):
    table.control("share").click()
    page = table.page
    page.route(f"**/api/games/{table.game}", lambda route: route.abort())
    field = page.locator("select[name=visibility]")
    before = field.input_value()
    field.select_option("private")
    expect(page.get_by_role("alert")).to_contain_text(UNREACHED)
    expect(field).to_have_value(before)


def test_a_part_of_the_page_that_is_not_to_be_had_yet_is_asked_for_again(device, visit: Visit):
    player = device()
    player.route("**/share.js", lambda route: route.abort())
    table = visit(f"/games/{deal(player)}", on=player)
    table.control("share").click()
    expect(table.message()).to_contain_text(UNREACHED)
    player.unroute_all()
    table.control("share").click()
    expect(table.page.get_by_role("dialog")).to_be_visible()


def test_a_deal_that_cannot_be_played_yet_says_why(device):
    page = device().new_page()
    page.goto(f"/deals/{CODE}")
    play = page.locator("[data-deal=play]")
    cut(page, "POST")
    play.click()
    expect(page.get_by_role("alert").first).to_contain_text(UNREACHED)
    page.unroute_all()
    asked = dealt(page)
    play.dblclick()
    page.wait_for_url(re.compile("/games/"))
    assert len(asked) == 1


def test_the_table_stays_where_its_deal_is_not_to_be_had_again(device, server, visit: Visit):
    player = device()
    game = deal(player, SORTED)
    play_by_socket(player, server, game, SORTED_WIN)
    table = visit(f"/games/{game}", on=player)
    table.page.route("**/api/games/*/log**", lambda route: route.abort())
    table.page.locator("[data-won=same]").click()
    expect(table.message()).to_contain_text(UNREACHED)
    expect(table.page.locator("[data-won=same]")).to_be_visible()
    assert table.game == game


def test_a_double_click_deals_one_game(table: Table):
    asked = dealt(table.page)
    table.control("new").click()
    table.page.locator("[data-suits='1']").dblclick()
    expect(table.page.locator("dialog")).to_have_count(0)
    assert len(asked) == 1


def test_a_setting_that_is_not_saved_goes_back_to_what_it_was(own_table: Table):
    page = own_table.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.route("**/api/me", lambda route: route.abort())
    own_table.control("settings").click()
    switch = page.locator("input[name=left_handed]")
    switch.click()
    expect(page.get_by_role("alert")).to_contain_text(UNREACHED)
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(switch).not_to_be_checked()
    expect(page.locator("[data-left-handed]")).to_have_count(0)
    page.unroute_all()
    with page.expect_response("**/api/me"):
        switch.click()
    expect(page.locator("html[data-left-handed]")).to_have_count(1)
    expect(switch).to_be_checked()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_why_a_setting_goes_back_is_told_to_who_has_closed_the_settings(own_table: Table):
    page = own_table.page
    held = wishes(own_table, ("theme", "dark"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    held[0].abort()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(UNREACHED)
    expect(page.locator("html[data-theme=system]")).to_have_count(1)


def test_a_language_that_is_not_saved_is_not_spoken(own_table: Table):
    page = own_table.page
    page.route("**/api/me", lambda route: route.abort())
    own_table.control("settings").click()
    language = page.locator("select[name=language]")
    language.select_option("el")
    expect(page.get_by_role("alert")).to_contain_text(UNREACHED)
    expect(language).to_have_value("system")
    expect(own_table.control("undo")).to_have_text("Undo")
    assert page.evaluate("JSON.parse(localStorage['simplesimon.settings']).language") == "system"


def test_why_a_setting_goes_back_closes_no_other_dialog(own_table: Table):
    page = own_table.page
    held, suits = wishes_and_goes_on(own_table, ("theme", "dark"))
    held[0].abort()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(UNREACHED)
    expect(suits).to_be_visible()


def test_a_language_that_comes_late_opens_no_settings_that_were_closed(own_table: Table):
    page = own_table.page
    held, suits = wishes_and_goes_on(own_table, ("language", "el"))
    with page.expect_response("**/api/me"):
        held[0].continue_()
    page.evaluate("new Promise(done => setTimeout(done))")  # what the answer leads to has been done
    expect(suits).to_be_visible()


def test_a_setting_leaves_a_page_without_a_game_as_it_is(device, complaints):
    page = device().new_page()
    page.goto("/games")
    expect(page.locator("[data-game], .notice").first).to_be_visible()
    page.route("**/api/me/games", lambda route: route.abort())
    page.locator("[data-action=settings]").click()
    with page.expect_response("**/api/me"):
        page.locator("input[name=four_colours]").click()
    page.keyboard.press("Escape")
    expect(page.locator("html[data-four-colours]")).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert complaints == []


def test_what_is_chosen_while_another_wish_is_refused_stays(own_table: Table):
    page = own_table.page
    held = wishes(own_table, ("theme", "dark"), ("card_size", "small"), ("theme", "light"))
    theme, size = (page.locator(f"select[name={name}]") for name in ("theme", "card_size"))
    held[0].abort()
    expect(page.get_by_role("alert")).to_contain_text(UNREACHED)
    assert (theme.input_value(), size.input_value()) == ("light", "small")
    for route in held[1:]:
        with page.expect_response("**/api/me"):
            route.continue_()
    expect(page.locator("html[data-theme=light]")).to_have_count(1)
