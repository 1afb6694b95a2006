"""Draws docs/growth-*.svg from bench/growth.json: the same figures give the same files, byte by byte.

They are small, and legible on light and dark pages: ink and paper are named, and the file itself says what they are.
"""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from bench.growth import KEPT
from bench.table import number

DOCS = Path(__file__).parents[1] / "docs"
PALETTE = {  # as drawn: on a light page, on a dark one
    "#010101": ("ink", "#24292f", "#d5d9de"),
    "#020202": ("faint", "#d9dde2", "#3a4149"),
    "#030303": ("paper", "#ffffff", "#14181d"),
    "#040404": ("first", "#0b66b8", "#6cb2f5"),
    "#050505": ("second", "#b4500b", "#f0a35e"),
}
INK, FAINT, PAPER, FIRST, SECOND = PALETTE
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": 9,
    "svg.fonttype": "none",
    "svg.hashsalt": "simplesimon",
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
}
Rounds = list[dict[str, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One small plot: its title, and the figures drawn in it, each with the word that stands at its line.

    What grows with the size itself is drawn on a scale of powers, where it is a straight line.
    """

    title: str
    lines: dict[str, str]
    scale: str = "linear"


PLOTS = {
    "games": (
        "games at once",
        [
            Panel("moves a CPU second", {"moves a CPU second": ""}),
            Panel("moves a CPU second of the store", {"moves a CPU second of the store": ""}),
            Panel("KiB a game", {"KiB held": "server", "KiB stored": "Redis"}),
        ],
    ),
    "spectators": (
        "spectators of one game",
        [
            Panel("diffs a CPU second", {"diffs a CPU second": ""}),
            Panel("ms until they have a move", {"ms for 99 %": "99 %", "ms for half": "half"}, "log"),
            Panel("KiB a spectator", {"KiB held": ""}),
        ],
    ),
    "log": (
        "events in the log",
        [
            Panel("ms until all is there", {"ms to join": "join", "ms to resume": "resume"}),
            Panel("bytes until all is there", {"bytes to join": "join", "bytes to resume": "resume"}),
            Panel("bytes stored an event", {"bytes stored an event": ""}),
        ],
    ),
}


def main() -> None:
    """Draws all."""
    for name, rounds in json.loads(KEPT.read_text()).items():
        axis, panels = PLOTS[name]
        path = DOCS / f"growth-{name}.svg"
        with mpl.rc_context(STYLE):
            _draw(rounds, axis, panels).savefig(path, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
        path.write_text(_coloured(path.read_text()))


def _draw(rounds: Rounds, axis: str, panels: Sequence[Panel]) -> Figure:
    figure = Figure(figsize=(9, 2.4), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels)), panels, strict=True):
        for (key, word), style in zip(panel.lines.items(), ((FIRST, 6), (SECOND, -14)), strict=False):
            _line(axes, rounds, key, word, *style, is_low_free=panel.scale == "log")
        _frame(axes, sorted({round_["size"] for round_ in rounds}), panel.scale)
        axes.set_title(panel.title, loc="left", fontsize=10)
        axes.set_xlabel(axis, loc="left", fontsize=9)
    return figure


def _line(axes: Axes, rounds: Rounds, key: str, word: str, colour: str, above: int, *, is_low_free: bool) -> None:
    sizes = sorted({round_["size"] for round_ in rounds})
    found = [sorted(round_[key] for round_ in rounds if round_["size"] == size) for size in sizes]
    medians = [statistics.median(figures) for figures in found]
    axes.vlines(sizes, [least for least, *_ in found], [most for *_, most in found], colors=colour, alpha=0.35, lw=3)
    axes.plot(sizes, medians, color=colour, marker="o", markersize=3.5, lw=1.5)
    lies_low = not is_low_free and medians[1] < 0.15 * axes.get_ylim()[1]  # and the word would stand among the sizes
    place = (0, abs(above) if lies_low else above)
    axes.annotate(word, (sizes[1], medians[1]), place, textcoords="offset points", color=colour, ha="center")


def _frame(axes: Axes, sizes: Sequence[float], scale: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale(scale)
    axes.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    if scale == "linear":
        axes.locator_params(axis="y", nbins=4)
        axes.set_ylim(0, axes.get_ylim()[1] * 1.12)
    else:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set_ylim(bottom=1)
    axes.grid(axis="y", lw=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)


def _coloured(svg: str) -> str:
    """Colours by name, and what they are on a light and on a dark page."""
    for drawn, (name, _, _) in PALETTE.items():
        svg = svg.replace(drawn, f"var(--{name})")
    light, dark = (";".join(f"--{colours[0]}:{colours[at]}" for colours in PALETTE.values()) for at in (1, 2))
    style = f"<style>:root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    head, rest = svg.split("<defs>", 1)
    lines = (line.strip() for line in f"{head}{style}<defs>{rest}".splitlines())
    return "\n".join(line for line in lines if not line.startswith("<!--")) + "\n"


if __name__ == "__main__":
    main()
