"""What was shown at once and did not come to be goes home the way it came, and the page says why."""

import json

import pytest
from browser.table import EXAMPLE, WIN, Table, deal, play_by_socket
from playwright.sync_api import BrowserContext, WebSocketRoute, expect

pytestmark = pytest.mark.browser

# Notes which cards travel, and for how long; the browser animates them all the same
NOTING = """
const animate = Element.prototype.animate;
window.travelled = [];
Element.prototype.animate = function (frames, timing) {
    window.travelled.push([this.dataset.card, timing.duration]);
    return animate.call(this, frames, timing);
};
"""
RETURN_MS = "parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--return'))"


def moving(player: BrowserContext) -> BrowserContext:
    player.add_init_script(NOTING)
    return player


def went_home(table: Table, *cards: str) -> None:
    duration = table.page.evaluate(RETURN_MS)
    assert duration > 0
    travelled = table.page.evaluate("window.travelled")
    assert {card for card, took in travelled if took == duration} >= set(cards)


@pytest.mark.usefixtures("forgiving")
def test_moves_that_another_device_overtook_travel_home(visit, device, server, line):
    player = moving(device(base_url=line.address, reduced_motion="no-preference"))
    game = deal(player)
    table = visit(f"/games/{game}", on=player)
    line.cut()
    table.is_connected("reconnecting")
    for move in [(9, 1, 6), (0, 1, 6)]:
        table.drag(move)
    table.tells(moves=2)
    play_by_socket(player, server, game, [(5, 1, 2)])
    line.mend()
    table.hears_of_a_network()
    table.shows(2)
    expect(table.message()).to_contain_text("Another device moved first")
    went_home(table, "5D", "4C")
    assert (table.columns[2], table.columns[9]) == (EXAMPLE[2] + " QH", "5D")


def refuse(socket: WebSocketRoute) -> None:
    """A server that reads the rules in another way than the page."""
    server = socket.connect_to_server()

    def answer(text: str | bytes) -> None:
        asked = json.loads(text)
        if asked["t"] == "move":
            refused = {"t": "refused", "g": asked["g"], "v": asked["v"], "rule": "wrong_rank", "m": asked["m"]}
            socket.send(json.dumps(refused))
        else:
            server.send(text)

    socket.on_message(answer)


def test_a_move_that_the_server_refuses_travels_home(visit, device):
    player = moving(device(reduced_motion="no-preference"))
    player.route_web_socket("**/ws", refuse)
    table = visit(f"/games/{deal(player)}", on=player)
    before = table.columns
    table.drag(WIN[0])
    expect(table.message()).to_contain_text("a card goes on the next higher rank")
    went_home(table, "5D")
    assert table.columns == before
    table.tells(score=500, moves=0)
    table.shows(1)
