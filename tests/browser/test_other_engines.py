"""The table in Firefox and in WebKit, where they are installed: played, watched, cut off, gone through.

All else is tried in Chromium. `apt-get install firefox-esr webkit2gtk-driver xvfb` brings both to a Debian machine.
"""

import json
from collections.abc import Iterator

import pytest
from browser.engines import Actions, Engine, Window, firefox, once, webkit
from browser.line import Line
from browser.table import EXAMPLE, WIN, Move

pytestmark = pytest.mark.browser

DEAL = """fetch("/api/games", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ columns: COLUMNS, visibility: "unlisted" }),
}).then(answer => answer.json()).then(game => game.g)""".replace("COLUMNS", json.dumps(EXAMPLE))

COLUMNS = """[...document.querySelectorAll("[data-column]")].map(column =>
    [...column.querySelectorAll("[data-card]")].map(card => card.dataset.card).join(" "))"""

SPOT = """(() => {{
    const column = document.querySelector("[data-column='{column}']");
    const place = [...column.querySelectorAll("[data-card]")].at(-{count}) ?? column;
    const {{ x, y, width }} = place.getBoundingClientRect();
    return [Math.round(x + width / 3), Math.round(y + 6)];
}})()"""

NO_QUIET_MOMENT = """() => {
    const set = window.setTimeout;
    window.setTimeout = (act, ms, ...wish) => (ms === 2500 ? 0 : set(act, ms, ...wish));
}"""
"""What the first table does not need is asked for in a quiet moment (later.js), which never comes."""


@pytest.fixture(scope="module", params=[firefox, webkit])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with request.param() as engine:
        yield engine


def spot(window: Window, column: int, count: int = 1) -> tuple[int, int]:
    x, y = window.ask(SPOT.format(column=column, count=count))
    return x, y


def mouse(window: Window, *steps: tuple[int, int] | str) -> None:
    """Goes to spots, and presses and lets go in between."""
    actions: Actions = [
        {"type": step, "button": 0}
        if isinstance(step, str)
        else {"type": "pointerMove", "x": step[0], "y": step[1], "duration": 20, "origin": "viewport"}
        for step in steps
    ]
    window.act([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}])


def drag(window: Window, move: Move) -> None:
    source, count, target = move
    mouse(window, spot(window, source, count), "pointerDown", spot(window, target), "pointerUp")


def tap(window: Window, move: Move) -> None:
    source, count, target = move
    mouse(window, spot(window, source, count), "pointerDown", "pointerUp")
    mouse(window, spot(window, target), "pointerDown", "pointerUp")


def press(window: Window, key: str) -> None:
    actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
    window.act([{"type": "key", "id": "keys", "actions": actions}])


def click(window: Window, control: str) -> None:
    window.ask(f'void document.querySelector("{control}").click()')


def shows(window: Window, version: int) -> None:
    once(window, f"document.querySelector(\"[data-version='{version}']\")")


def is_connected(window: Window, status: str) -> None:
    once(window, f"document.querySelector('[data-status={status}]')")


def opened(engine: Engine, address: str) -> Window:
    window = engine.window()
    window.goto(address)
    is_connected(window, "live")
    return window


@pytest.fixture
def player(engine: Engine, line: Line) -> Window:
    """At the table of the example."""
    window = opened(engine, line.address)
    window.goto(f"{line.address}/games/{window.ask(DEAL)}")
    is_connected(window, "live")
    return window


@pytest.fixture
def spectator(engine: Engine, player: Window, server: str) -> Window:
    """To a browser, another name of the same machine is another site: it is nobody yet there."""
    game = player.ask("location.pathname")
    return opened(engine, server.replace("127.0.0.1", "localhost") + game)


def follows(spectator: Window, player: Window, version: int) -> None:
    for window in (player, spectator):
        shows(window, version)
    assert spectator.ask(COLUMNS) == player.ask(COLUMNS)


def test_a_game_is_played_by_every_hand_and_watched(player, spectator):
    drag(player, WIN[0])
    shows(player, 2)
    tap(player, WIN[1])
    shows(player, 3)
    press(player, "z")
    shows(player, 4)
    press(player, "y")
    follows(spectator, player, 5)
    drag(spectator, WIN[2])
    once(spectator, "document.querySelector('[data-message]').textContent.includes('watching')")


def test_moves_made_while_cut_off_arrive(player, spectator, line):
    line.cut()
    once(player, "!document.querySelector('[data-status=live]')")
    for move in WIN[:2]:
        drag(player, move)
    once(player, "document.querySelector('[data-moves]').textContent === '2'")
    line.mend()
    player.ask("void dispatchEvent(new Event('online'))")
    follows(spectator, player, 3)


def test_who_looks_back_is_not_moved(player, spectator):
    drag(player, WIN[0])
    follows(spectator, player, 2)
    click(spectator, "[data-action=first]")
    shows(spectator, 1)
    drag(player, WIN[1])
    once(spectator, "document.querySelector('[data-head=\"3\"]')")
    assert spectator.ask(COLUMNS) == EXAMPLE
    click(spectator, "[data-action=live]")
    follows(spectator, player, 3)


def test_what_could_not_be_had_once_is_asked_for_again(line):
    with firefox() as engine:
        engine.send("script.addPreloadScript", functionDeclaration=NO_QUIET_MOMENT)
        window = opened(engine, line.address)
        line.cut()
        click(window, "[data-action=settings]")
        once(window, "document.querySelector('[data-message]').textContent.includes('does not answer')")
        line.mend()
        click(window, "[data-action=settings]")
        once(window, "document.querySelector('dialog[open] [name=theme]')")
