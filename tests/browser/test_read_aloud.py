"""The table as assistive technology has it, kept as text: whoever changes it sees what a screen reader will hear."""

from pathlib import Path

import pytest
from browser.table import WIN, deal, play_by_socket
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("locale", ["en-GB", "el-GR"])
def test_the_table_reads_as_it_did(visit, device, server, locale):
    player = device(locale=locale)
    player.request.patch("/api/me", data={"name": "Simon"})
    game = deal(player)
    play_by_socket(player, server, game, WIN[:1])
    table = visit(f"/games/{game}", on=player)
    table.shows(2)
    expect(table.control("undo")).to_have_attribute("aria-disabled", "false")
    table.page.mouse.click(*table.grip(6, 2))
    golden = GOLDEN / f"table.{locale[:2]}.txt"
    read = table.page.locator("main").aria_snapshot() + "\n"
    assert read == golden.read_text(), f"if this is meant, it becomes {golden.name}:\n{read}"


def test_moves_are_said_to_players_and_spectators(table, visit):
    spectator = visit(f"/games/{table.game}")
    table.drag(WIN[0])
    for page in (table.page, spectator.page):
        expect(page.get_by_role("status")).to_have_text("5 of diamonds, onto 6 of diamonds, column 7")
    table.control("undo").click()
    for page in (table.page, spectator.page):
        expect(page.get_by_role("status")).to_have_text("Taken back: 5 of diamonds, from column 7 to column 10")


def test_the_same_words_twice_are_said_twice(table):
    for said in ["nothing goes on an ace.", "nothing goes on an ace.\u00a0", "nothing goes on an ace."]:
        table.drag((0, 1, 4))
        table.page.wait_for_function("said => document.querySelector('#voice').textContent.endsWith(said)", arg=said)
