"""What is measured at each server, one case a function: it starts a server and gives figures by key of their row.

What a server can do is counted by its seconds on a processor, not on the clock: that holds on a busy machine too. The
load generator raises when a follower lacks a version, or has it twice or too early: no figure is of a faulty run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.load import Game, Load, Result, loading
from bench.processes import cpu_s, kernel_kib, own_cpu_s
from bench.servers import Server, Starting

Figures = dict[str, float]
Case = Callable[[Callable[[], Starting], "Pace"], Figures]

SPECTATORS, CROWD, GAMES = (100, 1_000), 5_000, 200
UNDER_WAY = 8
MOVES_A_SECOND = 10
SETTLED_S = 1.5


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to measure: seconds before it counts, seconds that count, paced moves, joins."""

    warm_s: float = 0.7
    counted_s: float = 2.0
    paced: int = 60
    joins: int = 30


QUICK = Pace(0.2, 0.5, 10, 5)


def fan_out(start: Callable[[], Starting], pace: Pace) -> Figures:
    """Games with 100 and 1,000 spectators; at the latter also 8 moves under way at a time, and a calm pace."""
    few, many = SPECTATORS
    with start() as server, loading(server.port) as load:
        [calm, game] = server.games(load, 2)
        load.watch(calm, few)
        figures = _told(server, load, calm, pace, few)
        load.watch(game, many)
        figures |= _told(server, load, game, pace, many)
        figures |= _under_way(server, load, game, pace)
        _, times = load.paced(game, MOVES_A_SECOND, pace.paced, many)
        figures["p50"], figures["p99"] = (1e3 * times[int(share * len(times))] for share in (0.5, 0.99))
    return figures


def _under_way(server: Server, load: Load, game: Game, pace: Pace) -> Figures:
    load.closed([game], pace.warm_s, UNDER_WAY)
    own, used = own_cpu_s(), server.cpu_s
    result = load.closed([game], pace.counted_s, UNDER_WAY)
    own, used = own_cpu_s() - own, server.cpu_s - used
    return {
        "under way": result.messages / used,
        "under way, clock": result.messages / result.seconds,
        "generator": result.messages / own,
        "generator's share": 100 * own / result.seconds,
    }


def crowd(start: Callable[[], Starting], pace: Pace) -> Figures:
    """5,000 spectators: what each costs in memory while nothing happens, and what a diff to each costs."""
    with start() as server, loading(server.port) as load:
        [game] = server.games(load, 1)
        load.listen(SETTLED_S)
        memory, kernel, used = server.memory_kib, kernel_kib(), server.cpu_s
        load.watch(game, CROWD)
        figures: Figures = {"coming": 1e6 * (server.cpu_s - used) / CROWD}
        load.listen(SETTLED_S)
        figures["idle"] = (server.memory_kib - memory) / CROWD
        figures["idle, kernel"] = (kernel_kib() - kernel) / 2 / CROWD  # half of it is the generator's end
        figures |= _told(server, load, game, pace, CROWD)
    return figures


def moves(start: Callable[[], Starting], pace: Pace) -> Figures:
    """200 games, each with its player alone: a move in each at a time; then each as fast as it goes."""
    with start() as server, loading(server.port) as load:
        games = server.games(load, GAMES)
        result, used = turned(server, load, games, pace)
        stored = cpu_s(server.stores)
        told = load.closed(games, pace.counted_s)
        stored = cpu_s(server.stores) - stored
    figures = {"moves": result.moves / used, "moves, clock": told.moves / told.seconds}
    return figures | ({"moves, store": told.moves / stored} if stored else {})


def turned(server: Server, load: Load, games: Sequence[Game], pace: Pace) -> tuple[Result, float]:
    """What came of moves in turns, when all is warm, and the server's seconds on a processor for it."""
    load.turns(games, pace.warm_s)
    before = server.cpu_s
    result = load.turns(games, pace.counted_s)
    return result, server.cpu_s - before


def _told(server: Server, load: Load, game: Game, pace: Pace, spectators: int) -> Figures:
    result, used = turned(server, load, [game], pace)
    return {f"fan-out {spectators}": result.messages / used, "bytes": result.bytes / result.messages}


CASES: dict[str, Case] = {"fanout": fan_out, "crowd": crowd, "moves": moves}
