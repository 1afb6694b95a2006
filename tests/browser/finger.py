"""Fingers on the glass, by the browser's own touch events: what it makes of them, it makes of a person's."""

from browser.table import Move, Table
from playwright.sync_api import Page

Spot = tuple[float, float]


class Hand:
    """The fingers that are down, each by its number."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._down: dict[int, Spot] = {}

    def press(self, spot: Spot, finger: int = 0) -> None:
        self._down[finger] = spot
        self._tell("touchStart")

    def move(self, spot: Spot, finger: int = 0, steps: int = 4) -> None:
        x, y = self._down[finger]
        for step in range(1, steps + 1):
            self._down[finger] = (x + (spot[0] - x) * step / steps, y + (spot[1] - y) * step / steps)
            self._tell("touchMove")

    def lift(self, finger: int = 0) -> None:
        del self._down[finger]
        # The last one ends the touch; before that, a finger is up when the next event does not name it
        self._tell("touchMove" if self._down else "touchEnd")

    def cancel(self) -> None:
        """The system takes the fingers' events away: a gesture of its own, a call, a notice."""
        self._down.clear()
        self._tell("touchCancel")

    def tap(self, spot: Spot) -> None:
        self.press(spot)
        self.lift()

    def drag(self, table: Table, move: Move) -> None:
        source, count, target = move
        self.press(table.grip(source, count))
        self.move(table.spot(target))
        self.lift()

    def _tell(self, kind: str) -> None:
        points = [{"id": finger, "x": x, "y": y} for finger, (x, y) in self._down.items()]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
