"""Pending commands, other devices, broken lines: what the page shows always ends at what the server has."""

from pathlib import Path

import pytest
from browser.table import EXAMPLE

WANDERING = (Path(__file__).parent / "wandering.js").read_text()
SORTED = ["KS QS JS TS 9S 8S 7S 6S", "KH QH JH TH 9H 8H 7H 6H", "KD QD JD TD 9D 8D 7D 6D", "KC QC JC TC 9C 8C 7C"]
SORTED += ["5S 4S 3S 2S AS 6C", "5H 4H 3H 2H AH", "5D 4D 3D 2D", "AD 5C 4C", "3C 2C", "AC"]


@pytest.mark.browser
@pytest.mark.parametrize("columns", [EXAMPLE, SORTED], ids=["example", "nearly-won"])
def test_every_device_ends_at_the_same_game(device, columns):
    page = device().new_page()
    page.goto("/link")
    for seed in range(20):
        ended = page.evaluate(WANDERING, {"columns": columns, "rounds": 60, "seed": seed})
        assert isinstance(ended, int), f"seed {seed}: {ended}"
        assert ended > 10
