"""One whole game won by each hand alone: drag, tap and tap, double-click, keys; by mouse and by finger."""

from collections.abc import Callable
from functools import partial

import pytest
from browser.finger import Hand
from browser.table import SORTED, SORTED_WIN, Move, Table, deal
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, object] = {}
# The tab key reaches the table long before that
STOPS = 20

Play = Callable[[Table, Move], None]


def by_mouse(table: Table, move: Move) -> None:
    table.drag(move)


def by_clicks(table: Table, move: Move) -> None:
    table.tap(move)


def by_double_click(table: Table, move: Move) -> None:
    """The column that it goes to is the best one, in each move of this game."""
    table.is_touched_at_once()
    table.page.mouse.dblclick(*table.grip(*move[:2]))


def by_finger(hand: Hand, table: Table, move: Move) -> None:
    hand.drag(table, move)


def by_taps(hand: Hand, table: Table, move: Move) -> None:
    hand.tap(table.grip(*move[:2]))
    hand.tap(table.spot(move[2]))


def by_double_tap(hand: Hand, table: Table, move: Move) -> None:
    table.is_touched_at_once()
    for _ in range(2):
        hand.tap(table.grip(*move[:2]))


def by_keys(table: Table, move: Move) -> None:
    source, count, target = move
    keys = table.page.keyboard
    reach(table)
    for key in ["Home", *["ArrowRight"] * source, *["ArrowUp"] * (count - 1), "Enter"]:
        keys.press(key)
    for key in ["Home", *["ArrowRight"] * target, "Enter"]:
        keys.press(key)


def reach(table: Table) -> None:
    for _ in range(STOPS):
        if table.page.evaluate("document.activeElement.matches('[data-column]')"):
            return
        table.page.keyboard.press("Tab")
    raise AssertionError("the tab key does not reach the table")


@pytest.mark.parametrize("play", [by_mouse, by_clicks, by_double_click, by_keys])
def test_a_game_is_won_on_a_desktop_by(device, visit, play):
    win(visit, device(**DESKTOP), lambda _: play)


@pytest.mark.parametrize("play", [by_finger, by_taps, by_double_tap])
def test_a_game_is_won_on_a_phone_by(device, visit, play):
    win(visit, device(**PHONE), lambda table: partial(play, Hand(table.page)))


def win(visit, player, take_up: Callable[[Table], Play]) -> None:
    table = visit(f"/games/{deal(player, SORTED)}", on=player)
    play = take_up(table)
    for version, move in enumerate(SORTED_WIN, 2):
        play(table, move)
        table.shows(version)
    table.tells(score=894, moves=6)
    assert sorted(table.removed) == ["C", "D", "H", "S"]
    expect(table.page.locator("[data-won=new]")).to_be_visible()
