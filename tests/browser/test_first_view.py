"""What a first visit costs: everything is asked for at once, from this server alone, and it is small."""

import re
from pathlib import Path

import pytest
from browser.table import Table

CLIENT = Path(__file__).parents[2] / "client"
IMPORT = re.compile(r'^(?:import|export) [^;]*?from "\./([\w-]+\.js)";', re.MULTILINE)


def imported(name: str, known: set[str]) -> set[str]:
    """All that a module needs before it can run; what it asks for later, by `import()`, is not among it."""
    for other in IMPORT.findall((CLIENT / name).read_text()):
        if other not in known:
            known |= {other} | imported(other, known | {other})
    return known


def test_all_that_a_table_needs_is_asked_for_at_once():
    named = re.findall(r'rel="modulepreload" [^>]*href="/client/([\w-]+\.js)"', (CLIENT / "index.html").read_text())
    assert sorted(named) == sorted(imported("main.js", {"main.js"}) - {"main.js"})


def test_all_that_comes_later_is_named_in_one_place():
    later = re.findall(r'import\("\./([\w-]+\.js)"\)', (CLIENT / "later.js").read_text())
    known = {"main.js", "first.js"} | imported("main.js", {"main.js"})
    for name in later:
        known |= imported(name, {name})
    assert {path.name for path in CLIENT.glob("*.js")} - known == set()


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
