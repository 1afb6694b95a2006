"""The map of the rooms is that of the house: whoever adds a module gives it a row."""

import re
from collections import Counter
from pathlib import Path

import simplesimon

ROOMS = Path(simplesimon.__file__).parent
MAP = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text()


def modules():
    found = {path.stem for path in ROOMS.glob("*.py")} - {"__init__"}
    return found | {path.name for path in ROOMS.glob("*.lua")} | {"rules/"}


def test_each_module_has_one_row_in_the_table_of_rooms():
    table = MAP.partition("## The rooms")[2].partition("`client/`")[0]
    rows = [row.split("|")[1] for row in re.findall(r"^\| `.*", table, re.MULTILINE)]
    named = Counter(name for row in rows for name in re.findall(r"`([^`]+)`", row))
    assert named == Counter(modules())


def test_each_module_is_named_where_the_package_is_explained():
    named = set(re.findall(r"`([^`]+)`", simplesimon.__doc__ or ""))
    assert {module for module in modules() if module.isidentifier()} - named == set()
