"""A real server with two workers, a real Chromium, and pages whose every error fails the test."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.line import Line
from browser.table import Table, Visit, deal
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright
from servers import Server, serving, storing

GUARD_MS = 30_000
"""No test is timed: this only ends one that hangs."""
expect.set_options(timeout=GUARD_MS)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# No --headless here: playwright adds the one that fits its version
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that says it is live."""
    place = str(tmp_path_factory.mktemp("games"))
    command = [sys.executable, "-m", "simplesimon", "serve", "--port", "0", "--workers", "2", "--data-dir", place]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[-1]
        process.terminate()
        process.stdout.read()


@pytest.fixture
def line(server: str) -> Iterator[Line]:
    """A way to the server that can be cut."""
    with Line(int(server.rsplit(":", 1)[1])) as line:
        yield line


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Once a module: only one playwright may run at a time."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Complaints(list[str]):
    """What pages said on the console and nobody should see; a breach of the Content-Security-Policy is among it."""

    def listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, said: ConsoleMessage) -> None:
        left_early = "closed before the connection is established" in said.text  # a page that a test was done with
        if said.type in {"error", "warning"} and not left_early:
            self.append(said.text)


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """A test that breaks the connection on purpose takes those complaints out by itself."""
    said = Complaints()
    yield said
    assert said == []


@pytest.fixture
def forgiving(complaints: Complaints) -> Iterator[None]:
    """What a browser writes on the console while there is no connection is not the page's fault."""
    yield
    complaints[:] = [said for said in complaints if "WebSocket connection" not in said and "ERR_" not in said]


def new_device(chromium: Browser, **options: Any) -> BrowserContext:
    """Without options: a desktop in English."""
    usual = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
    context = chromium.new_context(**usual | options)
    context.set_default_timeout(GUARD_MS)
    return context


@pytest.fixture
def device(chromium: Browser, server: str, complaints: Complaints) -> Iterator[Callable[..., BrowserContext]]:
    """Makes a device: cookies, size and language of its own."""
    with contextlib.ExitStack() as devices:

        def make(**options: Any) -> BrowserContext:
            context = new_device(chromium, **{"base_url": server} | options)
            context.on("page", complaints.listen)
            devices.callback(context.close)
            return context

        yield make


@pytest.fixture
def visit(device: Callable[..., BrowserContext]) -> Visit:
    """Opens an address on a device (a new one by default), and waits until the table is live."""

    def open_page(address: str = "/", on: BrowserContext | None = None, **options: Any) -> Table:
        page = (on or device(**options)).new_page()
        page.goto(address)
        page.wait_for_selector("[data-status=live]")
        return Table(page)

    return open_page


@pytest.fixture(scope="module")
def player(chromium: Browser, server: str) -> Iterator[BrowserContext]:
    """A device that the tests of a module share, so that it fetches the page's files once."""
    context = new_device(chromium, base_url=server)
    yield context
    context.close()


@pytest.fixture
def table(player: BrowserContext, visit: Visit, complaints: Complaints) -> Iterator[Table]:
    """The example deal, to be played; by a player who may have other games."""
    listen = complaints.listen
    player.on("page", listen)
    yield visit(f"/games/{deal(player)}", on=player)
    player.remove_listener("page", listen)
    for page in player.pages:
        page.close()


@pytest.fixture
def own_table(device: Callable[..., BrowserContext], visit: Visit) -> Table:
    """The example deal on a device that no other test has: for those that change the player."""
    player = device()
    return visit(f"/games/{deal(player)}", on=player)


@pytest.fixture(scope="session")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two servers on a store of their own, where nobody else plays."""
    folder = tmp_path_factory.mktemp("two")
    with (
        storing(folder) as store,
        serving(folder / "here", "--redis-url", store.url) as here,
        serving(folder / "there", "--redis-url", store.url, "--no-limits") as there,
    ):
        yield here, there


@pytest.fixture
def hides(chromium: Browser, device: Callable[..., BrowserContext]) -> Iterator[Callable[[BrowserContext, str], str]]:
    """Takes a game of a player on a device, which no later test shall see. A page that looks at it is closed before,
    for it would complain that the game is gone."""
    games: list[tuple[BrowserContext, str]] = []

    def hide(player: BrowserContext, game: str) -> str:
        games.append((player, game))
        return game

    yield hide
    for context in chromium.contexts:
        for page in context.pages:
            page.close()
    for player, game in games:
        player.request.patch(f"/api/games/{game}", data={"visibility": "private"})


@pytest.fixture
def named(
    two: tuple[Server, Server],
    device: Callable[..., BrowserContext],
    hides: Callable[[BrowserContext, str], str],
) -> Iterator[Callable[[str], BrowserContext]]:
    """Makes a player there, of this name, whose games no later test sees."""
    players: list[BrowserContext] = []

    def make(name: str) -> BrowserContext:
        player = device(base_url=two[1].url)
        player.request.patch("/api/me", data={"name": name})
        players.append(player)
        return player

    yield make
    for player in players:
        for row in player.request.get("/api/me/games").json()["games"]:
            hides(player, row["g"])
