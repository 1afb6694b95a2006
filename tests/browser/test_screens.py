"""Every screen from 320 px up: nothing scrolls sideways, every card can be read, no control lies on another."""

from itertools import combinations

import pytest
from browser.table import WIN, Table, deal, play_by_socket
from playwright.sync_api import FloatRect, expect

pytestmark = pytest.mark.browser

SIZES = [(320, 568), (360, 740), (740, 360), (820, 1180), (1100, 800), (1440, 900)]
# The index is printed in the upper 40 of a card's 140 units of height
INDEX = 0.40

# In pixels: less of it is no way to find a version
TRACK = 120

# After so many moves of the winning line its longest column is there
LONGEST = 38

STRIPS = """columns => columns.flatMap(column => {
    const boxes = [...column.querySelectorAll("[data-card]")].map(card => card.getBoundingClientRect());
    return boxes.map((box, i) => ({
        card: column.dataset.column + "/" + i,
        share: (Math.min(boxes[i + 1]?.top ?? innerHeight, innerHeight) - box.top) / box.width,
        inside: box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight,
        width: box.width,
    }));
})"""


def boxes_of(table: Table) -> dict[str, FloatRect]:
    shown = table.page.locator("[data-action]:visible").all()
    return {str(control.get_attribute("data-action")): box for control in shown if (box := control.bounding_box())}


def overlap(a: FloatRect, b: FloatRect) -> bool:
    across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
    down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
    return across > 0.5 and down > 0.5


@pytest.mark.parametrize("locale", ["en-GB", "el-GR"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_table_fits(visit, device, server, size, locale):
    width, height = size
    player = device(viewport={"width": width, "height": height}, locale=locale)
    game = deal(player)
    play_by_socket(player, server, game, WIN[:LONGEST])
    table = visit(f"/games/{game}", on=player)
    table.shows(1 + LONGEST)
    wide, high = table.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert wide <= width
    assert high <= height
    strips = table.page.locator("[data-column]").evaluate_all(STRIPS)
    assert [strip for strip in strips if strip["share"] < INDEX or not strip["inside"]] == []
    boxes = boxes_of(table)
    assert len(boxes) == 14
    assert [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])] == []
    assert [name for name, box in boxes.items() if min(box["width"], box["height"]) < 24] == []
    assert [name for name, box in boxes.items() if box["x"] + box["width"] > width] == []
    track = table.page.get_by_role("slider").bounding_box()
    assert track
    assert track["width"] >= TRACK


# Never in the way and never out of sight
ALWAYS = ["score", "moves", "time", "removed", "code", "watching", "status"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_must_always_be_seen(visit, device, size):
    width, height = size
    player = device(viewport={"width": width, "height": height}, locale="el-GR")
    game = player.request.post("/api/games", data={"code": "SS1-S4-AAAAABD"}).json()["g"]
    table = visit(f"/games/{game}", on=player)
    places = {name: table.page.locator(f"[data-{name}]") for name in ALWAYS} | {"table": table.root}
    for place in places.values():
        expect(place).to_be_visible()
        expect(place).to_be_in_viewport(ratio=1)
    boxes = {name: box for name, place in places.items() if (box := place.bounding_box())} | boxes_of(table)
    assert [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])] == []
    before = boxes_of(table)
    table.drag((9, 1, 1))
    expect(table.message()).to_contain_text("δεν μπαίνει")
    expect(table.message()).to_be_in_viewport(ratio=1)
    assert table.message().evaluate("line => line.scrollHeight <= line.clientHeight")
    assert boxes_of(table) == before


@pytest.mark.parametrize("path", ["/watch", "/tv", "/games", "/link", "/rules"])
def test_other_pages_do_not_scroll_sideways(visit, path):
    table = visit(viewport={"width": 320, "height": 568}, locale="el-GR")
    table.page.goto(path)
    expect(table.page.get_by_role("heading").first).to_be_visible()
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("action", ["new", "share", "link-device", "settings"])
def test_dialogs_fit_the_smallest_screen(visit, action):
    table = visit(viewport={"width": 320, "height": 568}, locale="el-GR")
    table.control(action).click()
    dialog = table.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    table.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_long_name_can_be_read_on_a_phone(device, visit):
    player = device(viewport={"width": 360, "height": 740}, locale="el-GR")
    name = "Κωνσταντίνος Παπαδόπουλο"
    assert player.request.patch("/api/me", data={"name": name}).ok
    table = visit(f"/games/{deal(player)}", on=player)
    who = table.page.locator("[data-by]")
    expect(who).to_have_text(name)
    expect(who).to_have_attribute("title", name)
    table.control("settings").click()
    field = table.page.locator("input[name=name]")
    expect(field).to_have_value(name)
    assert field.evaluate("field => field.scrollWidth <= field.clientWidth")
