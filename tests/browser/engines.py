"""Firefox and WebKit (Safari's engine) as their makers ship them, where they are installed, each by its own WebDriver.

Playwright drives builds of its own, which nobody installs with a package manager. Both protocols tell a page's hands in
the same words; a window here knows little more than those and how to ask the page something.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Thread
from typing import IO, Any, Protocol

import httpx
import pytest
from system.clusters import free_port
from websockets.sync.client import ClientConnection, connect

GUARD_S = 30
"""No test is timed: this only ends one that hangs."""

# Told of every change, so that nobody has to look again and again
ONCE = """new Promise(done => {{
    const look = () => {{ if ({condition}) {{ changes.disconnect(); done(true); }} }};
    const changes = new MutationObserver(look);
    changes.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
    look();
}})"""

Actions = list[dict[str, Any]]


class Window(Protocol):
    def goto(self, url: str) -> None:
        """Opens an address, and returns when its page can be asked."""

    def ask(self, expression: str) -> Any:
        """What an expression of JavaScript gives; a promise is waited for."""

    def act(self, actions: Actions) -> None:
        """Hands at work, as WebDriver describes them."""


class Engine(Protocol):
    def window(self) -> Window: ...


def once(window: Window, condition: str) -> None:
    """Waits until it holds in the page."""
    assert window.ask(ONCE.format(condition=condition)) is True


class Firefox:
    """WebDriver BiDi, which Firefox speaks by itself: commands over one socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._count = 0
        self.send("session.new", capabilities={})

    def send(self, method: str, **parameters: Any) -> Any:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(GUARD_S))
            if answer.get("id") == self._count:
                assert answer["type"] == "success", answer
                return answer["result"]

    def window(self) -> "FirefoxWindow":
        context = self.send("browsingContext.create", type="window")["context"]
        return FirefoxWindow(partial(self.send, context=context), partial(self.send, target={"context": context}))


class FirefoxWindow:
    def __init__(self, send: partial[Any], evaluate: partial[Any]) -> None:
        self._send = send
        self._evaluate = evaluate

    def goto(self, url: str) -> None:
        self._send("browsingContext.navigate", url=url, wait="interactive")

    def ask(self, expression: str) -> Any:
        as_text = f"(async () => JSON.stringify(await ({expression})))()"
        answer = self._evaluate("script.evaluate", expression=as_text, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def act(self, actions: Actions) -> None:
        self._send("input.performActions", actions=actions)


class WebKit:
    """WebDriver over HTTP, to the driver that comes with WebKitGTK."""

    def __init__(self, driver: httpx.Client, browser: str) -> None:
        options = {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
        self._driver = driver
        self._session = ""
        self._session = "/" + self.send("", capabilities={"alwaysMatch": options})["sessionId"]

    def send(self, path: str, **parameters: Any) -> Any:
        answer = self._driver.post(f"/session{self._session}{path}", json=parameters)
        assert answer.is_success, answer.text
        return answer.json()["value"]

    def close(self) -> None:
        """The driver would leave its browser running."""
        self._driver.delete(f"/session{self._session}")

    def window(self) -> "WebKitWindow":
        return WebKitWindow(self, self.send("/window/new", type="window")["handle"])


class WebKitWindow:
    def __init__(self, engine: WebKit, handle: str) -> None:
        self._engine = engine
        self._handle = handle

    def _send(self, path: str, **parameters: Any) -> Any:
        self._engine.send("/window", handle=self._handle)
        return self._engine.send(path, **parameters)

    def goto(self, url: str) -> None:
        self._send("/url", url=url)

    def ask(self, expression: str) -> Any:
        script = f"const done = arguments[0]; (async () => done(await ({expression})))()"
        return self._send("/execute/async", script=script, args=[])

    def act(self, actions: Actions) -> None:
        self._send("/actions", actions=actions)


@contextlib.contextmanager
def running(*command: str, says: str = "", **environment: str) -> Iterator[str]:
    """A process, and what it says first that has this pattern, where it says any."""
    pipe = subprocess.PIPE if says else subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=os.environ | environment)
    try:
        first = next((match[1] for line in process.stdout or () if (match := re.search(says, line))), "")
        if process.stdout:
            Thread(target=drain, args=[process.stdout], daemon=True).start()
        yield first
    finally:
        end(process)


def drain(said: IO[str]) -> None:
    """A pipe that nobody reads would stop who writes to it."""
    with said:
        deque(said, 0)


def end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(GUARD_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def need(what: str, *names: str) -> str:
    """The first of these programs that is there; without any, the test is skipped and says what it needs."""
    program = next(filter(None, map(shutil.which, names)), None)
    return program or pytest.skip(f"{what} is not installed")


@contextlib.contextmanager
def firefox() -> Iterator[Firefox]:
    program = need("Firefox", "firefox", "firefox-esr")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with (
            running(program, *flags, says=r"BiDi listening on (ws://\S+)") as address,
            connect(f"{address}/session", max_size=None) as session,
        ):
            yield Firefox(session)


@contextlib.contextmanager
def webkit() -> Iterator[WebKit]:
    """On a screen of its own, for it has no way without one."""
    program = need("WebKitWebDriver", "WebKitWebDriver")
    browser = next(map(str, Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")), "") or pytest.skip("no MiniBrowser")
    port = free_port()
    with (
        running(need("Xvfb", "Xvfb"), "-displayfd", "1", "-nolisten", "tcp", says=r"^(\d+)$") as display,
        running(program, f"--port={port}", DISPLAY=f":{display}"),
        # it does not say when it listens
        httpx.Client(
            transport=httpx.HTTPTransport(retries=10), base_url=f"http://127.0.0.1:{port}", timeout=GUARD_S
        ) as driver,
    ):
        engine = WebKit(driver, browser)
        try:
            yield engine
        finally:
            engine.close()
