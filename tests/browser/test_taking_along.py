"""Take it with you: a game leaves the page as a file, and comes back on another device as a game of one's own."""

import json
import re
from pathlib import Path

import pytest
from browser.table import WIN, Table
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def open_file(table: Table, path: Path) -> None:
    table.control("new").click()
    table.page.get_by_text("A game from a file").click()
    table.page.locator("input[name=file]").set_input_files(path)


def test_a_game_goes_along_as_a_file_and_comes_back_elsewhere(table, visit, complaints, tmp_path):
    table.play(WIN[:3], version=1)
    table.control("share").click()
    kept = tmp_path / "game.json"
    with table.page.expect_download() as taken:
        table.page.get_by_role("link", name="As a file").click()
    assert taken.value.suggested_filename == "simple-simon-deal-v4.json"
    taken.value.save_as(kept)
    with table.page.expect_download() as written:
        table.page.get_by_role("link", name="As text").click()
    assert "497 points, 3 moves" in written.value.path().read_text()

    other = visit()
    first = other.game
    open_file(other, kept)
    other.page.wait_for_url(re.compile(f"/games/(?!{first})"))
    other.shows(4)
    assert other.columns == table.columns
    other.control("undo").click()
    other.tells(score=498, moves=2)

    file = json.loads(kept.read_text())
    kept.write_text(json.dumps({**file, "events": [file["events"][0], file["events"][2]]}))
    open_file(other, kept)
    other.page.locator("[data-answer=yes]").click()
    expect(other.page.get_by_role("alert")).to_contain_text("its event 2 cannot be")
    assert "400" in complaints.pop()
