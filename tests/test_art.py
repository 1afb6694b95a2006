"""The pack that is served is the one that tools/draw_cards.py draws."""

import importlib.util
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_cards_are_drawn_from_the_art(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("draw_cards", ROOT / "tools" / "draw_cards.py")
    assert spec is not None
    assert spec.loader is not None
    draw_cards = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw_cards)
    shutil.copytree(ROOT / "client" / "art", tmp_path / "art")
    monkeypatch.setattr(draw_cards, "CLIENT", tmp_path)
    draw_cards.main()
    assert (tmp_path / "cards.svg").read_text() == (ROOT / "client" / "cards.svg").read_text(), "run `make cards`"
