"""Two tabs of one device, and a page that is loaded over and over: what each has waiting is its own; none is lost."""

import re

import pytest
from browser.table import WIN, Table, Visit, deal, play_by_socket
from playwright.sync_api import BrowserContext, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("forgiving")]

OTHER = (0, 1, 3)


@pytest.fixture
def player(device, line) -> BrowserContext:
    player: BrowserContext = device(base_url=line.address)
    return player


def offers(table: Table, text: str) -> None:
    expect(table.page.locator(".of-moves")).to_contain_text(text)


def rest(table: Table) -> None:
    """As a page does that is left, and kept for the way back."""
    table.page.evaluate("void dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")


def test_what_a_closed_tab_had_waiting_is_offered_in_the_other(player, visit: Visit, line):
    closed = visit(f"/games/{deal(player)}", on=player)
    other = visit(f"/games/{closed.game}", on=player)
    line.cut()
    for table, moves in ((closed, WIN[:2]), (other, [OTHER])):
        table.is_connected("reconnecting")
        for move in moves:
            table.drag(move)
        table.tells(moves=len(moves))
    closed.page.close()
    line.mend()
    other.hears_of_a_network()
    other.shows(2)
    offers(other, "2 moves of yours do not stand, from version 1 on")
    other.page.reload()
    other.shows(2)
    offers(other, "2 moves of yours do not stand, from version 1 on")


def test_two_tabs_with_two_games_keep_the_moves_of_both(player, visit: Visit, line):
    tables = [visit(f"/games/{deal(player)}", on=player) for _ in range(2)]
    line.cut()
    for table, move in zip(tables, (WIN[0], OTHER), strict=True):
        table.is_connected("reconnecting")
        table.drag(move)
        table.tells(moves=1)
        rest(table)  # which sends nothing any more, also on a line that is there again
    line.mend()
    for table in tables:
        table.page.reload()
        table.shows(2)


def test_what_is_done_while_older_moves_wait_for_the_log_outlives_another_reload(player, visit: Visit, line, server):
    away = visit(f"/games/{deal(player)}", on=player)
    line.cut()
    away.is_connected("reconnecting")
    for move in WIN[:2]:
        away.drag(move)
    away.tells(moves=2)
    table = visit(f"{server}/games/{away.game}", on=player)
    table.play([OTHER], version=1)
    line.mend()
    away.page.route("**/log?*", lambda route: route.abort())
    away.page.reload()
    away.shows(2)
    away.is_connected("live")
    line.cut()
    away.is_connected("reconnecting")
    away.drag(WIN[0])
    away.tells(moves=2)
    line.mend()
    away.page.unroute_all()
    away.page.reload()
    away.shows(3)
    assert away.page.request.get(f"/api/games/{away.game}/log").json()["events"][2]["m"] == list(WIN[0])
    offers(away, "2 moves of yours do not stand, from version 1 on")


def test_a_page_that_rests_for_the_way_back_lets_go_of_what_waits_and_takes_hold_again(player, visit: Visit, line):
    resting = visit(f"/games/{deal(player)}", on=player)
    other = visit(f"/games/{resting.game}", on=player)
    line.cut()
    resting.is_connected("reconnecting")
    resting.drag(WIN[0])
    resting.tells(moves=1)
    rest(resting)
    line.mend()
    other.hears_of_a_network()
    other.shows(2)
    resting.page.evaluate("void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    resting.shows(2)
    resting.page.wait_for_function("async () => (await navigator.locks.query()).held.length === 2")
    line.cut()
    resting.is_connected("reconnecting")
    resting.drag(WIN[1])
    resting.tells(moves=2)
    line.mend()
    resting.hears_of_a_network()
    for table in (resting, other):
        table.shows(3)


def test_what_did_not_stand_becomes_one_game_though_it_is_offered_in_two_tabs(player, visit: Visit, line, server):
    game = deal(player)
    here, there = (visit(f"/games/{game}", on=player) for _ in range(2))
    line.cut()
    here.is_connected("reconnecting")
    here.drag(OTHER)
    here.tells(moves=1)
    play_by_socket(player, server, game, WIN[:1])
    line.mend()
    here.hears_of_a_network()
    offers(here, "a move of yours, made at version 1, does not stand")
    there.page.reload()
    offers(there, "a move of yours, made at version 1, does not stand")
    held: list[Route] = []
    here.page.route("**/api/games", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks what it is given
    with here.page.expect_request("**/api/games"):
        here.page.locator("[data-offer=keep]").click()
    there.page.locator("[data-offer=keep]").click()
    held[0].continue_()
    expect(there.page.locator(".of-moves")).to_have_count(0)
    here.page.wait_for_url(re.compile(f"/games/(?!{game})"))
    here.shows(2)
    assert there.game == game
    assert len(player.request.get("/api/me/games").json()["games"]) == 2
