"""`make growth`: how cost grows with games, with spectators of one game, and with the length of its log.

Each round is kept in bench/growth.json; bench/plots.py draws docs/growth-*.svg from it.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path

import redis

from bench.cases import SETTLED_S, Figures, Pace, turned
from bench.load import Game, Load, loading
from bench.ours import ways_in
from bench.processes import cpu_s, prepare
from bench.servers import ours

KEPT = Path(__file__).with_name("growth.json")
GAMES = (1, 10, 100, 1_000, 10_000)
SPECTATORS = (10, 100, 1_000, 10_000)
LOGS = (20, 200, 2_000, 20_000)
SPARE_FILES = 200
AT_ONCE = 200
ONE_TURN_S = 1e-6
PACE = Pace(warm_s=0.5, counted_s=1.5, joins=20)
CALM_A_SECOND, CALM_MOVES = 2, 12


def games(count: int) -> Figures:
    """So many games, each with its player; of many, 200 move at the same moment, then the next 200."""
    with ours() as server, loading(server.port) as load, redis.Redis.from_url(server.store_url) as store:
        memory, stored = server.memory_kib, store.info("memory")["used_memory"]
        players = server.games(load, count)
        load.listen(SETTLED_S)
        memory, stored = server.memory_kib - memory, store.info("memory")["used_memory"] - stored
        _in_turn(load, players, PACE.warm_s)
        used, storing = server.cpu_s, cpu_s(server.stores)
        moves = _in_turn(load, players, PACE.counted_s)
        return {
            "moves a CPU second": moves / (server.cpu_s - used),
            "moves a CPU second of the store": moves / (cpu_s(server.stores) - storing),
            "KiB held": memory / count,
            "KiB stored": stored / 1024 / count,
        }


def _in_turn(load: Load, players: Sequence[Game], seconds: float) -> int:
    """How many moves."""
    moves, until = 0, time.perf_counter() + seconds
    for at in cycle(range(0, len(players), AT_ONCE)):
        if time.perf_counter() > until:
            break
        moves += load.turns(players[at : at + AT_ONCE], ONE_TURN_S).moves
    return moves


def spectators(count: int) -> Figures:
    """So many spectators of one game."""
    with ours() as server, loading(server.port) as load:
        [game] = server.games(load, 1)
        load.listen(SETTLED_S)
        memory = server.memory_kib
        load.watch(game, count)
        load.listen(SETTLED_S)
        held = server.memory_kib - memory
        result, used = turned(server, load, [game], PACE)
        _, times = load.paced(game, CALM_A_SECOND, CALM_MOVES, count)
        return {
            "diffs a CPU second": result.messages / used,
            "KiB held": held / count,
            "ms for half": 1e3 * times[len(times) // 2],
            "ms for 99 %": 1e3 * times[int(0.99 * len(times))],
        }


def log(events: int) -> Figures:
    """One game of so many events."""
    with ours() as server, loading(server.port) as load, redis.Redis.from_url(server.store_url) as store:
        [game] = server.games(load, 1)
        load.advance(game, events - 1)
        keys = [*store.scan_iter(match=f"{{game:{game.id}}}*")]
        figures: Figures = {"bytes stored an event": sum(store.memory_usage(key, samples=0) for key in keys) / events}
        for name, ways in ways_in(load, game, PACE).items():
            figures[f"ms to {name}"] = 1e3 * statistics.median(way.seconds for way in ways)
            figures[f"bytes to {name}"] = statistics.median(way.bytes for way in ways)
        result, used = turned(server, load, [game], PACE)
        return figures | {"us a move": 1e6 * used / result.moves}


CURVES: dict[str, tuple[Callable[[int], Figures], tuple[int, ...]]] = {
    "games": (games, GAMES),
    "spectators": (spectators, SPECTATORS),
    "log": (log, LOGS),
}


def main() -> None:
    """Adds one round to the file."""
    parser = argparse.ArgumentParser("python -m bench.growth", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=CURVES, default=list(CURVES))
    files = prepare()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {name: [] for name in CURVES}
    for name in parser.parse_args().only:
        measure, sizes = CURVES[name]
        for size in sizes:
            if name != "log" and size + SPARE_FILES > files:
                print(f"{name}, {size}: left out, since only {files} files may be open (ulimit -n)", file=sys.stderr)
                continue
            kept[name].append({"size": size} | measure(size))
            print(name, kept[name][-1], file=sys.stderr, flush=True)
            KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
