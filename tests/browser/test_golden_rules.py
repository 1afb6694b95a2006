"""The page's own reading of the rules against the server's, in a real Chromium: golden games, and many positions."""

import json
import os
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright
from stories import EXAMPLE, EXAMPLE_WIN, SORTED, game, next_event

from simplesimon.errors import Refused
from simplesimon.game import Dealt, Game, evolve, start
from simplesimon.rules.cards import cards_text
from simplesimon.rules.deal import deal_code, deal_from_code
from simplesimon.rules.position import Move, Position

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = pytest.mark.browser

# What happened at each step, in the form of the goldens; a step that is refused must leave the game as it was
REPLAY = """async ({columns, steps}) => {
    const {deal, decide, evolve, Refused} = await import("/client/rules.js");
    const shown = ({score, moves, off, undo, redo, won, columns, version}) =>
        ({score, moves, off: [...off], undo, redo, won, columns: [...columns], version});
    let game = deal(columns);
    return steps.map(({command}) => {
        try {
            game = evolve(game, decide(game, command));
            return {then: shown(game)};
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            return {refused: error.rule, then: shown(game)};
        }
    });
}"""

JUDGE = """async ({positions, moves, runs}) => {
    const {refusal, bestColumn} = await import("/client/rules.js");
    return positions.map((columns) => {
        const position = columns.map((line) => line.split(" ").filter(Boolean));
        return {
            refusals: moves.map((move) => refusal(position, move)),
            best: runs.map(([from, count]) => bestColumn(position, from, count)),
        };
    });
}"""


class Client(SimpleHTTPRequestHandler):
    """Serves /client/ alone, and an empty page to import it from."""

    def do_GET(self) -> None:
        if self.path.startswith("/client/"):
            super().do_GET()
        else:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: what fails is told by the test."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Client, directory=str(ROOT))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def rules(address: str) -> Iterator[Page]:
    """A page from which rules.js can be imported."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page()
        page.goto(address)
        yield page
        browser.close()


GAMES = [json.loads(path.read_text()) for path in sorted(GOLDEN.glob("*.json"))]


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden["name"])
def test_the_page_plays_a_golden_game_as_the_server_does(rules: Page, golden):
    played = rules.evaluate(REPLAY, golden)
    accepted, before = 0, None
    for number, (step, seen) in enumerate(zip(golden["steps"], played, strict=True), 1):
        if "refused" in step:
            assert seen.get("refused") == step["refused"], f"step {number}"
            assert before is None or seen["then"] == before, f"step {number}"
        else:
            accepted += 1
            wanted = step["then"] | {"version": 1 + accepted}
            assert {name: seen["then"][name] for name in wanted} == wanted, f"step {number}: {seen}"
        before = seen["then"]


def wandered(now: Game, random: Random) -> Iterator[Position]:
    """What a player comes to who knows nothing."""
    for _ in range(30):
        event = next_event(now, random.randrange(4000))
        if event is None:
            return
        now = evolve(now, event)
        yield now.state.position


def positions() -> Iterator[Position]:
    random = Random(1796)
    for suits in (1, 2, 4, 1, 2, 4):
        yield from wandered(start(Dealt(deal_from_code(deal_code(suits, random.randrange(2**35))))), random)
    yield from wandered(start(SORTED), random)
    for count in range(len(EXAMPLE_WIN)):
        yield game([EXAMPLE, *EXAMPLE_WIN[: count + 1]]).state.position


def refused(position: Position, move: tuple[int, int, int]) -> str | None:
    try:
        position.check(Move(*move))
    except Refused as refused:
        return refused.rule
    return None


def best(position: Position, source: int, count: int) -> int | None:
    """None also where the cards are no run: the page tells that rule by other means."""
    try:
        return position.best_column(source, count)
    except Refused:
        return None


def test_the_page_reads_every_move_and_best_column_as_the_server_does(rules: Page):
    moves = [(source, count, target) for source in range(-1, 11) for count in range(-1, 4) for target in range(-1, 11)]
    runs = [(source, count) for source in range(10) for count in range(1, 14)]
    tables = list(positions())
    lines = [[cards_text(column) for column in table.columns] for table in tables]
    judged = rules.evaluate(JUDGE, {"positions": lines, "moves": moves, "runs": runs})
    for table, columns, answer in zip(tables, lines, judged, strict=True):
        assert answer["refusals"] == [refused(table, move) for move in moves], columns
        assert answer["best"] == [best(table, *run) for run in runs], columns
