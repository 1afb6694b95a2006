"""`python -m bench.lobby`: the list of public games with hundreds of games in play, in a real Chromium; one table.

How many frames the page drops while it is looked at and while it is scrolled, how long after a move a small table shows
it, and what comes over the wire. A Chromium must be on the path, or be named by CHROMIUM.
"""

import contextlib
import json
import random
import statistics
import threading
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench.page import BACK, DEAL, FIRST, PHONE, SCRIPT, SLOWER, THERE, Figures, chromium, server

GAMES = 300
MOVES_A_SECOND = 30
ROUNDS, ROUND_S = 4, 5
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}

SEEN = """() => {
    bench.seen = [];
    bench.observer?.disconnect();
    bench.observer = new MutationObserver(changes => {
        const at = performance.timeOrigin + performance.now();
        for (const entry of new Set(changes.map(change => change.target.closest?.("[data-game]"))))
            if (entry) bench.seen.push([entry.dataset.game, Number(/(\\d+) move/.exec(entry.textContent)[1]), at]);
    });
    bench.observer.observe(document.querySelector(".entries"), { subtree: true, childList: true });
}"""
REST = f"new Promise(then => setTimeout(then, {1000 * ROUND_S}))"
SCROLL = """seconds => new Promise(then => {
    const begun = performance.now();
    const step = now => {
        scrollBy(0, innerHeight / 60);
        if (scrollY + innerHeight >= document.documentElement.scrollHeight - 1) scrollTo(0, 0);
        if (now - begun < 1000 * seconds) requestAnimationFrame(step);
        else then();
    };
    requestAnimationFrame(step);
})"""


class Players:
    """One player who is in all games at once: a card goes to and fro in each."""

    def __init__(self, address: str) -> None:
        self.sent: dict[tuple[str, int], float] = {}
        self._address = address
        self._is_over = threading.Event()
        self._games, self._cookie = self._deal()

    @contextlib.contextmanager
    def playing(self) -> Iterator[None]:
        headers = {"Cookie": self._cookie}
        address = self._address.replace("http", "ws") + "/ws"
        with connect(
            address, subprotocols=[Subprotocol("simplesimon.v1")], additional_headers=headers, ping_interval=None
        ) as socket:
            threads = [threading.Thread(target=play, args=[socket]) for play in (self._play, _drain)]
            for thread in threads:
                thread.start()
            try:
                yield
            finally:
                self._is_over.set()
                threads[0].join()
        threads[1].join()

    def _deal(self) -> tuple[list[str], str]:
        games, cookie = [], ""
        for _ in range(GAMES):
            body = json.dumps({"code": DEAL}).encode()
            headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
            with urllib.request.urlopen(urllib.request.Request(f"{self._address}/api/games", body, headers)) as answer:
                cookie = cookie or answer.headers["Set-Cookie"].split(";")[0]
                games.append(json.load(answer)["g"])
        return games, cookie

    def _play(self, socket: ClientConnection) -> None:
        versions = dict.fromkeys(self._games, 1)
        due = time.monotonic()
        while not self._is_over.wait(max(0, due - time.monotonic())):
            due += 1 / MOVES_A_SECOND
            game = random.choice(self._games)
            version = versions[game]
            source, target = FIRST if version == 1 else (THERE, BACK)[version % 2]
            self.sent[game, version] = time.time() * 1000
            socket.send(json.dumps({"t": "move", "g": game, "v": version, "m": [source, 1, target]}))
            versions[game] += 1


def main() -> None:
    """Runs all rows."""
    print(f"{f'{GAMES} games, {MOVES_A_SECOND} moves a second':60} {'median':>9} {'least':>9} {'most':>9}")
    with server() as address, sync_playwright() as playwright:
        browser = chromium(playwright)
        players = Players(address)
        with players.playing():
            for screen, device, slower in (("desk", DESK, 1), (f"phone, {SLOWER} times slower", PHONE, SLOWER)):
                for name, figures in _rows(browser, address, players, device, slower).items():
                    numbers = (statistics.median(figures), min(figures), max(figures))
                    print(f"{f'{screen}: {name}':60} " + " ".join(f"{number:9,.1f}" for number in numbers))
        browser.close()


def _rows(browser: Browser, address: str, players: Players, device: dict[str, Any], slower: int) -> Figures:
    empty = _of_an_empty_page(browser, device, slower)
    page, heard = _watching(browser, address, device, slower)
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    resting, scrolling, late, kilobytes = [], [], [], []
    work, scroll_work = [], []
    for _ in range(ROUNDS):
        page.wait_for_timeout(1000)
        heard.clear()
        begun = time.time() * 1000
        page.evaluate(SEEN)
        before = _worked(tools)
        page.evaluate(REST)
        work.append((_worked(tools) - before) / ROUND_S)
        resting.append(_dropped(page, REST))
        kilobytes.append(sum(heard) / 1000 / ROUND_S / 2)
        seen = page.evaluate("bench.seen")
        sent = [(players.sent[game, moves], at) for game, moves, at in seen if (game, moves) in players.sent]
        late += [at - from_ for from_, at in sent if from_ > begun]
        before = _worked(tools)
        scrolling.append(_dropped(page, f"({SCROLL})({ROUND_S})"))
        scroll_work.append((_worked(tools) - before) / ROUND_S)
    page.context.close()
    return {
        "frames dropped by an empty page, %": empty,
        "frames dropped, %": resting,
        "frames dropped while it is scrolled, %": scrolling,
        "work of the page's main thread, ms a second": work,
        "the same while it is scrolled, ms a second": scroll_work,
        "from a move to its small table, ms": late,
        "KB a second over the wire": kilobytes,
    }


def _of_an_empty_page(browser: Browser, device: dict[str, Any], slower: int) -> list[float]:
    """What the machine is to blame for."""
    page = browser.new_context(**device).new_page()
    page.add_init_script(SCRIPT)
    page.goto("about:blank")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    dropped = [_dropped(page, REST) for _ in range(ROUNDS)]
    page.context.close()
    return dropped


def _watching(browser: Browser, address: str, device: dict[str, Any], slower: int) -> tuple[Page, list[int]]:
    """The list with all games, and how large what it is told is."""
    page = browser.new_context(base_url=address, **device).new_page()
    heard: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(len(frame))))
    page.add_init_script(SCRIPT)
    page.goto("/watch")
    page.locator("[data-game]").first.wait_for()
    for _ in range(GAMES // 100 - 1):
        known = page.locator("[data-game]").count()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.locator(f"[data-game]:nth-child({known + 1})").wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.wait_for_timeout(1000)
    return page, heard


def _worked(tools: CDPSession) -> float:
    """Processor time of the main thread, in ms: what other work there is on this machine does not count."""
    metrics = {metric["name"]: metric["value"] for metric in tools.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(metrics["TaskDuration"])


def _dropped(page: Page, meanwhile: str) -> float:
    page.evaluate(f"(bench.count(), {meanwhile}).then(bench.stop)")
    dropped: float = page.evaluate("bench.dropped()")
    return dropped


def _drain(socket: ClientConnection) -> None:
    for _ in socket:
        pass


if __name__ == "__main__":
    main()
