"""The four hands move the same game; what the rules forbid is told with the cards that it is about."""

import pytest
from browser.table import WIN
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_tap_a_run_then_a_column(table):
    table.tap(WIN[0])
    table.shows(2)
    assert table.columns[6] == "JD 3H 5C 6D 5D"
    assert table.columns[9] == ""


def test_double_click_goes_to_the_best_column(table):
    table.is_touched_at_once()
    table.page.mouse.dblclick(*table.grip(9, 1))
    table.shows(2)
    assert table.columns[6] == "JD 3H 5C 6D 5D"


def test_a_third_click_right_after_a_double_click_does_nothing(table):
    table.is_touched_at_once()
    table.page.mouse.click(*table.grip(9, 1), click_count=3)
    table.shows(2)
    expect(table.page.locator("[aria-selected=true]")).to_have_count(0)


def test_what_one_takes_back_oneself_leaves_the_hand_without_a_word(table):
    table.play(WIN[:1], version=1)
    keys = table.page.keyboard
    column = WIN[0][2]
    table.column(column).focus()
    keys.press("Enter")
    expect(table.card(column)).to_have_attribute("aria-selected", "true")
    keys.press("z")
    table.shows(3)
    assert table.message().inner_text() == ""
    expect(table.page.locator("[aria-selected=true]")).to_have_count(0)


def test_keys_take_and_put(table):
    keys = table.page.keyboard
    table.column(0).focus()
    for _ in range(9):
        keys.press("ArrowRight")
    keys.press("Enter")
    expect(table.card(9)).to_have_attribute("aria-selected", "true")
    for _ in range(3):
        keys.press("ArrowLeft")
    keys.press(" ")
    table.shows(2)
    assert table.columns[6].endswith("6D 5D")
    expect(table.column(6)).to_be_focused()
    keys.press("z")
    table.shows(3)
    keys.press("Control+Shift+Z")
    table.shows(4)
    assert table.columns[6].endswith("6D 5D")
    greek = table.page.context.new_cdp_session(table.page)
    for version, (key, code) in enumerate([("ζ", "KeyZ"), ("υ", "KeyY")], 5):
        greek.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "code": code})
        table.shows(version)
    table.tells(moves=1)


def test_columns_and_cards_have_names(table):
    expect(table.column(9)).to_have_accessible_name("Column 10, 1 card, on top: 5 of diamonds")
    expect(table.card(5)).to_have_accessible_name("queen of hearts")
    table.drag(WIN[0])
    expect(table.column(9)).to_have_accessible_name("Column 10, empty")


def pretty(text: str) -> str:
    """The suits as the page writes them, never as coloured emoji."""
    return "".join(letter + "\ufe0e" * (letter in "♠♥♦♣") for letter in text)


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ((2, 1, 9), "K♠ cannot go on 5♦: a king goes only to an empty column."),
        ((0, 1, 4), "4♣ cannot go on A♥: nothing goes on an ace."),
        ((9, 1, 1), "5♦ cannot go on 9♥: a card goes on the next higher rank."),
        ((1, 2, 0), "9♥ does not follow 8♦: only cards that go down one by one move together."),
    ],
)
def test_a_refused_move_goes_home_and_tells_the_rule(table, move, sentence):
    before = table.columns
    table.drag(move)
    expect(table.message()).to_have_text(pretty(sentence))
    assert table.columns == before
    table.shows(1)


def test_two_suits_do_not_move_together(table):
    table.play([(9, 1, 6), (0, 1, 6)], version=1)
    table.drag((6, 2, 9))
    expect(table.message()).to_have_text(pretty("4♣ on 5♦ are two suits: only cards of one suit move together."))
    table.drag((6, 1, 9))
    table.shows(4)
    table.says_nothing()


def test_the_sentence_moves_nothing_and_is_spoken_in_full(table):
    place = table.card(9).bounding_box()
    table.drag((9, 1, 1))
    expect(table.message()).to_be_visible()
    expect(table.page.get_by_role("status").first).to_contain_text("5 of diamonds cannot go on 9 of hearts")
    assert table.card(9).bounding_box() == place


def test_a_drag_that_the_browser_breaks_off_goes_home(table):
    before = table.columns
    mouse = table.page.mouse
    for broken_by in ("Escape", "blur"):
        mouse.move(*table.grip(9, 1))
        mouse.down()
        mouse.move(*table.spot(6), steps=3)
        expect(table.page.locator(".dragged")).to_have_count(1)
        if broken_by == "Escape":
            table.page.keyboard.press("Escape")
        else:
            table.page.evaluate("window.dispatchEvent(new Event('blur'))")
        expect(table.page.locator(".dragged")).to_have_count(0)
        mouse.up()
    assert table.columns == before


def test_a_run_that_hardly_touches_the_next_column_goes_home(table):
    table.play([(9, 1, 6)], version=1)
    box, beside = table.card(8).bounding_box(), table.column(9).bounding_box()
    touch = beside["x"] - box["x"] - box["width"] * 0.85
    mouse = table.page.mouse
    x, y = table.grip(8, 1)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + touch, y + 3, steps=3)
    expect(table.column(9)).to_have_class("column empty accepts")
    mouse.up()
    expect(table.page.locator(".dragged")).to_have_count(0)
    table.says_nothing()
    table.shows(2)


def test_columns_that_accept_are_marked_while_a_run_is_held(table):
    table.page.mouse.click(*table.grip(9, 1))
    expect(table.page.locator(".accepts")).to_have_count(1)
    expect(table.column(6)).to_have_class("column accepts")
    table.page.keyboard.press("Escape")
