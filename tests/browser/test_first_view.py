"""What a first visit costs: everything is asked for at once, from this server alone, and it is small."""

import re
from pathlib import Path

import pytest
from browser.table import Table

CLIENT = Path(__file__).parents[2] / "client"
# These two are named by tags of their own
TAGS = {"main.js", "first.js"}


def test_every_module_is_asked_for_at_once():
    named = re.findall(r'rel="modulepreload" href="/client/([\w-]+\.js)"', (CLIENT / "index.html").read_text())
    assert sorted(named) == sorted({path.name for path in CLIENT.glob("*.js")} - TAGS)


@pytest.mark.browser
def test_the_first_view_is_small_and_asks_nobody_else(device, server):
    page = device().new_page()
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto("/")
    Table(page).is_connected("live")
    assert [address for address in addresses if not address.startswith((server, "data:"))] == []
    sizes = "performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.transferSize, 0)"
    assert page.evaluate(sizes) < 150_000
