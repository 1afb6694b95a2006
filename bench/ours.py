"""What is measured at our server alone: coming in at any length of a game, what Redis keeps, a second worker."""

import json
import statistics
from collections.abc import Callable
from pathlib import Path

import redis

from bench.cases import Figures, Pace
from bench.load import Game, Join, Load, Moves, loading
from bench.processes import cpu_s
from bench.servers import Server, make_game, ours
from simplesimon.errors import Refused
from simplesimon.rules.deal import deal_from_lines
from simplesimon.rules.position import Move, Position

LOGS = (200, 2_000, 20_000)
MISSED = 3
KEPT_GAMES, KEPT_MOVES = 300, 150
WON = Path(__file__).parents[1] / "tests/golden/example-win.json"
WORKERS_SPECTATORS, WORKERS_GAMES = 2_000, 200


def joins(pace: Pace) -> Figures:
    """Spectators that come, one after another, to a game of 200, 2,000, 20,000 events; and come back, 3 moves later."""
    figures: Figures = {}
    with ours() as server, loading(server.port) as load:
        [game], version = server.games(load, 1), 1
        for events in LOGS:
            load.advance(game, events - version)
            version = events + MISSED
            for name, ways in ways_in(load, game, pace).items():
                figures[f"{name} {events}"] = 1e3 * statistics.median(way.seconds for way in ways)
                figures[f"{name} {events}, bytes"] = statistics.median(way.bytes for way in ways)
            figures[f"handshake {events}"] = 1e3 * statistics.median(way.handshake_s for way in ways)
    return figures


def ways_in(load: Load, game: Game, pace: Pace) -> dict[str, list[Join]]:
    """Some ways in for the first time, and back after a few moves missed."""
    came = [load.join(game) for _ in range(pace.joins)]
    load.advance(game, MISSED)
    back = [load.join(game, came[-1].version, came[-1].chain) for _ in range(pace.joins)]
    return {"join": came, "resume": back}


def kept(_pace: Pace) -> Figures:
    """What Redis has in memory for a game that was won in 150 moves: log, snapshots and its places in the lists."""
    lines, moves = won_game()
    with ours() as server, loading(server.port) as load, redis.Redis.from_url(server.store_url) as store:
        _, headers = make_game(server.port)
        _won_games(server, load, moves, lines, headers, KEPT_GAMES // 10)
        before = store.info("memory")["used_memory"]
        _won_games(server, load, moves, lines, headers, KEPT_GAMES)
        after = store.info("memory")["used_memory"]
    return {"kept": (after - before) / KEPT_GAMES}


def _won_games(server: Server, load: Load, moves: Moves, lines: list[str], headers: str, count: int) -> None:
    for _ in range(count):
        game_id, _ = make_game(server.port, headers, columns=lines)
        game = load.game(game_id, moves, 0, headers)
        load.play([game])
        load.advance(game, len(moves))


def won_game() -> tuple[list[str], Moves]:
    """A deal and at least 150 moves that win it: those of the golden game, after a card went to and fro."""
    golden = json.loads(WON.read_text())
    moves = [tuple(step["command"]["m"]) for step in golden["steps"] if step["command"]["t"] == "move"]
    there, back = _detour(Position(deal_from_lines(golden["columns"]).columns))
    while len(moves) < KEPT_MOVES:
        moves[:0] = [there, back]
    return golden["columns"], moves


def _detour(position: Position) -> Moves:
    for source, target in ((source, target) for source in range(10) for target in range(10)):
        there, back = Move(source, 1, target), Move(target, 1, source)
        try:
            position.check(there)
            position.after(there)[0].check(back)
        except Refused:
            continue
        return [(source, 1, target), (target, 1, source)]
    raise AssertionError("no card can go to and fro")


def workers(pace: Pace) -> Figures:
    """What two workers carry, in multiples of one: the busier of the two says when they are at their limit."""
    one, two = (_busiest(count, pace) for count in (1, 2))
    return {f"workers, {name}": two[name] / one[name] for name in one}


def _busiest(count: int, pace: Pace) -> Figures:
    """Messages of one game, and moves of many, a second of the busiest process."""
    with ours(count) as server, loading(server.port) as load:
        games = server.games(load, WORKERS_GAMES)
        load.turns(games, pace.warm_s)
        before = _used(server)
        moves = load.turns(games, pace.counted_s).moves / _most(before, server)
        [watched] = server.games(load, 1)
        load.watch(watched, WORKERS_SPECTATORS)
        load.turns([watched], pace.warm_s)
        before = _used(server)
        messages = load.turns([watched], pace.counted_s).messages / _most(before, server)
    return {"moves": moves, "fan-out": messages}


def _used(server: Server) -> list[float]:
    return [cpu_s([pid]) for pid in server.pids]


def _most(before: list[float], server: Server) -> float:
    return max(now - then for then, now in zip(before, _used(server), strict=True))


OUR_CASES: dict[str, Callable[[Pace], Figures]] = {"joins": joins, "kept": kept, "workers": workers}
