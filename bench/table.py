"""The rows of the table, what is wanted of each, and how figures of many rounds become one line."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.servers import OURS, SERVERS, UVLOOP

Record = dict[str, object]
"""Of one run: `round`, `server`, `figures` by row, and `others`, the share of the machine that something else had."""


@dataclass(frozen=True, slots=True)
class Row:
    """`goal` is in the row's unit, or in multiples of what the server `beside` has."""

    key: str
    text: str
    is_cost: bool = False
    goal: float | None = None
    beside: str = ""

    @property
    def wanted(self) -> str:
        """As it stands in the table."""
        if self.goal is None:
            return ""
        sign = "at most" if self.is_cost else "at least"
        return f"{sign} {number(self.goal)}" + (f" × {self.beside}" if self.beside else "")

    def is_reached(self, ours: float, other: float) -> bool:
        """For a row with a goal; `other` is what the server beside has."""
        goal = (self.goal or 0) * (other if self.beside else 1)
        return ours <= goal if self.is_cost else ours >= goal


ROWS = [
    Row("fan-out 100", "diffs to 100 spectators, a CPU second"),
    Row("fan-out 1000", "diffs to 1,000 spectators, a CPU second", goal=0.95, beside=UVLOOP),
    Row("fan-out 5000", "diffs to 5,000 spectators, a CPU second"),
    Row("under way", "the same to 1,000, 8 moves under way, a CPU second", goal=600_000),
    Row("under way, clock", "the same, a second on the clock"),
    Row("moves", "moves in 200 games, a CPU second", goal=1, beside="ws, XADD"),
    Row("moves, clock", "the same, a second on the clock"),
    Row("moves, store", "the same, a CPU second of the store"),
    Row("idle", "an idle spectator of 5,000, KiB", is_cost=True, goal=4),
    Row("idle, kernel", "the same, KiB of the kernel for its socket", is_cost=True),
    Row("coming", "to come in, one of 5,000, µs of CPU", is_cost=True),
    Row("p50", "10 moves a second to 1,000: half have one within, ms", is_cost=True),
    Row("p99", "99 % have one within, ms", is_cost=True, goal=1.5, beside=UVLOOP),
    Row("bytes", "bytes of a diff, its frame included", is_cost=True),
    *(
        Row(f"{way} {events}{unit}", f"{text} {events:,} events, {unit[2:] or 'ms'}", is_cost=True, goal=goal)
        for way, text in (("join", "a spectator joins a game of"), ("resume", "one comes back, 3 moves later, at"))
        for unit, goal in (("", 1.0), (", bytes", 1024))
        for events in (200, 2_000, 20_000)
    ),
    Row("kept", "Redis memory of a game won in 150 moves, bytes", is_cost=True, goal=4096),
    Row("workers, moves", "two workers, moves, in multiples of one", goal=1.7),
    Row("workers, fan-out", "two workers, diffs, in multiples of one", goal=1.7),
    Row("decided", "inside: moves decided, a CPU second"),
    *(Row(f"stored {games}", f"inside: moves stored in {games} games at once, a second") for games in (1, 10, 100)),
]


def lines(records: Sequence[Record]) -> Iterable[str]:
    """The table in Markdown: our figures, and how many times as good we are as each of the others."""
    others = [name for name in SERVERS if name != OURS and any(record["server"] == name for record in records)]
    yield "| what | ours | " + " | ".join(f"× {name}" for name in others) + " | wanted | |"
    yield "|---|---:|" + "---:|" * len(others) + "---|---|"
    for row in ROWS:
        ours = by_round(records, OURS, row.key)
        if ours:
            beside = [_times(row, ours, by_round(records, name, row.key)) for name in others]
            cells = [row.text, spread(ours.values()), *beside, row.wanted, _verdict(row, ours, records)]
            yield f"| {' | '.join(cells)} |"


def by_round(records: Sequence[Record], server: str, key: str) -> dict[object, float]:
    """A row's figure of each round at one server."""
    found = {}
    for record in records:
        figures = record["figures"]
        if record["server"] == server and isinstance(figures, dict) and key in figures:
            found[record["round"]] = float(figures[key])
    return found


def _times(row: Row, ours: dict[object, float], other: dict[object, float]) -> str:
    pairs = [(ours[at], other[at]) for at in ours if other.get(at)]
    return spread(theirs / own if row.is_cost else own / theirs for own, theirs in pairs) if pairs else ""


def _verdict(row: Row, ours: dict[object, float], records: Sequence[Record]) -> str:
    other = by_round(records, row.beside, row.key)
    if row.goal is None or (row.beside and not other):
        return ""
    median = statistics.median
    return "reached" if row.is_reached(median(ours.values()), median(other.values() or [0])) else "**missed**"


def spread(figures: Iterable[float]) -> str:
    """The median, and the least and the most when they differ."""
    values = sorted(figures)
    middle, least, most = (number(value) for value in (statistics.median(values), values[0], values[-1]))
    return middle if least == most else f"{middle} ({least} to {most})"


def number(value: float) -> str:
    """Three digits that count; thousands as k."""
    for size, sign in ((1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e6 if sign == 'M' else 1e3):.3g}{sign}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
