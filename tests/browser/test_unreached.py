"""What the page cannot have, a part that comes later or its texts, is told: nothing is silent, blank or half done."""

import re

import pytest
from browser.line import Line
from browser.table import SORTED, SORTED_WIN, WIN, Table, Visit, deal, play_by_socket
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

# What is cut here is noted on the console
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("forgiving")]

UNREACHED = "The server does not answer"
OTHER = (0, 1, 3)


@pytest.fixture
def page(device) -> Page:
    page: Page = device().new_page()
    return page


def cut(reader: Page | BrowserContext, files: str) -> None:
    reader.route(files, lambda route: route.abort())


def draining(route: Route) -> None:
    route.fulfill(status=503, content_type="application/json", body='{"code": "unavailable", "detail": "stopping"}')


@pytest.mark.parametrize(("path", "part"), [("/rules", "rules-page.js"), ("/watch", "watch.js")])
def test_a_page_whose_part_cannot_be_had_says_so(page, path, part):
    cut(page, f"**/{part}")
    page.goto(path)
    expect(page.get_by_role("alert")).to_contain_text(UNREACHED)
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("This did not work")


def test_a_button_whose_part_cannot_be_had_says_so_where_there_is_no_table(page):
    cut(page, "**/settings.js")
    page.goto("/rules")
    page.locator("[data-action=settings]").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(UNREACHED)
    page.unroute_all()
    page.keyboard.press("Escape")
    page.locator("[data-action=settings]").click()
    expect(page.locator("select[name=language]")).to_be_visible()


def choose_greek(table: Table) -> None:
    table.control("settings").click()
    table.page.locator("select[name=language]").select_option("el")


@pytest.mark.parametrize(
    ("answer", "told"), [(draining, "The server is not ready"), (lambda route: route.abort(), UNREACHED)]
)
def test_a_language_that_cannot_be_had_is_not_chosen(visit: Visit, complaints, answer, told):
    table = visit()
    table.page.route("**/locales/el.json", answer)
    choose_greek(table)
    dialog = table.page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text(told)
    expect(dialog.locator("h2")).to_have_text("Settings")
    expect(dialog.locator("select[name=language]")).to_have_value("system")
    complaints[:] = [said for said in complaints if "503" not in said]
    table.page.reload()
    table.is_connected("live")
    table.page.unroute_all()
    choose_greek(table)
    expect(dialog.locator("h2")).to_have_text("Ρυθμίσεις")


def test_a_page_without_texts_says_so_in_every_language(page):
    cut(page, "**/locales/*.json")
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text(UNREACHED)
    expect(page.get_by_role("alert").locator("[lang=el]")).to_contain_text("διακομιστής")
    page.unroute_all()
    page.get_by_role("link", name="Try again").click()
    Table(page).is_connected("live")


def is_for_the_offer(request: Request) -> bool:
    return request.url.endswith("/offer.js")


def come_back(table: Table, line: Line) -> None:
    line.mend()
    table.hears_of_a_network()
    table.is_connected("live")


def test_moves_that_do_not_stand_are_offered_as_soon_as_that_can_be_had(own_table, visit: Visit, line):
    player = own_table.page.context
    cut(player, "**/offer.js")
    away = visit(f"{line.address}/games/{own_table.game}", on=player)
    line.cut()
    away.is_connected("reconnecting")
    away.drag(OTHER)
    own_table.play(WIN[:1], version=1)
    offer = away.page.locator(".of-moves")
    with away.page.expect_event("requestfailed", is_for_the_offer):
        come_back(away, line)
        expect(away.message()).to_contain_text("Another device")
    player.unroute_all()
    expect(offer).to_contain_text("a move of yours, made at version 1, does not stand")

    cut(player, "**/offer.js")
    with away.page.expect_event("requestfailed", is_for_the_offer):
        away.page.reload()
        away.is_connected("live")
    player.unroute_all()
    line.cut()
    away.is_connected("reconnecting")
    come_back(away, line)
    expect(offer).to_be_visible()


def test_a_win_whose_part_cannot_be_had_is_shown_as_soon_as_it_can(device, server, visit: Visit):
    player = device()
    game = deal(player, SORTED)
    play_by_socket(player, server, game, SORTED_WIN)
    cut(player, "**/won.js")
    with player.expect_event("requestfailed", lambda request: request.url.endswith("/won.js")):
        table = visit(f"/games/{game}", on=player)
    won = table.page.locator(".won")
    expect(won).to_be_hidden()
    player.unroute_all()
    visit(f"/games/{game}")
    expect(won.locator("[data-won=new]")).to_be_visible()


def test_a_code_is_spent_once_however_often_enter_is_pressed(device):
    code = device().request.post("/api/me/links", data={}).json()["code"]
    page = device().new_page()
    asked: list[str] = []
    leaving: list[Route] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/links") else None)
    page.goto("/link")
    page.route(re.compile(r"/(games/\w+)?$"), lambda route: leaving.append(route))  # noqa: PLW0108 - playwright marks what it is given
    page.locator("input[name=code]").fill(code)
    with page.expect_request(re.compile(r"/(games/\w+)?$")):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    leaving[0].continue_()
    Table(page).is_connected("live")
    assert len(asked) == 1


def test_a_code_is_asked_about_once_though_the_page_is_drawn_anew_meanwhile(device):
    page = device().new_page()
    asked: list[Route] = []
    page.route("**/api/links", lambda route: asked.append(route))  # noqa: PLW0108 - playwright marks what it is given
    page.goto("/link")
    code = page.locator("input[name=code]")
    code.fill("AAAA-AAAA")
    with page.expect_request("**/api/links"):
        code.press("Enter")
    page.locator("[data-action=settings]").click()
    page.locator("select[name=language]").select_option("el")
    expect(page.get_by_role("heading", name="Ρυθμίσεις")).to_be_visible()
    page.keyboard.press("Escape")
    code.press("Enter")
    asked[0].abort()
    expect(page.get_by_role("alert")).to_contain_text("Ο διακομιστής δεν απαντά")
    assert len(asked) == 1
