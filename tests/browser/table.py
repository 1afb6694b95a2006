"""A page as a person has it in hand: what lies on the table, and the ways to move it.

The attributes are those of the contract.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import stories
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect
from websockets.sync.client import connect
from websockets.typing import Subprotocol

Move = tuple[int, int, int]

EXAMPLE = list(stories.EXAMPLE.deal.lines)
WIN: list[Move] = [(event.move.source, event.move.count, event.move.target) for event in stories.EXAMPLE_WIN]

SORTED = list(stories.SORTED.deal.lines)
SORTED_WIN: list[Move] = [(event.move.source, event.move.count, event.move.target) for event in stories.SORTED_WIN]
"""A game that six moves win."""


class Table:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("[data-version]")

    @property
    def game(self) -> str:
        return self.page.url.split("#")[0].rsplit("/", 1)[1]

    @property
    def columns(self) -> list[str]:
        """All columns as lines of cards, as they lie in the page at this moment."""
        read = """columns => columns.map(column =>
            [...column.querySelectorAll("[data-card]")].map(card => card.dataset.card).join(" "))"""
        columns: list[str] = self.page.locator("[data-column]").evaluate_all(read)
        return columns

    @property
    def removed(self) -> list[str]:
        return [str(mark.get_attribute("data-suit")) for mark in self.page.locator("[data-removed] > *").all()]

    def control(self, action: str) -> Locator:
        return self.page.locator(f"[data-action='{action}']")

    def column(self, at: int) -> Locator:
        return self.page.locator(f"[data-column='{at}']")

    def card(self, column: int, count: int = 1) -> Locator:
        """The card that lies `count` from the end of a column: 1 is the one on top."""
        cards = self.column(column).locator("[data-card]")
        return cards.nth(cards.count() - count)

    def message(self) -> Locator:
        return self.page.locator("[data-message]")

    def says_nothing(self) -> None:
        """Looks at once: a sentence goes by itself after a while, and waiting for that would pass whatever was said."""
        assert self.message().text_content() == ""

    def shows(self, version: int) -> None:
        """Waits until this version is confirmed and on the page."""
        expect(self.root).to_have_attribute("data-version", str(version))

    def knows(self, version: int) -> None:
        expect(self.root).to_have_attribute("data-head", str(version))

    def tells(self, **numbers: Any) -> None:
        """Waits until score and moves read so."""
        for name, number in numbers.items():
            expect(self.page.locator(f"[data-{name}]")).to_have_text(str(number))

    def goes_public(self) -> None:
        assert self.page.request.patch(f"/api/games/{self.game}", data={"visibility": "public"}).ok

    def hears_of_a_network(self) -> None:
        """The system's word for it; without it the page would try again after a while, longer each time."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def holds_the_time(self) -> None:
        """No clock of the page goes on, and nothing plays; also in the pages that are opened here later."""
        self.page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=1))

    def is_touched_at_once(self) -> None:
        """However busy the machine, what hands do from now on they do at one moment: two taps are a double tap."""
        self.page.evaluate("Object.defineProperty(Event.prototype, 'timeStamp', { value: 0 })")

    def is_connected(self, status: str) -> None:
        expect(self.page.locator("[data-status]")).to_have_attribute("data-status", status)

    def grip(self, column: int, count: int) -> tuple[float, float]:
        """Where a hand takes a card: on its index, which is never covered."""
        box = self.card(column, count).bounding_box()
        assert box
        return box["x"] + box["width"] / 3, box["y"] + 5

    def spot(self, column: int) -> tuple[float, float]:
        """Where a hand touches a column: on its last card, or its empty place."""
        place = self.column(column)
        box = (self.card(column) if place.locator("[data-card]").count() else place).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + 12

    def drag(self, move: Move) -> None:
        """With the mouse, by real pointer events."""
        source, count, target = move
        mouse = self.page.mouse
        mouse.move(*self.grip(source, count))
        mouse.down()
        mouse.move(*self.spot(target), steps=4)
        mouse.up()

    def tap(self, move: Move) -> None:
        source, count, target = move
        self.page.mouse.click(*self.grip(source, count))
        self.page.mouse.click(*self.spot(target))

    def play(self, moves: list[Move], version: int) -> None:
        """Drags move after move, each as soon as the one before is confirmed; `version` is the one before the first."""
        for number, move in enumerate(moves, version + 1):
            self.drag(move)
            self.shows(number)


Visit = Callable[..., Table]
"""Opens an address on a device (a new one by default), and waits until the table is live."""


def deal(player: BrowserContext, columns: list[str] = EXAMPLE, visibility: str = "unlisted") -> str:
    """A new game of the player on this device, by HTTP. Returns its id.

    Whoever has its address may watch; the list of games stays short.
    """
    answer = player.request.post("/api/games", data={"columns": columns, "visibility": visibility})
    assert answer.status == 201, answer.text()
    return str(answer.json()["g"])


def play_by_socket(player: BrowserContext, server: str, game: str, moves: list[Move], version: int = 1) -> None:
    """Plays without a page, for tests that are about what comes after."""
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in player.cookies())
    with connect(
        server.replace("http", "ws") + "/ws",
        subprotocols=[Subprotocol("simplesimon.v1")],
        additional_headers={"Cookie": cookies},
    ) as socket:
        assert json.loads(socket.recv())["t"] == "hello"
        for v, move in enumerate(moves, version):
            socket.send(json.dumps({"t": "move", "g": game, "v": v, "m": move}))
            answer = json.loads(socket.recv())
            assert (answer["t"], answer["v"]) == ("move", v + 1)


def hold(page: Page) -> list[Route]:
    """Games that are asked for from now on wait in this list."""
    held: list[Route] = []
    page.route("**/api/games/*", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks what it is given
    return held
