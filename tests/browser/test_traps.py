"""What cuts in while a run is in hand: the page, the glass, the window, another device. Nothing moves astray."""

import re
from pathlib import Path

import pytest
from browser.finger import Hand
from browser.table import WIN, Table, Visit, deal
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LIES_UNDER = """([x, y]) => {
    const { left, right, top, bottom } = document.querySelector(".dragged").getBoundingClientRect();
    return left <= x && x <= right && top <= y && y <= bottom;
}"""
STYLES = Path(__file__).parents[2] / "client"


@pytest.fixture
def phone(device, visit: Visit) -> Table:
    """The example deal on a phone."""
    player = device(**PHONE)
    return visit(f"/games/{deal(player)}", on=player)


@pytest.fixture
def hand(phone: Table) -> Hand:
    return Hand(phone.page)


def dragged(table: Table, count: int) -> None:
    expect(table.page.locator(".dragged")).to_have_count(count)


def take(table: Table, hand: Hand | None = None, column: int = 9, on_to: int = 6) -> None:
    """The last card of a column, lifted and carried over another column, not let go."""
    if hand:
        hand.press(table.grip(column, 1))
        hand.move(table.spot(on_to))
    else:
        table.page.mouse.move(*table.grip(column, 1))
        table.page.mouse.down()
        table.page.mouse.move(*table.spot(on_to), steps=4)
    dragged(table, 1)


def is_home(table: Table) -> None:
    dragged(table, 0)
    table.shows(1)
    assert table.columns[9] == "5D"


def test_no_gesture_of_the_browser_lies_over_the_cards(phone):
    styles = phone.root.evaluate(
        "table => (({ touchAction, userSelect }) => [touchAction, userSelect])(getComputedStyle(table))"
    )
    assert styles == ["none", "none"]
    assert phone.control("undo").evaluate("button => getComputedStyle(button).touchAction") == "manipulation"
    # Only Safari knows this one, and no test here can ask it
    assert re.search(r"#table \{[^}]*-webkit-touch-callout: none", (STYLES / "table.css").read_text())


def test_a_double_tap_does_not_zoom(phone, hand):
    phone.is_touched_at_once()
    for _ in range(2):
        hand.tap(phone.grip(9, 1))
    phone.shows(2)
    assert phone.page.evaluate("visualViewport.scale") == 1


def test_a_long_press_opens_no_menu(phone, hand):
    phone.page.evaluate("addEventListener('contextmenu', event => (window.menu = event.defaultPrevented))")
    hand.press(phone.grip(9, 1))
    phone.page.locator("[data-column='9'] .card").dispatch_event("contextmenu", {"cancelable": True, "bubbles": True})
    assert phone.page.evaluate("window.menu") is True
    hand.lift()


def test_the_page_does_not_scroll_under_a_drag(phone, hand):
    hand.press(phone.grip(9, 1))
    x, _ = phone.grip(9, 1)
    hand.move((x, 600), steps=8)
    dragged(phone, 1)
    hand.move((x, 20), steps=8)
    dragged(phone, 1)
    assert phone.page.evaluate("[scrollX, scrollY, visualViewport.offsetTop]") == [0, 0, 0]
    hand.move(phone.spot(6))
    hand.lift()
    phone.shows(2)


def test_a_second_finger_means_nothing(phone, hand):
    take(phone, hand)
    hand.press(phone.grip(0, 1), finger=1)
    hand.move(phone.spot(4), finger=1)
    dragged(phone, 1)
    hand.lift(finger=1)
    dragged(phone, 1)
    hand.lift()
    phone.shows(2)
    assert phone.columns[6] == "JD 3H 5C 6D 5D"
    phone.says_nothing()


def test_a_gesture_that_the_system_takes_over_goes_home(phone, hand):
    take(phone, hand)
    hand.cancel()
    is_home(phone)
    hand.drag(phone, WIN[0])
    phone.shows(2)


def test_a_screen_that_turns_leaves_the_run_under_the_finger(device, visit):
    # No phone's zoom here: while that settles, nobody knows what a spot of the glass means
    player = device(viewport={"width": 360, "height": 740}, has_touch=True)
    table = visit(f"/games/{deal(player)}", on=player)
    hand = Hand(table.page)
    take(table, hand)
    narrow = table.card(0).evaluate("card => card.clientWidth")
    table.page.set_viewport_size({"width": 740, "height": 360})
    table.page.wait_for_function("narrow => document.querySelector('[data-card]').clientWidth > narrow", arg=narrow)
    hand.move((400, 200))
    table.page.wait_for_function(LIES_UNDER, arg=[400, 200])
    hand.move(table.spot(6))
    hand.lift()
    table.shows(2)
    assert table.columns[6].endswith("6D 5D")


def test_the_mouse_let_go_outside_the_window(table):
    take(table)
    table.page.mouse.move(-60, -60)
    table.page.mouse.up()
    is_home(table)
    table.drag(WIN[0])
    table.shows(2)


def test_a_release_that_nobody_told_of(table):
    take(table)
    x, y = table.spot(2)
    told = table.page.context.new_cdp_session(table.page)
    told.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y, "buttons": 0})
    is_home(table)


@pytest.mark.parametrize("button", ["right", "middle"])
def test_the_other_buttons_move_nothing(table, button):
    mouse = table.page.mouse
    mouse.move(*table.grip(9, 1))
    mouse.down(button=button)
    mouse.move(*table.spot(6), steps=4)
    dragged(table, 0)
    mouse.up(button=button)
    expect(table.page.locator("[aria-selected=true]")).to_have_count(0)
    table.drag(WIN[0])
    table.shows(2)


def test_the_right_button_does_not_end_a_drag_of_the_left_one(table):
    take(table)
    table.page.mouse.down(button="right")
    table.page.mouse.up(button="right")
    dragged(table, 1)
    table.page.mouse.up()
    table.shows(2)


def test_a_drag_goes_on_when_another_device_moves_other_cards(table, visit):
    other = visit("/", on=table.page.context)
    take(table)
    before = table.card(9).bounding_box()
    other.drag((5, 1, 2))
    table.knows(2)
    dragged(table, 1)
    assert table.card(9).bounding_box() == before
    table.page.mouse.up()
    table.shows(3)
    assert table.columns[6].endswith("6D 5D")


def test_a_drag_goes_home_when_another_device_moves_its_cards(table, visit):
    other = visit("/", on=table.page.context)
    take(table)
    other.drag(WIN[0])
    table.knows(2)
    dragged(table, 0)
    expect(table.message()).to_contain_text("another device")
    table.page.mouse.up()
    table.shows(2)
    assert table.columns == other.columns


def test_ten_undos_by_key_are_ten_undos(table):
    table.play(WIN[:12], version=1)
    for _ in range(10):
        table.page.keyboard.press("z")
    table.tells(score=498, moves=2)
    table.shows(23)


def test_the_focus_stays_where_it_was(table):
    table.column(9).focus()
    table.drag(WIN[0])
    table.shows(2)
    expect(table.page.locator(":focus")).to_have_attribute("data-column", re.compile("."))
    undo = table.control("undo")
    undo.focus()
    table.page.keyboard.press("Enter")
    table.shows(3)
    # Nothing is left to undo: the button says so and keeps the focus
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(undo).to_be_focused()
    table.control("share").press("Enter")
    expect(table.page.get_by_role("dialog")).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(table.control("share")).to_be_focused()
