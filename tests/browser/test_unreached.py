"""What the page cannot have, a part that comes later or its texts, is told: nothing is silent, blank or half done."""

import pytest
from browser.table import Table, Visit
from playwright.sync_api import Page, Route, expect

# What is cut here is noted on the console
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("forgiving")]

UNREACHED = "The server does not answer"


@pytest.fixture
def page(device) -> Page:
    page: Page = device().new_page()
    return page


def cut(page: Page, files: str) -> None:
    page.route(files, lambda route: route.abort())


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
