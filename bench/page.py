"""`python -m bench.page`: how fast the page is, in a real Chromium on this machine; prints one table.

A key press until its move is painted, with the server far away; frames dropped while cards are dragged on a slow
processor; what a first visit costs on a slow network. A Chromium must be on the path, or be named by CHROMIUM.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Playwright, sync_playwright

from bench.far import far_away

SCRIPT = (Path(__file__).parent / "page.js").read_text()
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}, "device_scale_factor": 2}

DEAL = "SS1-S4-PIX6EA6"
FIRST, THERE, BACK = (0, 8), (8, 9), (9, 8)
"""In this deal one card may go to and fro for ever."""

PRESSES = 60
ROUNDS, DRAGS, STEPS = 10, 30, 8
SLOWER = 4
VISITS = 7
EVENTS, JUMPS = 1000, 250
FAR_MS = 200
FAST_3G = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
"""As page speed tools have it: 1.6 and 0.75 Mbit/s, and 150 ms for every answer."""

Figures = dict[str, list[float]]


def main() -> None:
    """Runs all rows."""
    print(f"{'what':60} {'median':>9} {'least':>9} {'most':>9}")
    with server() as address, sync_playwright() as playwright:
        browser = chromium(playwright)
        for measure in (_presses, _frames, _jumps, _visits):
            for name, figures in measure(browser, address).items():
                print(f"{name:60} {statistics.median(figures):9,.1f} {min(figures):9,.1f} {max(figures):9,.1f}")
        browser.close()


def _presses(browser: Browser, address: str) -> Figures:
    with far_away(int(address.rsplit(":", 1)[1]), FAR_MS) as far:
        page, _ = _player(browser, far)
        _press(page)
        painted, confirmed = page.evaluate("[bench.painted, bench.confirmed]")
        page.context.close()
    assert min(confirmed) >= FAR_MS
    return {
        "a key press until its move is painted, ms": painted,
        f"until the server, {FAR_MS} ms away, has confirmed it, ms": confirmed,
    }


def _press(page: Page) -> None:
    keys = page.keyboard
    for version, (source, target) in enumerate(_moves(PRESSES), 2):
        page.locator(f"[data-column='{source}']").focus()
        keys.press("Enter")
        page.locator(f"[data-column='{target}']").focus()
        keys.press("Enter")
        page.locator(f"[data-version='{version}']").wait_for()


def _frames(browser: Browser, address: str) -> Figures:
    page, tools = _player(browser, address, **PHONE)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    moves = _moves(ROUNDS * DRAGS)
    resting, dragging = [], []
    for _ in range(ROUNDS):
        page.evaluate(REST)
        resting.append(page.evaluate("bench.dropped()"))
        for move in islice(moves, DRAGS):
            _drag(page, *move)
        dragging.append(page.evaluate("bench.dropped()"))
    return {
        f"frames dropped at rest, {SLOWER} times slower, %": resting,
        f"frames dropped in {ROUNDS * DRAGS} drags, {SLOWER} times slower, %": dragging,
    }


REST = "new Promise(then => { bench.count(); setTimeout(() => { bench.stop(); then(); }, 2000); })"


def _jumps(browser: Browser, address: str) -> Figures:
    page, _ = _player(browser, address)
    page.evaluate(MUCH, EVENTS)
    page.locator(f"[data-head='{EVENTS}']").wait_for()
    page.reload()
    page.locator("[data-status=live]").wait_for()
    first = page.evaluate("bench.jump(2)")
    page.wait_for_selector(".tree .stands", state="attached")
    jumps = [page.evaluate("to => bench.jump(to)", to) for to in Random(1).choices(range(2, EVENTS), k=JUMPS)]
    page.context.close()
    return {
        f"a jump to any of {EVENTS:,} versions until it is painted, ms": jumps,
        "the first of them, with all the log fetched and read, ms": [first],
    }


MUCH = """async (count) => {
    const { acceptingColumns, deal, evolve } = await import("/client/rules.js");
    const g = location.pathname.split("/").pop();
    let game = deal((await (await fetch(`/api/games/${g}`)).json()).columns);
    const socket = new WebSocket(location.origin.replace("http", "ws") + "/ws", "simplesimon.v1");
    const heard = () => new Promise((then) => { socket.onmessage = then; });
    await heard();
    let seed = 1;
    const any = (list) => list[(seed = (seed * 48271) % 2147483647) % list.length];
    while (game.version < count) {
        const tops = game.position.flatMap((column, from) => (column.length > 0 ? [from] : []));
        const moves = tops.flatMap((from) => acceptingColumns(game.position, from, 1).map((to) => [from, 1, to]));
        const others = [{ t: "restart" }, ...(game.undo ? Array(9).fill({ t: "undo" }) : [])];
        const command = moves.length && any([0, 1, 2, 3]) ? { t: "move", m: any(moves) } : any(others);
        const answer = heard();
        socket.send(JSON.stringify({ g, v: game.version, ...command }));
        await answer;
        game = evolve(game, command);
    }
    socket.close();
}"""


def _drag(page: Page, source: int, target: int) -> None:
    """One card, by real pointer events; each is answered when the page has taken it."""
    (x, y), (to_x, to_y) = page.evaluate(SPOTS, [source, target])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to_x, to_y + 60, steps=STEPS)
    page.mouse.move(to_x, to_y, steps=STEPS // 2)
    page.mouse.up()


SPOTS = """columns => columns.map(at => {
    const column = document.querySelector(`[data-column='${at}']`);
    const { x, y, width } = (column.querySelector("[data-card]:last-child") ?? column).getBoundingClientRect();
    return [x + width / 2, y + 10];
})"""


def _visits(browser: Browser, address: str) -> Figures:
    visits = [_visit(browser.new_context(**PHONE), address) for _ in range(VISITS)]
    names = ["first view on Fast 3G: first paint, ms", "first view on Fast 3G: all cards there, ms", "first view: KB"]
    return dict(zip(names, map(list, zip(*visits, strict=True)), strict=True))


def _visit(stranger: BrowserContext, address: str) -> tuple[float, float, float]:
    """Somebody who was never here: first paint, all 52 cards painted and to be played, kilobytes over the wire."""
    page = stranger.new_page()
    tools = stranger.new_cdp_session(page)
    begun: dict[str, tuple[str, float]] = {}
    ended: dict[str, tuple[float, float]] = {}
    tools.on(
        "Network.requestWillBeSent",
        lambda event: begun.update({event["requestId"]: (event["request"]["url"], event["timestamp"])}),
    )
    tools.on(
        "Network.loadingFinished",
        lambda event: ended.update({event["requestId"]: (event["timestamp"], event["encodedDataLength"])}),
    )
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", FAST_3G)
    page.add_init_script(SCRIPT)
    page.goto(address)
    page.locator("[data-status=live]").wait_for()
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    dealt = page.evaluate("bench.firstTable")
    stranger.close()
    start = min(at for _, at in begun.values())
    [art] = [ended[request][0] for request, (url, _) in begun.items() if url.endswith("cards.svg")]
    return paint, max(dealt, (art - start) * 1000), sum(size for _, size in ended.values()) / 1000


def _player(browser: Browser, address: str, **device: Any) -> tuple[Page, CDPSession]:
    """A page at the deal, and the tools to slow it down."""
    context = browser.new_context(base_url=address, **device)
    game = context.request.post("/api/games", data={"code": DEAL}).json()["g"]
    page = context.new_page()
    page.add_init_script(SCRIPT)
    page.goto(f"/games/{game}")
    page.locator("[data-status=live]").wait_for()
    return page, context.new_cdp_session(page)


def _moves(count: int) -> Iterator[tuple[int, int]]:
    yield FIRST
    yield from islice(cycle([THERE, BACK]), count - 1)


def chromium(playwright: Playwright) -> Browser:
    """The one on the path, or the one that CHROMIUM names."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


@contextmanager
def server() -> Iterator[str]:
    """The address of a server of its own, without limits."""
    command = [sys.executable, "-m", "simplesimon", "serve", "--port", "0", "--workers", "1", "--no-limits"]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen([*command, "--data-dir", folder], stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdout
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
