"""The list of public games: small tables that are live while they are in sight, filters in the address, words."""

import json
from collections.abc import Iterator

import pytest
from browser.table import WIN, deal, play_by_socket
from playwright.sync_api import BrowserContext, Page, WebSocket, WebSocketRoute, expect

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
GAMES = 12


@pytest.fixture(scope="module")
def games(player: BrowserContext) -> Iterator[list[str]]:
    """Public ones, the newest last; hidden again for the tests that come after."""
    dealt = [deal(player, visibility="public") for _ in range(GAMES)]
    yield dealt
    for game in dealt:
        player.request.patch(f"/api/games/{game}", data={"visibility": "private"})


def ids(heard: list[dict[str, object]], t: str) -> list[object]:
    return [message["g"] for message in heard if message["t"] == t]


def test_only_what_is_in_sight_is_followed_on_one_socket_and_quietly(device, games, visit, player):
    page = device(viewport=PHONE).new_page()
    said: list[dict[str, object]] = []
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108 - playwright marks what it is given
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: said.append(json.loads(frame))))
    page.goto("/watch")
    newest, oldest = (page.locator(f"[data-game='{games[at]}']") for at in (-1, 0))
    expect(newest.locator("g")).to_have_count(10)
    table = visit(f"/games/{games[-1]}", on=player)
    table.play(WIN[:1], version=1)
    expect(newest).to_contain_text("499 points, 1 move")
    expect(newest.locator("g").nth(WIN[0][2])).to_have_class("changed")
    assert len(ids(said, "watch")) <= 5
    assert all(message["quiet"] for message in said if message["t"] == "watch")
    assert oldest.locator("g").count() == 0
    # A table is left once the list rests: who comes back before that never left it
    with sockets[0].expect_event("framesent", lambda frame: json.loads(frame) == {"t": "leave", "g": games[-1]}):
        oldest.scroll_into_view_if_needed()
    expect(oldest.locator("g")).to_have_count(10)
    expect(newest.locator("g")).to_have_count(0)
    table.play(WIN[1:2], version=2)
    newest.scroll_into_view_if_needed()
    expect(newest).to_contain_text("498 points, 2 moves")
    assert games[0] in ids(said, "watch")
    assert len(sockets) == 1
    assert table.page.locator("[data-watching]").get_attribute("data-watching") == "0"


def test_a_new_game_waits_while_somebody_looks_at_the_others(device, games, player):
    page = device(viewport=PHONE).new_page()
    page.goto("/watch")
    first = page.locator("[data-game]").first
    expect(first).to_have_attribute("data-game", games[-1])
    fresh = page.get_by_role("button", name="1 new game")
    page.locator("[data-game] a").first.focus()
    games.append(deal(player, visibility="public"))
    expect(fresh).to_be_visible()
    expect(first).to_have_attribute("data-game", games[-2])
    expect(page.locator("[data-game] a").first).to_be_focused()
    fresh.click()
    expect(first).to_have_attribute("data-game", games[-1])
    expect(fresh).to_be_hidden()
    player.request.patch(f"/api/games/{games[-1]}", data={"visibility": "private"})
    expect(first).to_have_attribute("data-game", games[-2])


def test_filters_stand_in_the_address_and_words_in_place_of_tables(device, games, server, player):
    page = device(viewport=PHONE, locale="el-GR").new_page()
    page.goto("/watch")
    expect(page.locator("[data-game]").first).to_be_visible()
    page.locator("select[name=suits]").select_option("1")
    expect(page).to_have_url(f"{server}/watch?suits=1")
    expect(page.locator(f"[data-game='{games[0]}']")).to_have_count(0)
    games.append(player.request.post("/api/games", data={"suits": 1}).json()["g"])
    easy = page.locator(f"[data-game='{games[-1]}']")
    expect(easy.locator(".small-table")).to_be_visible()
    page.get_by_role("button", name="Λίστα").click()
    expect(page).to_have_url(f"{server}/watch?suits=1&view=list")
    page.reload()
    expect(easy.get_by_role("link")).to_contain_text("1 χρώμα")
    expect(easy.locator(".small-table")).to_be_hidden()
    assert page.locator(f"[data-game='{games[0]}']").count() == 0
    page.goto("/watch?suits=2&show=won")
    expect(page.locator(".notice")).to_contain_text("άλλου είδους")
    page.locator(".notice button").click()
    expect(page).to_have_url(f"{server}/watch?show=all")
    expect(page.locator("[data-game]").first).to_be_visible()


def fails_once(page: Page) -> None:
    """The list, and each game, cannot be read when they are asked for first."""
    failed: set[str] = set()

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def hear(frame: str | bytes) -> None:
            asked = json.loads(frame)
            what = asked.get("g", asked["t"])
            if asked["t"] not in {"lobby", "watch"} or what in failed:
                return server.send(frame)
            failed.add(what)
            about = {"g": what} if "g" in asked else {}
            return socket.send(json.dumps({"t": "error", "code": "unavailable", "detail": ""} | about))

        socket.on_message(hear)

    page.route_web_socket("**/ws", route)


def test_what_could_not_be_read_for_now_is_asked_for_again(device, server, player, hides):
    game = hides(player, deal(player, visibility="public"))
    page = device().new_page()
    fails_once(page)
    page.goto("/watch")
    shown = page.locator(f"[data-game='{game}']")
    expect(shown.locator("g")).to_have_count(10)
    play_by_socket(player, server, game, WIN[:1])
    expect(shown).to_contain_text("499 points, 1 move")
    page.goto("about:blank")
    fails_once(page)
    page.goto("/tv")
    expect(page.locator("[data-by]")).to_be_visible()
