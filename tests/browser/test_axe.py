"""axe finds nothing in anybody's way, at any state of the page, by day and by night."""

from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.table import SORTED, SORTED_WIN, WIN, Table, Visit, deal, play_by_socket
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.browser

AXE = Axe()
ALL = {"resultTypes": ["violations"]}
# What does not hang on colour is found in the first theme already
COLOUR = ALL | {"runOnly": ["color-contrast", "link-in-text-block"]}


def found(page: Page) -> list[str]:
    """What axe has to say, one line a place."""
    said = []
    themes: list[tuple[Literal["light", "dark"], dict[str, list[str]]]] = [("light", ALL), ("dark", COLOUR)]
    for scheme, options in themes:
        page.emulate_media(color_scheme=scheme)
        for rule in AXE.run(page, options=options).response["violations"]:
            said += [f"{scheme}: {rule['id']} at {node['target']}: {node['failureSummary']}" for node in rule["nodes"]]
    return said


def held(table: Table) -> None:
    table.page.mouse.click(*table.grip(9, 1))
    expect(table.page.locator(".held")).to_have_count(1)


def refused(table: Table) -> None:
    table.drag((9, 1, 1))
    expect(table.message()).not_to_be_empty()


def looking_back(table: Table) -> None:
    table.play(WIN[:2], version=1)
    table.control("first").click()
    table.shows(1)


def by_keys(table: Table) -> None:
    table.column(0).focus()
    table.page.keyboard.press("ArrowRight")
    expect(table.page.locator(".cursor-on")).to_have_count(1)


@pytest.mark.parametrize("put", [None, held, refused, looking_back, by_keys])
def test_the_table(table: Table, put: Callable[[Table], None] | None) -> None:
    if put:
        put(table)
    assert found(table.page) == []


def test_the_table_won_and_watched(device, server, visit):
    player = device()
    game = deal(player, SORTED)
    spectator = visit(f"/games/{game}", viewport={"width": 360, "height": 740}, locale="el-GR")
    assert found(spectator.page) == []
    play_by_socket(player, server, game, SORTED_WIN)
    for table in (spectator, visit(f"/games/{game}", on=player)):
        expect(table.page.locator("[data-won=replay]")).to_be_visible()
        assert found(table.page) == []


@pytest.mark.parametrize("action", ["new", "restart", "share", "link-device", "settings"])
def test_the_dialogs(table: Table, action: str) -> None:
    table.play(WIN[:1], version=1)
    table.control(action).click()
    dialog = table.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".wait")).to_have_count(0)
    for summary in dialog.locator("summary").all():
        summary.click()
    assert found(table.page) == []
    if action == "new":
        table.page.locator("[data-suits='4']").click()
        assert found(table.page) == []


@pytest.mark.parametrize("path", ["/watch", "/games", "/link", "/rules"])
def test_the_other_pages(table: Table, visit: Visit, path: str) -> None:
    table.goes_public()
    table.page.goto(path)
    expect(table.page.get_by_role("heading").first).to_be_visible()
    if path in {"/watch", "/games"}:
        expect(table.page.locator("[data-game]").first).to_be_visible()
    assert found(table.page) == []
    table.page.set_viewport_size({"width": 360, "height": 740})
    table.page.locator(".menu").click()
    assert found(table.page) == []


def test_the_contract(device: Callable[..., BrowserContext]) -> None:
    page = device().new_page()
    page.goto("/docs")
    assert found(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert found(page) == []
