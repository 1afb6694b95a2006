"""What was played without a connection stands, or is kept as a game of one's own: nothing is thrown away."""

import re
from pathlib import Path

import pytest
import redis
from browser.table import WIN, Table, deal, play_by_socket
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

OTHER = (0, 1, 3)


def offers(table: Table, text: str) -> None:
    expect(table.page.locator(".of-moves")).to_contain_text(text)


def keeps(table: Table) -> None:
    table.page.locator("[data-offer=keep]").click()
    expect(table.page.locator(".of-moves")).to_have_count(0)


@pytest.mark.usefixtures("forgiving")
def test_moves_that_do_not_stand_become_a_game_of_one_s_own(table, visit, line):
    away = visit(f"{line.address}/games/{table.game}", on=table.page.context)
    line.cut()
    away.is_connected("reconnecting")
    for move in (WIN[0], OTHER, WIN[1]):
        away.drag(move)
    expect(away.page.locator("[data-status]")).to_have_text(re.compile("3 wait$"))
    table.play(WIN[:2], version=1)
    line.mend()
    away.hears_of_a_network()
    away.shows(3)
    offers(away, "2 moves of yours do not stand, from version 2 on")
    assert away.columns == table.columns
    away.page.reload()
    offers(away, "2 moves of yours")
    keeps(away)
    away.shows(4)
    away.tells(moves=3, score=497)
    expect(away.page.locator("[data-from]")).to_have_attribute("href", f"/games/{table.game}#v=2")
    log = away.page.request.get(f"/api/games/{away.game}/log").json()
    assert [tuple(event["m"]) for event in log["events"][1:]] == [WIN[0], OTHER, WIN[1]]
    table.shows(3)


@pytest.mark.usefixtures("forgiving")
def test_moves_of_before_a_reload_that_do_not_stand_are_offered_too(table, visit, line):
    away = visit(f"{line.address}/games/{table.game}", on=table.page.context)
    line.cut()
    away.is_connected("reconnecting")
    away.drag(OTHER)
    table.play(WIN[:1], version=1)
    line.mend()
    away.page.reload()
    offers(away, "a move of yours, made at version 1, does not stand")
    line.cut()
    away.is_connected("reconnecting")
    away.drag(OTHER)
    away.drag(WIN[2])
    table.play(WIN[1:2], version=2)
    line.mend()
    away.hears_of_a_network()
    offers(away, "a move of yours, made at version 1")
    for what in ("a move of yours, made at version 1", "2 moves of yours do not stand, from version 2 on"):
        offers(away, what)
        away.page.locator("[data-offer=let_go]").click()
    away.page.reload()
    away.shows(3)
    expect(away.page.locator(".of-moves")).to_have_count(0)


def test_what_the_server_lost_is_offered_by_the_device_that_has_it(table, visit, tmp_path_factory):
    other = visit(f"/games/{table.game}", on=table.page.context)
    table.page.bring_to_front()  # a page behind another is drawn seldom, and its drags take seconds
    [socket] = Path(tmp_path_factory.getbasetemp()).glob("games[0-9]/*.sock")
    with redis.Redis(unix_socket_path=str(socket)) as store:
        keys = [f"{{game:{table.game}}}", f"{{game:{table.game}}}:log"]
        table.play(WIN[:2], version=1)
        copy = {key: store.dump(key) for key in keys}
        table.play(WIN[2:5], version=3)
        other.shows(6)
        with store.pipeline() as at_once:  # the server looks at it meanwhile
            for key, content in copy.items():
                at_once.restore(key, 0, content, replace=True)
            at_once.execute()
    table.shows(3)
    for tab in (table, other):
        offers(tab, "The server lost 3 moves, from version 3 on")
    keeps(table)
    table.shows(6)
    table.tells(moves=5)
    expect(other.page.locator(".of-moves")).to_have_count(0)


@pytest.mark.usefixtures("forgiving")
def test_however_often_a_page_wakes_it_has_one_socket(device, visit, line):
    player = device(base_url=line.address)
    table = visit(f"/games/{deal(player)}", on=player)
    sockets: list[object] = []
    table.page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108 - a bound method is refused
    wake = "for (const name of ['online', 'focus', 'pageshow']) dispatchEvent(new Event(name))"
    for _ in range(5):
        table.page.evaluate(wake)
    table.drag(WIN[0])
    table.shows(2)
    assert sockets == []
    table.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    table.is_connected("reconnecting")
    table.drag(WIN[1])
    table.tells(moves=2)
    for _ in range(5):
        table.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    table.is_connected("live")
    table.shows(3)
    assert len(sockets) == 1


# Takes all the room there is, down to the last letter
FILL = """() => {
    for (let size = 1 << 23; size > 0; size >>= 1)
        for (let isTaken = true; isTaken; )
            try {
                localStorage.setItem(crypto.randomUUID(), "x".repeat(size));
            } catch (error) {
                [isTaken, window.refused] = [false, error.name];
            }
    return window.refused;
}"""


@pytest.mark.usefixtures("forgiving")
@pytest.mark.parametrize(
    ("locale", "told"),
    [("en-GB", "The browser has no place to keep moves"), ("el-GR", "Ο περιηγητής δεν έχει πού να κρατήσει κινήσεις")],
)
def test_a_device_without_room_says_so_once_and_plays_on(device, visit, server, line, locale, told):
    player = device(base_url=line.address, locale=locale, viewport={"width": 360, "height": 740})
    table = visit(f"/games/{deal(player)}", on=player)
    assert table.page.evaluate(FILL) == "QuotaExceededError"
    table.play(WIN[:1], version=1)
    table.says_nothing()
    line.cut()
    table.is_connected("reconnecting")
    table.drag(OTHER)
    expect(table.message()).to_contain_text(told)
    expect(table.message()).to_be_in_viewport(ratio=1)
    table.drag(WIN[1])
    table.tells(moves=3)
    table.says_nothing()
    play_by_socket(player, server, table.game, WIN[1:2], version=2)
    line.mend()
    table.hears_of_a_network()
    table.shows(3)
    keeps(table)
    table.shows(4)
    table.tells(moves=3)
